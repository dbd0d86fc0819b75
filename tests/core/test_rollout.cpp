#include "core/scene/thumbnails.h"
#include "core/source/maps/rollout.h"
#include "tests/support/reference_runs.h"

namespace headscope::tests {
namespace {

class RolloutOfRuns : public ReferenceRuns {};

TEST_F(RolloutOfRuns, is_that_of_the_reference) {
  for (const std::string name : {"gpt2", "bert", "llama2", "induction", "seeded"}) {
    const auto trace = case_of(name);
    const auto block = block_of(trace, BlockKind::self);
    expect_numbers(*with_rollout(trace, block, {Rollout::weights, true}), name + ".rollout");
    expect_numbers(*with_rollout(trace, block, {Rollout::weights, false}), name + ".rollout_alone");
    expect_numbers(*with_rollout(trace, block, {Rollout::norms, true}), name + ".rollout_norms");
  }
}

TEST_F(RolloutOfRuns, has_rows_that_sum_to_one_and_what_no_layer_sees_is_masked) {
  const auto causal = case_of("gpt2");
  const auto rollout = with_rollout(causal, block_of(causal, BlockKind::self), {Rollout::weights, true});
  ASSERT_EQ(rollout->heads(), 1);
  // Its small maps are beside those of the heads that it mixes.
  const auto small = make_thumbnails(rollout, {}, {}, 512);
  const auto heads = make_thumbnails(rollout->rolled, {}, {}, 512);
  const Tensor &both = small->layers[1].weights, &alone = heads->layers[1].weights;
  const int count = rollout->rolled->heads();
  ASSERT_EQ(both.dim(0), count + 1);
  EXPECT_EQ(small->layers[1].ranges.size(), static_cast<std::size_t>(count + 1));
  EXPECT_TRUE(std::equal(alone.data(), alone.data() + alone.size(), both.data()));
  EXPECT_EQ(both.at(count)[0], rollout->maps->weight(1, 0, 0, 0));
  EXPECT_EQ(small->layers[1].state(count)[1], cell_masked);
  EXPECT_TRUE(rollout->weightless(0, 0, 0, 1));
  EXPECT_FALSE(rollout->weightless(0, 0, 1, 0));
  const Tensor row = rollout->maps->row(1, 0, 5);
  EXPECT_NEAR(std::accumulate(row.data(), row.data() + row.size(), 0.0), 1, 1e-6);
  // The last layer can be read first.
  EXPECT_EQ(rollout->maps->weight(0, 0, 0, 0), 1);
  const auto both_ways = case_of("bert");
  EXPECT_FALSE(
      with_rollout(both_ways, block_of(both_ways, BlockKind::self), {Rollout::weights, true})->mask.any());
}

TEST_F(RolloutOfRuns, is_of_self_attention) {
  const auto trace = trace_of(model_case("t5"));
  for (const BlockTrace& block : trace->blocks) {
    const bool has = block.shape.kind != BlockKind::cross;
    EXPECT_EQ(missing_for_rollout(*trace, block, Rollout::weights) == nullptr, has);
    const auto same = block_of(trace, block.shape.kind);
    EXPECT_EQ(with_rollout(trace, same, {Rollout::weights, true}) == same, !has);
  }
  const auto off = block_of(trace, BlockKind::encoder);
  EXPECT_EQ(with_rollout(trace, off, {}), off);
}

}  // namespace
}  // namespace headscope::tests
