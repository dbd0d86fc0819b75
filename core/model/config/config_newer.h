#pragma once
#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

// The config.json of decoders of 2024 and 2025 that have most of LLaMA's fields.

void read_arcee_config(const ConfigFields& config, ModelConfig& model);
void read_seed_oss_config(const ConfigFields& config, ModelConfig& model);
void read_ernie_config(const ConfigFields& config, ModelConfig& model);
void read_helium_config(const ConfigFields& config, ModelConfig& model);
void read_cwm_config(const ConfigFields& config, ModelConfig& model);
void read_glm_config(const ConfigFields& config, ModelConfig& model);
void read_starcoder2_config(const ConfigFields& config, ModelConfig& model);
void read_olmo3_config(const ConfigFields& config, ModelConfig& model);
void read_olmoe_config(const ConfigFields& config, ModelConfig& model);
void read_exaone4_config(const ConfigFields& config, ModelConfig& model);
void read_nemotron_config(const ConfigFields& config, ModelConfig& model);
void read_gpt_oss_config(const ConfigFields& config, ModelConfig& model);
void read_deepseek_v2_config(const ConfigFields& config, ModelConfig& model);
void read_deepseek_v3_config(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
