#include "core/source/open_model.h"

#include "core/source/engine.h"
#include "core/source/model_source.h"

namespace headscope {

std::optional<OpenModel> find_open_model(OpenSources& sources, const std::string& folder) {
  const auto model = sources.find_model(folder);
  if (!model) return {};
  return OpenModel{model, model->model().config().encoder_decoder()};
}

}  // namespace headscope
