#pragma once
#include <string>

namespace headscope {

/// Writes config.json and model.safetensors of GPT-2 small's size (Radford et al. 2019: 12 layers of 12
/// heads, d_model 768, 50,257 tokens) with weights drawn at random, 498 MB: the cost of a run does not depend
/// on the weights' values. Throws Error (unable) if the disk is full.
void write_random_model(const std::string& folder);

}  // namespace headscope
