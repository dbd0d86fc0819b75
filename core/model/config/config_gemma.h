#pragma once
#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

// The config.json of Gemma 3n and Gemma 4, whose layers differ in more than their windows.

void read_gemma3n_config(const ConfigFields& config, ModelConfig& model);
void read_gemma4_config(const ConfigFields& config, ModelConfig& model);
/// The part for text of a whole model, whatever it says that it is.
void read_gemma4_unified_config(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
