// The commands, on a model trained to repeat (assets/training/train_induction.py).
#include "tests/cli/cli_fixture.h"

namespace headscope::tests {

using Json = nlohmann::json;

namespace {

class TrainedOnTheLine : public CliTest {
 protected:
  static Arguments reading(const char* sentence) {
    return {"--model", std::string(SOURCE_DIR) + "/assets/models/induction", "--sentence", sentence};
  }
};

TEST_F(TrainedOnTheLine, it_repeats_until_its_heads_are_off) {
  const Arguments model = reading("one red fox ran over my old bridge one red fox ran over my");
  const auto next = [&](const Arguments& more) {
    const Json last = json_of(Arguments{"predict", "--json"} + more + model)["positions"].back();
    return std::pair(last["expected"][0]["token"].get<std::string>(),
                     last["expected"][0]["probability"].get<double>());
  };
  EXPECT_EQ(next({}).first, "old");
  EXPECT_GT(next({}).second, 0.9);
  for (const char* by : {"zero", "mean"}) {
    for (const char* needed : {"0.1", "1.2", "0.1,1.2"})
      EXPECT_LT(next({"--heads-off", needed, "--heads-off-by", by}).second, 0.5) << needed;
    EXPECT_EQ(next({"--heads-off", "0.0,1.3", "--heads-off-by", by}).first, "old");
  }
  EXPECT_EQ(run(Arguments{"generate", "--max-tokens", "4"} + model).out, " old bridge one red\n");
  EXPECT_EQ(run(Arguments{"generate", "--max-tokens", "3"} + reading("猫坐在垫子猫坐")).out, " 在 垫 子\n");
  EXPECT_NE(run(Arguments{"generate", "--max-tokens", "2", "--heads-off", "1.2"} + model).out,
            " old bridge\n");
}

TEST_F(TrainedOnTheLine, the_table_and_the_shares_name_its_heads) {
  const Arguments model = reading("one red fox ran over my old bridge one red");
  expect_done(Arguments{"heads", "-o", "h.json"} + model);
  const Json table = Json::parse(read_file("h.json"))["heads"];
  const auto maximum = [&](const char* column) {
    return *std::ranges::max_element(table, {}, [&](const Json& head) { return head[column].get<double>(); });
  };
  EXPECT_EQ(std::pair(maximum("previous")["layer"], maximum("previous")["head"]),
            std::pair(Json(0), Json(1)));
  EXPECT_EQ(std::pair(maximum("induction")["layer"], maximum("induction")["head"]),
            std::pair(Json(1), Json(2)));
  expect_done(Arguments{"heads", "-o", "c.json", "--query", "10", "--key", "3"} + model);  // red … fox
  const Json first = Json::parse(read_file("c.json"))["heads"][0];
  EXPECT_EQ(std::pair(first["layer"], first["head"]), std::pair(Json(1), Json(2)));
  EXPECT_GT(first["weight"].get<double>(), 0.5);
  const Json said = json_of(Arguments{"predict", "--json", "--contributions", "fox"} + model);
  const Json& layers = said["contributions"]["layers"];
  for (std::size_t layer = 0; layer < 2; ++layer)
    for (const Json& share : layers[layer]["self"]["heads"])
      EXPECT_LE(share, layers[1]["self"]["heads"][2]) << layer;
  const Json reported =
      json_of(Arguments{"predict", "--json", "--lens"} + model)["positions"].back()["layers"];
  EXPECT_EQ(reported[1][0]["token"], "fox");
  EXPECT_TRUE(reported[0][0]["token"] != "fox" || reported[0][0]["probability"] < 0.5) << reported[0];
}

}  // namespace
}  // namespace headscope::tests
