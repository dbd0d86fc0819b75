#include "core/analysis/attention_cost.h"
#include "core/inputs/cost.h"
#include "core/model/config/family.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"
#include "tests/support/inputs.h"
#include "tests/support/picture_models.h"
#include "tests/support/testing.h"
#include "tests/support/traces.h"

namespace headscope::tests {

TEST(AttentionCost, is_the_sum_of_what_the_layers_have_and_do) {
  for (const char* fields :
       {"", R"("kv_heads": 2)", R"("kv_heads": 1, "layers": 3)", R"("key_sentence": "one two")"}) {
    SCOPED_TRACE(fields);
    const Inputs inputs = sized(5, 32, 4, fields);
    const auto trace = Engine(1).run(inputs);
    const BlockTrace& block = trace->blocks.front();
    const AttentionCost cost = attention_cost(attention_size(block, 0));
    double parameters = cost.parameters();
    // One layer's LayerNorm has a scale and a shift.
    if (inputs.layers > 1) parameters += 2 * 32;
    EXPECT_EQ(parameters * inputs.layers, static_cast<double>(parameter_count(inputs)));
    EXPECT_EQ(cost.multiplications() * inputs.layers,
              static_cast<double>(multiply_count(inputs, block.n_q(), block.n_k())));
    EXPECT_EQ(cost.maps, 4.0 * 4 * static_cast<double>(block.n_q() * block.n_k()));
    const LayerTrace& layer = block.layers.front();
    EXPECT_EQ(cost.keys_values, 4.0 * static_cast<double>(layer.k.size() + layer.v.size()));
  }
}

TEST(AttentionCost, of_many_heads_is_that_of_one_as_wide) {
  const AttentionCost one = attention_cost(attention_size(512, 1, 1, 10, 10));
  for (const int heads : {2, 8, 64}) {
    const AttentionCost many = attention_cost(attention_size(512, heads, heads, 10, 10));
    EXPECT_EQ(many.parameters(), one.parameters());
    EXPECT_EQ(many.multiplications(), one.multiplications());
    EXPECT_EQ(many.maps, heads * one.maps);
    const AttentionCost query = attention_cost(attention_size(512, heads, 1, 10, 10));
    EXPECT_EQ(query.w_k * heads, one.w_k);
    EXPECT_EQ(query.keys_values * heads, one.keys_values);
    EXPECT_EQ(query.attention(), one.attention());
  }
  EXPECT_EQ(one.weights(), 4 * 512 * 512);
  EXPECT_EQ(one.biases, 4 * 512);
}

TEST(AttentionCost, of_a_window_counts_the_cells_of_its_mask) {
  for (const Index w : {0, 1, 3, 20}) {
    const Mask mask =
        build_mask(mask_parts({fmt::format("window:{}", w)}), numbered_tokens(9), numbered_tokens(7), 1);
    EXPECT_EQ(window_cells(9, 7, w), static_cast<double>(9 * 7 - mask.blocked_cells(1))) << w;
  }
}

/// Numbers of the tensors of a layer's attention: of the module that has both its first and its last matrix,
/// without the norms of the layer, which some have there.
double numbers_of_module(const Json& entry, const AttentionNames& names, Index layer, Index of_group) {
  const std::string_view first = names.fused.empty() ? names.q : names.fused;
  const auto differ = std::ranges::mismatch(first, names.o);
  std::string module(first.begin(), differ.in1);
  module.resize(module.rfind('.') + 1);
  const auto of_layer = [&](std::string_view name) {
    std::string result(name);
    for (const auto& [mark, number] : {std::pair{'#', layer / of_group}, {'%', layer % of_group}})
      if (const std::size_t at = result.find(mark); at != std::string::npos)
        result.replace(at, 1, std::to_string(number));
    return result;
  };
  EXPECT_TRUE(module.find('#') + 2 < module.size()) << module << ": is the whole layer";
  double numbers = 0;
  for (const WrittenTensor& tensor : tensors_of(entry)) {
    const std::size_t at = tensor.name.find(of_layer(module));
    const bool of_text =
        !entry["config"].value("vision_config", Json()).is_null() && tensor.name.starts_with("text_model.");
    if (of_text || at == std::string::npos || (at > 0 && tensor.name[at - 1] != '.')) continue;
    const std::string_view name = std::string_view(tensor.name).substr(at);
    const auto is = [&](std::string_view other) {
      return !other.empty() && name.starts_with(of_layer(other));
    };
    if (is(names.norm) || is(names.output_norm) || is(names.output_scale)) continue;
    double size = 1;
    for (const Index axis : tensor.shape) size *= static_cast<double>(axis);
    numbers += size;
  }
  return numbers;
}

TEST(AttentionCost, of_a_trained_layer_is_that_of_its_class_and_of_the_run) {
  Json all = model_cases();
  for (const Json& others : {real_decoders(), picture_model_cases()})
    all.insert(all.end(), others.begin(), others.end());
  std::size_t layers = 0;
  ThreadPool threads(1);
  BufferPool memory;
  for (const Json& entry : all) {
    SCOPED_TRACE(entry["name"].get<std::string>());
    const TempFolder folder;
    write_whole_model(folder.path, entry);
    const auto source = ModelSource::open(folder.path.string(), {best_kernels(), threads, memory});
    const ModelConfig& config = source->model().config();
    const Family& family = family_of(config);
    constexpr int n = 7;
    double of_cells = 0, of_text = 0;  // grows with the square of the tokens; not at all
    for (const BlockShape& shape : source->shape()) {
      if (shape.kind == BlockKind::state || shape.kind == BlockKind::text) continue;
      BlockTrace block;
      block.shape = shape;
      const bool of_encoder = shape.kind == BlockKind::encoder || !config.has_decoder(),
                 upsampled = shape.kind == BlockKind::upsampled;
      const StackNames& stack = of_encoder && !upsampled ? family.encoder : family.decoder;
      const AttentionNames& names = shape.kind == BlockKind::cross ? stack.cross : stack.self;
      const LayerStack& size = of_encoder ? config.encoder : config.decoder;
      for (int layer = 0; layer < shape.layers; ++layer) {
        if (why_no_cost(shape, layer) != nullptr) continue;
        const Index number = source->model().in_stack(shape.kind, layer).layer;
        const Index stored = size.stored.empty() || upsampled ? layer : size.stored[number];
        const OtherWeights others = other_weights(source->model(), shape.kind, layer);
        AttentionSize of = attention_size(block, layer, others);
        of.cells = of.heads * n * n;
        const AttentionCost cost = attention_cost(of);
        EXPECT_EQ(cost.parameters(), numbers_of_module(entry, names, stored, config.layers_of_group))
            << "layer " << layer << " of block " << static_cast<int>(shape.kind);
        of_cells += cost.attention();
        if (others.position_vectors > 0) of_text += static_cast<double>(others.products_of_positions(n, n));
        ++layers;
      }
    }
    if (config.latent || config.funnel) continue;  // which has other rows in each block
    const std::int64_t more = source->multiplications(2 * n, 2 * n) - 2 * source->multiplications(n, n);
    EXPECT_EQ(static_cast<double>(more), 2 * of_cells - of_text);
  }
  EXPECT_GT(layers, 100U);
}

}  // namespace headscope::tests
