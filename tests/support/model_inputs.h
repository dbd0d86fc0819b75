#pragma once
#include <algorithm>
#include <memory>

#include "core/inputs/inputs.h"
#include "core/io/npy.h"
#include "core/model/layer/model_request.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {

/// Whether a case's decoder reads a target of its own: a model with labels reads the sentence once more.
inline bool reads_target(const Json& entry) {
  if (!entry.contains("decoder_ids")) return false;
  const std::string architecture = entry["config"]["architectures"][0];
  return !architecture.ends_with("ForSequenceClassification") &&
         !architecture.ends_with("ForQuestionAnswering");
}

/// What the model of a case reads.
inline ModelInput input_of(const Json& entry) {
  ModelInput input{entry["ids"], entry.value("types", std::vector<Index>()),
                   entry.value("decoder_ids", std::vector<Index>())};
  if (entry.contains("global")) input.global = entry["global"].get<std::vector<Index>>();
  if (!entry.contains("sound")) return input;
  const std::vector<float> numbers = sound_of(entry);
  Tensor sound({entry["sound"][0].get<Index>(), entry["sound"][1].get<Index>()});
  std::ranges::copy(numbers, sound.data());
  input.sound = std::make_shared<const Tensor>(std::move(sound));
  return input;
}

/// The same as a file.
inline std::string write_sound(const std::filesystem::path& path, const Json& entry) {
  std::ofstream(path, std::ios::binary)
      << npy_header("<f4", entry["sound"].get<std::vector<Index>>()) << bytes_as<float>(sound_of(entry));
  return path.string();
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
  if (entry.contains("sound")) inputs.features = write_sound(folder / "sound.npy", entry);
  if (entry.contains("global")) {
    MaskPart& global = inputs.mask.emplace_back();
    global.kind = MaskKind::global;
    global.tokens = entry["global"].get<std::vector<int>>();
  }
  return inputs;
}

}  // namespace headscope::tests
