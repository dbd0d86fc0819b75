// Runs whose cells and rollouts tests/data/models/make_cells.py has computed by PyTorch in double precision.
#pragma once
#include <numeric>

#include "core/source/engine/engine.h"
#include "core/source/maps/cell_maps.h"
#include "core/source/model/model_source.h"
#include "tests/support/model_inputs.h"
#include "tests/support/reference.h"
#include "tests/support/traces.h"

namespace headscope::tests {

constexpr double cell_bound = 2e-5;  // of the largest number

inline const Arrays& reference_cells() {
  static const Arrays arrays = load("models/cells.npz");
  return arrays;
}

class ReferenceRuns : public InFolder {
 protected:
  std::shared_ptr<const Trace> trace_of(const Json& entry, const std::set<HeadPlace>& ablated = {}) {
    write_whole_model(folder.path, entry);
    Inputs inputs;
    inputs.model = folder.path.string();
    inputs.sentence = words_of(entry["ids"]);
    inputs.ablated_heads = ablated;
    if (reads_target(entry)) inputs.target = "w11 w12 w13";
    if (entry.contains("sound")) inputs.features = write_sound(folder.path / "sound.npy", entry);
    if (entry.contains("types")) {  // of a pair
      const auto second =
          static_cast<std::ptrdiff_t>(std::ranges::count(entry["types"].get<std::vector<int>>(), 0));
      const std::vector<int> ids = entry["ids"];
      inputs.sentence = words_of(Json(std::vector<int>(ids.begin(), ids.begin() + second)));
      inputs.key_sentence = words_of(Json(std::vector<int>(ids.begin() + second, ids.end())));
    }
    return engine.run(inputs);
  }
  std::shared_ptr<const Trace> case_of(const std::string& name) {
    Inputs inputs;
    if (name == "induction") {
      inputs.model = SOURCE_DIR "/assets/models/induction";
      inputs.sentence = "one red fox ran over my old bridge one red fox ran over my";
    } else if (name == "seeded") {
      inputs.d_model = 24;
      inputs.heads = 3;
      inputs.seed = 5;
      inputs.sentence = sentence_of(7);
    } else {
      return trace_of(model_case(name));
    }
    return engine.run(inputs);
  }

  /// The maps that a block draws, of all layers: [layers, heads, n_q, n_k].
  static std::vector<float> numbers_of(const BlockTrace& block) {
    std::vector<float> numbers;
    for (int layer = 0; layer < block.layer_count(); ++layer)
      for (int head = 0; head < block.heads(); ++head) {
        const Tensor map = block.shown_maps().maps(layer, std::span(&head, 1)).front();
        numbers.insert(numbers.end(), map.data(), map.data() + map.size());
      }
    return numbers;
  }
  static void expect_numbers(const BlockTrace& block, const std::string& name) {
    const std::vector<float> found = numbers_of(block);
    const std::vector<float>& expected = reference_cells().at(name).values;
    ASSERT_EQ(found.size(), expected.size()) << name;
    double scale = 0;
    for (const float value : expected) scale = std::max(scale, std::abs(static_cast<double>(value)));
    ASSERT_GT(scale, 0) << name;
    EXPECT_LE(largest_difference(found.data(), std::ssize(found), expected.data()), cell_bound * scale)
        << name;
  }
  static BlockKind first_kind(const Trace& trace) { return trace.blocks.front().shape.kind; }

  Engine engine{2};
};

}  // namespace headscope::tests
