#include "app/state/derived/model_thumbnails.h"

#include <utility>

#include "core/analysis/notable_heads.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/model/config/model_notes.h"
#include "core/model/weights/built_in_models.h"
#include "core/scene/view.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"

namespace headscope {
namespace {

constexpr Index largest_map = 32;  // rows and columns

/// The example that comes with the model.
Inputs example_of(const std::string& name, const Source& model) {
  const SourceAbout& about = model.about();
  const ModelNotes* const notes = about.model_notes;
  Inputs inputs;
  inputs.model = name;
  if (notes != nullptr && !notes->sentence.empty()) inputs.sentence = notes->sentence;
  if (about.reads_picture && notes != nullptr) inputs.picture = name + "/" + notes->picture;
  return inputs;
}

/// The most informative head of the first block that has one; otherwise the first.
ModelThumbnails::One informative_map(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop) {
  ModelThumbnails::One one{block_of(trace, trace->blocks.front().shape.kind), nullptr};
  for (const BlockTrace& block : trace->blocks) {
    const auto statistics = block_statistics(block, std::nullopt, stop);
    const auto notable = statistics ? notable_heads(block, *statistics, stop) : nullptr;
    if (!notable) throw Stopped();
    if (notable->heads.empty()) continue;
    const NotableHead& first = notable->heads.front();
    one = {block_of(trace, block.shape.kind), nullptr, first.layer, first.head};
    break;
  }
  one.maps = make_thumbnails(one.block, Filter{}, RangeChoice{}, largest_map, stop);
  return one;
}

/// Of those that are installed and can be read; opening another says why it cannot be.
std::map<std::string, ModelThumbnails::One> compute(const BufferPool& memory, const std::stop_token& stop) {
  Engine engine(1, memory);
  std::map<std::string, ModelThumbnails::One> all;
  for (const BuiltInModel& model : built_in_models()) {
    try {
      const auto source = engine.open_model(model.name);
      const auto trace = engine.run(example_of(model.name, *source), {}, stop);
      if (trace) all.emplace(model.name, informative_map(trace, stop));
    } catch (const Stopped&) {
      break;
    } catch (const Error&) {
      continue;
    }
  }
  return all;
}

}  // namespace

ModelThumbnails::ModelThumbnails(std::function<void()> wake, BufferPool memory) {
  job_.start([memory = std::move(memory)](const std::stop_token& stop) { return compute(memory, stop); },
             std::move(wake));
}

const ModelThumbnails::One* ModelThumbnails::find(const std::string& model) {
  if (job_.started() && job_.done()) known_ = job_.take();
  const auto found = known_.find(model);
  return found == known_.end() ? nullptr : &found->second;
}

}  // namespace headscope
