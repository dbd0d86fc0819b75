#include "app/state/jobs/model_opening.h"

#include "core/model/weights/built_in_models.h"
#include "core/model/weights/model_folder.h"

namespace headscope {

ModelOpening::~ModelOpening() {
  cancel();
}

void ModelOpening::cancel() {
  progress_->stop.request_stop();
}

void ModelOpening::wait() const {
  job_.wait();
}

void ModelOpening::start(const std::string& folder) {
  folder_ = folder;
  progress_ = std::make_shared<LoadProgress>();
  reading_ = std::make_shared<Reading>();
  job_.start(
      [folder, progress = progress_, reading = reading_, sources = sources_, memory = memory_,
       wake = wake_](const std::stop_token&) {
        expect_model(folder);
        reading->config = std::make_shared<const ModelConfig>(read_config(folder_of_model(folder)));
        reading->there = true;
        wake();
        Engine(0, memory, sources).open_model(folder, progress.get());
        return reading->config;
      },
      wake_);
}

bool ModelOpening::ready(const Inputs& inputs, int session) {
  if (std::exchange(session_, session) != session) {
    known_.clear();
    refused_.clear();
  }
  if (!inputs.trained() || known_.contains(inputs.model)) return true;
  if (refused_.contains(inputs.model)) return false;
  if (!busy()) start(inputs.model);
  return false;
}

std::optional<Error> ModelOpening::error(const Inputs& inputs) const {
  const auto found = refused_.find(inputs.model);
  if (found == refused_.end()) return {};
  return found->second;
}

std::shared_ptr<const ModelConfig> ModelOpening::config(const Inputs& inputs) const {
  if (busy() && folder_ == inputs.model && reading_->there) return reading_->config;
  const auto found = configs_.find(inputs.model);
  return found == configs_.end() ? nullptr : found->second;
}

}  // namespace headscope
