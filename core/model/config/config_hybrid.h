#pragma once
#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

// The config.json of decoders with softmax attention in few layers, or another mixer beside it.

void read_qwen3_next_config(const ConfigFields& config, ModelConfig& model);
void read_qwen3_5_config(const ConfigFields& config, ModelConfig& model);
void read_lfm2_config(const ConfigFields& config, ModelConfig& model);
void read_falcon_h1_config(const ConfigFields& config, ModelConfig& model);
void read_granite_hybrid_config(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
