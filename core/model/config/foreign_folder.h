#pragma once
#include <optional>
#include <string>

#include "core/base/error.h"

namespace headscope {

/// What a folder is that another library wrote, and what to do with it: an adapter (PEFT, LoRA), a model of
/// timm or open_clip, or sentence-transformers' with its transformer in a folder below. None for a folder
/// that transformers opens.
std::optional<Error> why_foreign(const std::string& folder);

/// What is known of a folder that opens: sentence-transformers computes more than the model.
std::optional<Error> folder_note(const std::string& folder);

}  // namespace headscope
