#pragma once
#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

// The config.json of BERT and of encoders like it.

void read_bert_config(const ConfigFields& config, ModelConfig& model);
void read_distilbert_config(const ConfigFields& config, ModelConfig& model);
void read_roberta_config(const ConfigFields& config, ModelConfig& model);
void read_longformer_config(const ConfigFields& config, ModelConfig& model);
void read_bigbird_config(const ConfigFields& config, ModelConfig& model);
void read_albert_config(const ConfigFields& config, ModelConfig& model);
void read_electra_config(const ConfigFields& config, ModelConfig& model);
void read_mpnet_config(const ConfigFields& config, ModelConfig& model);
void read_deberta_v1_config(const ConfigFields& config, ModelConfig& model);
void read_deberta_config(const ConfigFields& config, ModelConfig& model);
void read_xlnet_config(const ConfigFields& config, ModelConfig& model);
void read_funnel_config(const ConfigFields& config, ModelConfig& model);
void read_modernbert_config(const ConfigFields& config, ModelConfig& model);
void read_esm_config(const ConfigFields& config, ModelConfig& model);
void read_nomic_bert_config(const ConfigFields& config, ModelConfig& model);
void read_eurobert_config(const ConfigFields& config, ModelConfig& model);
void read_rembert_config(const ConfigFields& config, ModelConfig& model);
void read_dpr_config(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
