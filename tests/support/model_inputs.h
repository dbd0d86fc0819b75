#pragma once
#include "core/inputs/inputs.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {

/// Whether a case's decoder reads a target of its own: a model with labels reads the sentence once more.
inline bool reads_target(const Json& entry) {
  if (!entry.contains("decoder_ids")) return false;
  const std::string architecture = entry["config"]["architectures"][0];
  return !architecture.ends_with("ForSequenceClassification") &&
         !architecture.ends_with("ForQuestionAnswering");
}

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
  if (reads_target(entry)) {
    Json target = entry["decoder_ids"];
    target.erase(target.begin());
    inputs.target = words_of(target);
  }
  if (entry.contains("global")) {
    MaskPart& global = inputs.mask.emplace_back();
    global.kind = MaskKind::global;
    global.tokens = entry["global"].get<std::vector<int>>();
  }
  return inputs;
}

}  // namespace headscope::tests
