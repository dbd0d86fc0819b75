#pragma once
#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

struct LlamaDefaults;

// The config.json of LLaMA and of families with the same structure.

void read_llama_config(const ConfigFields& config, ModelConfig& model);
void read_mistral_config(const ConfigFields& config, ModelConfig& model);
void read_qwen2_config(const ConfigFields& config, ModelConfig& model);
void read_qwen3_config(const ConfigFields& config, ModelConfig& model);
void read_phi_config(const ConfigFields& config, ModelConfig& model);
void read_stablelm_config(const ConfigFields& config, ModelConfig& model);
void read_gemma_config(const ConfigFields& config, ModelConfig& model);
/// What all of Gemma have in common.
void read_gemma_like(const ConfigFields& config, const LlamaDefaults& usual, ModelConfig& model);
void read_gemma2_config(const ConfigFields& config, ModelConfig& model);
void read_qwen2_vl_config(const ConfigFields& config, ModelConfig& model);
void read_qwen3_vl_config(const ConfigFields& config, ModelConfig& model);
void read_gemma3_config(const ConfigFields& config, ModelConfig& model);
void read_olmo_config(const ConfigFields& config, ModelConfig& model);
void read_olmo2_config(const ConfigFields& config, ModelConfig& model);
void read_granite_config(const ConfigFields& config, ModelConfig& model);
void read_granite_moe_config(const ConfigFields& config, ModelConfig& model);
void read_smollm3_config(const ConfigFields& config, ModelConfig& model);
void read_phi3_config(const ConfigFields& config, ModelConfig& model);
void read_cohere_config(const ConfigFields& config, ModelConfig& model);
void read_cohere2_config(const ConfigFields& config, ModelConfig& model);
void read_mixtral_config(const ConfigFields& config, ModelConfig& model);
void read_phimoe_config(const ConfigFields& config, ModelConfig& model);
void read_qwen2_moe_config(const ConfigFields& config, ModelConfig& model);
void read_qwen3_moe_config(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
