#include <atomic>

#include "core/base/stopped.h"
#include "core/figure/figure.h"
#include "core/session/session_figure.h"
#include "core/source/engine.h"
#include "core/source/maps/work_forecast.h"
#include "tests/support/inputs.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

Forecast forecast_of(const Inputs& inputs) {
  Forecast reported;
  int times = 0;
  RunOptions options;
  std::stop_source stop;
  options.forecast = [&](const Forecast& forecast) {
    reported = forecast;
    ++times;
    stop.request_stop();
  };
  // It is reported before anything is computed, so that it can still be stopped.
  EXPECT_EQ(Engine(1).run(inputs, options, stop.get_token()), nullptr);
  EXPECT_EQ(times, 1);
  return reported;
}

Scene scene_of_run(const Inputs& inputs) {
  const auto trace = Engine(1).run(inputs);
  Session session;
  session.inputs = inputs;
  return scene_of(session, trace, nullptr);
}

}  // namespace

TEST(WorkForecast, is_of_what_a_run_computes) {
  EXPECT_FALSE(forecast_of(sized(10, 512, 8)).is_long());
  Inputs large = sized(2000, 2048, 64);
  large.layers = 12;
  large.share_layers = true;
  const Forecast twelve = forecast_of(large);
  EXPECT_TRUE(twelve.is_long());
  // 2,000 tokens' x, Q, K, V, context and output of twelve layers.
  EXPECT_GT(twelve.bytes, 12 * 6 * 2000 * 2048 * 4.0);
  large.layers = 6;
  EXPECT_NEAR(forecast_of(large).seconds / twelve.seconds, 0.5, 0.1);
}

TEST(WorkForecast, leaves_out_what_the_mask_blocks) {
  Inputs inputs = sized(20000, 16, 2);
  const double all = forecast_of(inputs).seconds;
  inputs.mask = {parse_mask_part("longformer:256,global=0")};
  EXPECT_LT(forecast_of(inputs).seconds, all / 5);
}

TEST(WorkForecast, of_a_trained_model_is_of_its_own_layers) {
  Inputs inputs;
  inputs.model = "translator";
  inputs.sentence = "the cat";
  const double few = forecast_of(inputs).seconds;
  for (int i = 0; i < 30; ++i) inputs.sentence += " the cat";
  EXPECT_GT(few, 0);
  EXPECT_GT(forecast_of(inputs).seconds, 10 * few);
  EXPECT_GT(forecast_of(inputs).bytes, 0);
}

TEST(WorkForecast, of_a_figure_is_of_the_maps_that_it_draws) {
  Scene scene = scene_of_run(sized(20, 16, 4));
  const double grid = forecast_of_figure(scene).bytes;
  EXPECT_EQ(grid, 4 * 20 * 20 * sizeof(float));
  scene.view.kind = ViewKind::steps;
  EXPECT_EQ(forecast_of_figure(scene).bytes, 0);
  scene.view.kind = ViewKind::head_table;
  EXPECT_GT(forecast_of_figure(scene).seconds, 0);
}

TEST(WorkForecast, of_similarity_grows_with_the_pairs_of_heads) {
  const auto seconds = [](int heads) {
    return forecast_of_similarity(Engine(1).run(sized(100, 64, heads))->blocks.front()).seconds;
  };
  EXPECT_GT(seconds(64), 10 * seconds(8));
}

TEST(Stopped, is_thrown_by_a_figure_that_is_stopped_and_there_is_no_file) {
  const TempFolder folder;
  Scene scene = scene_of_run(sized(20, 16, 4));
  std::stop_source stop;
  scene.stop = stop.get_token();
  stop.request_stop();
  for (const ViewKind kind : {ViewKind::grid, ViewKind::head, ViewKind::lines, ViewKind::layers,
                              ViewKind::head_table, ViewKind::steps}) {
    scene.view.kind = kind;
    EXPECT_THROW(export_figure(folder.at("a.png"), scene, "", {}), Stopped) << static_cast<int>(kind);
  }
  EXPECT_TRUE(fs::is_empty(folder.path));
}

TEST(Stopped, ends_a_run_at_the_next_layer) {
  Inputs inputs = sized(40, 32, 4);
  inputs.layers = 12;
  std::stop_source stop;
  std::atomic<double> last = 0;
  RunOptions options;
  options.progress = [&](double share) {
    last = share;
    if (share > 2.0 / 12) stop.request_stop();
  };
  EXPECT_EQ(Engine(2).run(inputs, options, stop.get_token()), nullptr);
  EXPECT_LE(last, 4.0 / 12) << "no layer is begun that nobody waits for";
}

}  // namespace headscope::tests
