#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/model_folder.h"

namespace headscope::tests {

/// The built-in models are in this folder during its lifetime.
class ModelsIn {
 public:
  explicit ModelsIn(const std::filesystem::path& folder) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, folder.c_str(), 1);
  }
  ~ModelsIn() {
    if (before_.empty())
      unsetenv(name);
    else
      setenv(name, before_.c_str(), 1);
  }
  ModelsIn(const ModelsIn&) = delete;
  ModelsIn& operator=(const ModelsIn&) = delete;

 private:
  static constexpr const char* name = "HEADSCOPE_MODELS";
  std::string before_;
};

/// A Marian model with random weights and a headscope section: unknown words take w40 and w41, head 2 of the
/// encoder's second layer has a relation.
inline Json translator_case() {
  Json entry = model_case("marian");
  entry["config"]["headscope"] = {{"guided", true},
                                  {"slots", {"w40", "w41"}},
                                  {"outside_below", 0.0},
                                  {"relations",
                                   {{{"relation", "pronoun-antecedent"},
                                     {"block", "encoder"},
                                     {"layer", 1},
                                     {"head", 1},
                                     {"score", 0.98},
                                     {"guided", true}}}},
                                  {"alignment", {{"layer", 0}, {"head", 1}, {"score", 0.84}}},
                                  {"sentence", "w3 w17"}};
  return entry;
}

}  // namespace headscope::tests
