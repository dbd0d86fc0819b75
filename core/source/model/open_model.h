#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/source/source.h"

namespace headscope {

class OpenSources;

/// An open model and its capabilities.
struct OpenModel {
  std::shared_ptr<const Source> source;
  bool reads_target = false;  ///< an encoder–decoder
};
/// Nothing if the model of the folder or built-in name is not open, or its files have changed since. Never
/// blocks.
std::optional<OpenModel> find_open_model(OpenSources& sources, const std::string& name);

/// What the decoder of a trace reads after its start token, as text; empty if there is none.
std::string decoder_text(const Trace& trace);

}  // namespace headscope
