#pragma once
#include <string>
#include <string_view>

#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

/// config.json of a model. `source` names it in messages. Throws Error (input) that names the field, what was
/// found and what was expected; for an unknown architecture, first how to use a capture instead.
ModelConfig parse_config(std::string_view json, const std::string& source);
/// The same, for one that was written from other data.
ModelConfig parse_config(std::string_view json, const std::string& source, const FieldNames& names);
/// generation_config.json: its fields override those of `model`. Throws Error as parse_config.
void apply_generation_config(std::string_view json, const std::string& source, ModelConfig& model);
/// FOLDER/config.json, and FOLDER/generation_config.json if it overrides settings of generation.
ModelConfig read_folder_config(const std::string& folder);

}  // namespace headscope
