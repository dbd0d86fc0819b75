#pragma once
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/support/model_folder.h"

namespace headscope::tests {

/// Models that read pictures, as tests/data/models/picture_models.json lists them.
inline Json picture_model_cases() {
  return Json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/models/picture_models.json"));
}
inline Json picture_model_case(const std::string& name) {
  for (const Json& entry : picture_model_cases())
    if (entry["name"] == name) return entry;
  throw std::runtime_error("no model " + name);
}
/// With a tokenizer of words, and a preprocessor_config.json.
inline void write_picture_model(const std::filesystem::path& folder, const std::string& name,
                                const std::string& processor = R"({"size": 12, "crop_size": 12})") {
  write_whole_model(folder, picture_model_case(name));
  std::ofstream(folder / "preprocessor_config.json") << processor;
}
inline std::string test_picture(const std::string& name) {
  return std::string(TEST_DATA_DIR) + "/pictures/" + name;
}

}  // namespace headscope::tests
