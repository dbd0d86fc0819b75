#pragma once
#include "core/model/config/config_fields.h"

namespace headscope {

struct ModelConfig;

// Configs of models that read pictures, as in config_families.cpp; and of the text towers beside them.

void read_vit_config(const ConfigFields& config, ModelConfig& model);
void read_deit_config(const ConfigFields& config, ModelConfig& model);
void read_dinov2_config(const ConfigFields& config, ModelConfig& model);
void read_dinov3_config(const ConfigFields& config, ModelConfig& model);
void read_beit_config(const ConfigFields& config, ModelConfig& model);
void read_clip_config(const ConfigFields& config, ModelConfig& model);
void read_clip_text_config(const ConfigFields& config, ModelConfig& model);
void read_siglip2_config(const ConfigFields& config, ModelConfig& model);
void read_siglip_config(const ConfigFields& config, ModelConfig& model);
void read_siglip_text_config(const ConfigFields& config, ModelConfig& model);

}  // namespace headscope
