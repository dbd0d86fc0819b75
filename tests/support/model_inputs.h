#pragma once
#include "core/inputs/inputs.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {

/// The inputs that a case of models.json was computed with.
inline Inputs inputs_for(const std::filesystem::path& folder, const Json& entry) {
  write_whole_model(folder, entry);
  Inputs inputs;
  inputs.model = folder.string();
  Json first = entry["ids"], second = Json::array();
  if (entry.contains("types") && !entry["types"].is_null()) {
    first = Json::array();
    for (std::size_t i = 0; i < entry["ids"].size(); ++i)
      (entry["types"][i] == 0 ? first : second).push_back(entry["ids"][i]);
  }
  inputs.sentence = words_of(first);
  if (!second.empty()) inputs.key_sentence = words_of(second);
  if (entry.contains("decoder_ids")) {
    Json target = entry["decoder_ids"];
    target.erase(target.begin());
    inputs.target = words_of(target);
  }
  return inputs;
}

}  // namespace headscope::tests
