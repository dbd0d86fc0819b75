#include "core/model/seeded/token_vectors.h"
#include "core/source/engine/engine.h"
#include "core/source/seeded/pytorch_mask.h"
#include "core/source/seeded/pytorch_text.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/traces.h"

namespace headscope::tests {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// tests/data/make_reference_pytorch.py ran these very lines with PyTorch.
TEST(Pytorch, prints_lines_that_pytorch_computed_the_same_numbers_with) {
  const std::string folder = fmt::format("{}/pytorch/", TEST_DATA_DIR);
  const Arrays expected = load("pytorch.npz");
  auto cases = nlohmann::json::parse(text_of_file(folder + "cases.json"));
  for (auto [name, fields] : cases.items()) {
    SCOPED_TRACE(name);
    fields["version"] = 1;
    const auto trace = Engine(1).run(session_from_json(fields.dump(), name).inputs);
    const BlockTrace& block = trace->blocks.front();
    EXPECT_EQ(pytorch_text(*trace, Translator()), text_of_file(folder + name + ".py"));
    RunOptions quick;
    quick.no_layers = true;
    const auto started = Engine(1).run(trace->inputs, quick);
    EXPECT_TRUE(started->blocks.front().layers.empty());
    EXPECT_EQ(pytorch_text(*started, Translator()), text_of_file(folder + name + ".py"));
    const auto& weights_there = expected.at(name + ".weights");
    ASSERT_EQ(weights_there.shape[0], block.layer_count());
    for (int layer = 0; layer < block.layer_count(); ++layer)
      EXPECT_LE(largest_difference(weights(*trace, layer), weights_there, static_cast<std::size_t>(layer)),
                3e-6);
    EXPECT_LE(largest_difference(block.layers.back().output, expected.at(name + ".output")), 1e-5);
  }
}

std::string lines_of(const std::vector<std::string>& mask, Index n = 4) {
  return pytorch_mask(build_mask(mask_parts(mask), numbered_tokens(n), numbered_tokens(n), 2), 2);
}

TEST(Pytorch, writes_a_mask_as_what_it_is_however_it_came_about) {
  constexpr const char* causal = "blocked = torch.ones(n_q, n_k, dtype=torch.bool).triu(1)\n";
  EXPECT_EQ(lines_of({}), "");
  EXPECT_EQ(lines_of({"causal"}), causal);
  EXPECT_EQ(lines_of({"painted:0:1-3,1:2-3,2:3"}), causal);
  EXPECT_EQ(lines_of({"causal", "padding:1"}), std::string(causal) + "blocked[:, [1]] = True\n");
  EXPECT_EQ(lines_of({"padding:0,3"}),
            "blocked = torch.zeros(n_q, n_k, dtype=torch.bool)\nblocked[:, [0, 3]] = True\n");
  EXPECT_EQ(lines_of({"window:1"}), "blocked = (torch.arange(n_q)[:, None] - torch.arange(n_k)).abs() > 1\n");
  EXPECT_EQ(lines_of({"painted:1:2"}),
            "blocked = torch.tensor([[c == \"1\" for c in row] for row in "
            "\"\"\"\n0000\n0010\n0000\n0000\n\"\"\".split()])\n");
  EXPECT_EQ(lines_of({"painted:head=1,1:2"}),
            "blocked = torch.tensor([[[c == \"1\" for c in row] for row in head.split()] for head in (\n"
            "    \"0000 0000 0000 0000\",\n    \"0000 0010 0000 0000\",\n)])\n");
}

TEST(Pytorch, refuses_in_a_line_what_would_take_many) {
  const auto reported = [](const std::string& fields, Index n = 10) {
    const auto trace = Engine(1).run(sized(n, 512, 8, fields));
    return complaint([&] { pytorch_text(*trace, Translator()); });
  };
  Inputs typed = sized(129, 8, 2, R"("inputs": "typed")");
  fit_typed_x(typed, 129, 129);
  EXPECT_EQ(
      complaint([&] { pytorch_text(*Engine(1).run(typed), Translator()); }),
      "the token vectors are typed and have 1032 numbers; expected at most 1024 to write out: use a smaller "
      "d_model, fewer tokens, randn or embedding");
  EXPECT_EQ(
      reported(R"("mask": "random:2,seed=7")", 65),
      "the mask is no plain pattern and has 4225 cells; expected at most 4096 to write out: use fewer tokens "
      "or heads, or another mask");
  EXPECT_EQ(reported("", 0), "the sentence has no tokens; expected at least one");
  EXPECT_EQ(reported(R"("mask": "causal")", 300), "no complaint");
}

}  // namespace headscope::tests
