#include <atomic>
#include <fstream>
#include <functional>
#include <tuple>

#include "core/base/stopped.h"
#include "core/figure/figure.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/write/write_arrays.h"
#include "core/system/machine_memory.h"
#include "core/system/sanitizers.h"
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

// Bytes are claims about this process, which the system can be asked about: it forgets the peak on request.
class WorkForecastBytes : public testing::Test {
 protected:
  void SetUp() override {
#if defined(HEADSCOPE_SANITIZED)
    GTEST_SKIP() << "a sanitizer's memory is not the program's";
#endif
    share_free_memory();
    if (!forget_peak()) GTEST_SKIP() << "this system does not forget the peak of a process's memory";
  }
  static bool forget_peak() {
    std::ofstream file("/proc/self/clear_refs");
    return static_cast<bool>(file << "5" << std::flush);
  }
  /// What `work` needs beside what is there already.
  static double peak_of(const std::function<void()>& work) {
    release_free_memory();
    forget_peak();
    const auto before = static_cast<double>(max_resident_memory());
    work();
    return static_cast<double>(max_resident_memory()) - before;
  }
  static void expect_within_two(double forecast, double found) {
    EXPECT_GT(found, 50e6) << "too small to be distinguished from noise";
    EXPECT_LT(forecast / found, 2);
    EXPECT_GT(forecast / found, 0.5);
  }
  static Forecast run_and_forecast(const Inputs& inputs, double& found) {
    Forecast forecast;
    RunOptions options;
    options.forecast = [&](const Forecast& each) { forecast = each; };
    std::shared_ptr<const Trace> trace;
    found = peak_of([&] { trace = Engine(1).run(inputs, options); });
    return forecast;
  }
};

TEST_F(WorkForecastBytes, of_runs_are_what_they_need_within_two) {
  for (const auto& [n, d_model, heads, layers] :
       {std::tuple{1000, 64, 16, 1}, {1500, 512, 8, 3}, {3000, 1024, 16, 1}, {300, 1024, 16, 4}}) {
    SCOPED_TRACE(testing::Message() << n << " tokens, d_model " << d_model);
    Inputs inputs = sized(n, d_model, heads);
    inputs.layers = layers;
    double found = 0;
    const Forecast forecast = run_and_forecast(inputs, found);
    expect_within_two(forecast.bytes, found);
  }
}

TEST_F(WorkForecastBytes, of_the_maps_of_a_capture_are_what_they_need_within_two) {
  constexpr int heads = 16;
  const TempFolder folder;
  write_arrays(folder.at("a.npz"), *Engine(1).run(sized(1000, 16, heads)), {}, "");
  Inputs inputs;
  inputs.capture = folder.at("a.npz");
  const auto trace = Engine(1).run(inputs);
  const BlockTrace& block = trace->blocks.front();
  std::vector<Tensor> maps;
  const double found = peak_of([&] { maps = block.maps->maps(0, all_heads(heads), {}); });
  expect_within_two(forecast_of_maps(block, heads).bytes, found);
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
