#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace headscope {

class LanguageModel;

/// The tensors in a model's files that none of its parts reads (towers of the same files), in the order of
/// their names, under which the files have them. Left out is what is known not to matter: buffers of computed
/// values, second copies of what is read, and outputs that are not shown.
std::vector<std::string> unread_tensors(std::span<const LanguageModel* const> parts);

/// What is said of them; `names` is not empty.
Error unread_note(const std::vector<std::string>& names);

/// "lm_head.weight, model.layers.#.mlp.gate.bias (24)": layers count as one, long lists are cut off.
std::string listed_tensors(const std::vector<std::string>& names);

}  // namespace headscope
