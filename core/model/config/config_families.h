#pragma once
#include <span>
#include <string>

#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

/// How a family's config.json is read.
struct ConfigFamily {
  ModelFamily family;
  const char* name;  ///< display name
  /// Values of `model_type`, with commas; the first is the family's own, the others have the same structure.
  const char* model_types;
  const char* class_names;  ///< prefixes of the names in `architectures`, with commas
  void (*read)(const ConfigFields& config, ModelConfig& model);
};

/// In the order of ModelFamily.
std::span<const ConfigFamily> config_families();

/// A model that reads pictures beside a text, of which the part for text is read: a decoder of a family,
/// whose fields are in `text_config`, or beside the others in older files.
struct PictureTextModel {
  const char* name;        ///< display name
  const char* model_type;  ///< of the whole
  const char* class_name;  ///< what the names in `architectures` begin with
  const char* text_type;   ///< the model_type of its text part, unless text_config says another
  /// How the text part is read where it has a class of its own, whatever text_config says; nullptr: as
  /// text_config's model_type is.
  void (*read)(const ConfigFields& config, ModelConfig& model) = nullptr;
  Index first_position = 0;  ///< Rope::first_position
  bool caps_logits = false;  ///< as its text part does; others pass over what that says
};

std::span<const PictureTextModel> picture_text_models();

}  // namespace headscope
