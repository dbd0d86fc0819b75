#pragma once
#include <string>

namespace headscope {

/// Writes config.json and model.safetensors of GPT-2 small's size (Radford et al. 2019: 12 layers of 12
/// heads, d_model 768, 50,257 tokens) with weights drawn at random, 498 MB: what a trained model costs to run
/// does not depend on what it knows. Throws Error (unable) where the folder has no room for it.
void write_random_model(const std::string& folder);

}  // namespace headscope
