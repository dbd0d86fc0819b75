#include "tests/cli/cli_fixture.h"
#include "tests/support/model_folder.h"
#include "tests/support/read_arrays.h"

namespace headscope::tests {
namespace {

class CellsOnTheLine : public CliTest {
 protected:
  const Arguments model{"--model", std::string(SOURCE_DIR) + "/assets/models/induction", "--sentence",
                        "one red fox ran over my old bridge one red fox ran over my"};
};

TEST_F(CellsOnTheLine, name_the_array_and_the_column) {
  expect_done(Arguments{"tensors", "-o", "n.npz", "--cells", "norm"} + model);
  const Arrays arrays = read_arrays("n.npz");
  EXPECT_EQ(arrays.at("norm").shape, arrays.at("attention").shape);
  EXPECT_NE(arrays.at("norm").values, arrays.at("attention").values);
  expect_done(Arguments{"tensors", "-o", "s.npz", "--cells", "norm-share", "--arrays", "norm_share",
                        "--queries", "3:5", "--layer", "1"} +
              model);
  const NamedArray share = read_arrays("s.npz").at("norm_share");
  EXPECT_EQ(share.shape, (std::vector<Index>{1, 4, 2, 15}));
  float sum = 0;
  for (std::size_t key = 0; key < 15; ++key) sum += share.values[key];
  EXPECT_NEAR(sum, 1, 1e-5F);
  expect_done(Arguments{"tensors", "-o", "l.csv", "--cells", "logit", "--token", "old", "--against", "big"} +
              model);
  const std::string table = read_file("l.csv");
  EXPECT_TRUE(table.starts_with("layer,head,query,key,logit,"));
  EXPECT_THAT(table, HasSubstr(",-0."));
  expect_done(Arguments{"tensors", "-o", "w.csv"} + model);
  EXPECT_TRUE(read_file("w.csv").starts_with("layer,head,query,key,weight,"));
}

TEST_F(CellsOnTheLine, are_drawn_with_their_name) {
  expect_done(Arguments{"export", "-o", "n.svg", "--cells", "norm", "--layer", "1"} + model);
  expect_done(Arguments{"export", "-o", "w.svg", "--layer", "1"} + model);
  EXPECT_NE(read_file("n.svg"), read_file("w.svg"));
  const Arguments logit{"export", "-o", "v.svg", "--cells", "logit", "--token", "old", "--view"};
  for (const char* view : {"grid", "head", "layers", "lines"}) expect_done(logit + Arguments{view} + model);
  expect_done(logit + Arguments{"compare", "--heads-off", "0.1"} + model);
  expect_done(Arguments{"export", "-o", "r.svg", "--rollout", "norms", "--view", "layers"} + model);
}

TEST_F(CellsOnTheLine, of_rollout_are_one_map_for_each_layer) {
  expect_done(Arguments{"tensors", "-o", "r.npz", "--arrays", "rollout"} + model);
  EXPECT_EQ(read_arrays("r.npz").at("rollout").shape, (std::vector<Index>{2, 15, 15}));
  expect_done(Arguments{"tensors", "-o", "r.npz", "--arrays", "rollout", "--rollout", "norms",
                        "--no-residual-in-rollout", "--layer", "0"} +
              model);
  EXPECT_EQ(read_arrays("r.npz").at("rollout").shape, (std::vector<Index>{1, 15, 15}));
}

TEST_F(CellsOnTheLine, that_cannot_be_shown_are_refused) {
  const Arguments to{"tensors", "-o", "n.npz"};
  expect_refused(to + Arguments{"--cells", "vector"}, "--cells is \"vector\"; expected");
  expect_refused(to + Arguments{"--cells", "logit"}, "--cells logit: It needs a trained model");
  expect_refused(to + model + Arguments{"--cells", "logit", "--token", "zebra"}, "--token is \"zebra\"");
  expect_refused(to + model + Arguments{"--cells", "logit", "--against", "old bridge"}, "--against is");
  expect_refused(to + model + Arguments{"--cells", "norm", "--arrays", "logit"}, "there is no array logit");
  fs::copy_file(std::string(TEST_DATA_DIR) + "/fuzz/capture/off.npz", "off.npz");
  expect_refused({"export", "-o", "n.svg", "--cells", "norm", "off.npz"}, "--cells norm: It needs v and w_o");
  expect_refused({"export", "-o", "n.svg", "--cells", "score", "off.npz"}, "This capture has no scores");
  expect_refused({"export", "-o", "n.svg", "--rollout", "weights", "--key-sentence", "a b c"},
                 "here queries and keys differ");
  expect_refused({"tensors", "-o", "n.npz", "--arrays", "rollout", "--key-sentence", "a b c"}, "rollout: It");
}

}  // namespace
}  // namespace headscope::tests
