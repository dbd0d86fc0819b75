#pragma once
#include "core/model/config_parts.h"

// LLaMA and families with the same structure.

namespace headscope {

void read_llama_config(const ConfigFields& config, ModelConfig& model);
void read_mistral_config(const ConfigFields& config, ModelConfig& model);
void read_qwen2_config(const ConfigFields& config, ModelConfig& model);
void read_qwen3_config(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
