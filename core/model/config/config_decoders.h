#pragma once
#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

// The config.json of GPT-2 and its successors.

void read_gpt2_config(const ConfigFields& config, ModelConfig& model);
void read_gpt_neo_config(const ConfigFields& config, ModelConfig& model);
void read_biogpt_config(const ConfigFields& config, ModelConfig& model);
void read_xglm_config(const ConfigFields& config, ModelConfig& model);
void read_opt_config(const ConfigFields& config, ModelConfig& model);
void read_gpt_neox_config(const ConfigFields& config, ModelConfig& model);
void read_gptj_config(const ConfigFields& config, ModelConfig& model);
void read_codegen_config(const ConfigFields& config, ModelConfig& model);
void read_openai_gpt_config(const ConfigFields& config, ModelConfig& model);
void read_mpt_config(const ConfigFields& config, ModelConfig& model);
void read_bloom_config(const ConfigFields& config, ModelConfig& model);
void read_falcon_config(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
