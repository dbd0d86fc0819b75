#include "core/model/weights/model_folder.h"

#include <filesystem>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/path_in_folder.h"
#include "core/model/weights/built_in_models.h"
#include "core/model/weights/language_model.h"

namespace headscope {

ModelFolder look_into_model(const std::string& folder) {
  const auto files = ModelFiles::open(folder);
  ModelFolder model{folder,
                    files->config(),
                    std::nullopt,
                    files->missing_shards(),
                    files->tokenizer_files(),
                    files->chat_template()};
  if (files->has_weights() && model.missing_shards.empty()) {
    model.weights = files->weights();
    try {
      model.config.tie_embeddings = ties_embeddings(model.config, *model.weights);
    } catch (const Error&) {
      // is said when the model is opened
    }
  }
  // What reads only pictures has no tokenizer.
  if (model.config.picture && !model.config.text_tower) model.tokenizer.complete = true;
  return model;
}

void expect_model(const std::string& model) {
  expect_installed(model);
  const std::string folder = folder_of_model(model);
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(folder, ignored)))
    throw input_error("{} does not exist; expected the folder of a model, or a built-in one: {}", folder,
                      built_in_names());
  if (!is_in_folder(folder, "config.json")) read_config(folder);  // its Error says what is there instead
}

}  // namespace headscope
