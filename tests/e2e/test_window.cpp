#include "tests/e2e/fixture.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {

constexpr const char* notebook = "The animal didn't cross the street because it was tired";

TEST(NoDisplay, one_line_points_to_the_figure_and_the_status_is_one) {
  const Finished run =
      run_process({HEADSCOPE_BINARY}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"LC_ALL", "C.UTF-8"}});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(std::ranges::count(run.output, '\n'), 1) << run.output;
  EXPECT_THAT(run.output, HasSubstr("headscope export"));
}

TEST_F(WindowTest, opens_on_the_notebook_and_shows_what_is_typed) {
  desktop->start();
  ASSERT_TRUE(shows_field("sentence", notebook));
  for (int head = 1; head <= 8; ++head) EXPECT_TRUE(shows_mark("map " + std::to_string(head)));

  const std::string typed = "The quick brown fox jumps over the lazy dog, twice.";
  retype(typed);
  EXPECT_TRUE(shows_field("sentence", typed)) << shown()["session"];

  desktop->key("ctrl+a");
  desktop->paste("猫坐在垫子上");
  EXPECT_TRUE(shows_field("sentence", "猫坐在垫子上")) << shown()["session"];
  EXPECT_TRUE(shows([](const json& now) { return now["error"].get<std::string>().empty(); }));
  EXPECT_EQ(desktop->close(), 0) << desktop->log();
  EXPECT_EQ(desktop->log(), "");
}

TEST_F(WindowTest, opens_the_folder_of_a_model) {
  const fs::path folder = desktop->home() / "t5";
  write_whole_model(folder, model_case("t5"));
  desktop->start({folder.string(), "--sentence", "w3 w17 w5"});
  EXPECT_TRUE(shows([&](const json& now) {
    return now["session"]["model"] == folder.string() && now["marks"].contains("map 4") &&
           now["marks"].contains("blocks") && now["error"] == "";
  })) << shown();
  click("blocks");
  click("blocks 2");
  EXPECT_TRUE(shows([](const json& now) { return now["session"]["view"]["block"] == "cross"; }));
  click("notebook");
  EXPECT_TRUE(shows([](const json& now) {
    return now["session"]["model"] == "" && now["marks"].contains("map 8");
  })) << shown();
  EXPECT_EQ(desktop->close(), 0) << desktop->log();
  EXPECT_EQ(desktop->log(), "");
}

TEST_F(WindowTest, translates_while_a_sentence_is_typed_and_with_ablated_heads) {
  desktop->start({"--model", "translator", "--view", "model"});
  const auto writes = [&](const char* field, const char* text) {
    return shows([&](const json& now) { return now[field] == text && now["error"] == ""; });
  };
  ASSERT_TRUE(writes("translation", "动物没有穿过街道，因为它很累")) << shown();
  EXPECT_TRUE(shows_mark("map cross 1"));
  EXPECT_TRUE(shows_mark("written 8"));
  retype("The cat sat on the mat");
  EXPECT_TRUE(writes("translation", "猫坐在垫子上")) << shown();
  click("title encoder 0");
  EXPECT_TRUE(shows([](const json& now) { return now["session"]["view"]["kind"] == "grid"; })) << shown();
  desktop->key("ctrl+shift+p");
  desktop->type("Switch all heads of this layer off");
  desktop->key("Return");
  EXPECT_TRUE(shows([](const json& now) {
    return now["translation"] == "猫坐在垫子上" && now["translation_b"].is_string();
  })) << shown();
  EXPECT_TRUE(shows_mark("heads off"));
  EXPECT_EQ(desktop->close(), 0) << desktop->log();
  EXPECT_EQ(desktop->log(), "");
}

TEST_F(WindowTest, shows_the_texts_and_the_pictures_of_a_capture) {
  for (const char* name : {"pictures.safetensors", "picture.png"})
    fs::copy_file(fmt::format("{}/fuzz/capture/{}", TEST_DATA_DIR, name), desktop->home() / name);
  desktop->start({(desktop->home() / "pictures.safetensors").string()});
  ASSERT_TRUE(shows([](const json& now) {
    return now["marks"].contains("map 2") && now["marks"].contains("patches") && now["error"] == "";
  })) << shown();
  // The last patch of two rows of three, after the token of the whole image.
  click("patches", 5 / 6.0, 3 / 4.0);
  EXPECT_TRUE(shows([](const json& now) { return now["lock"].is_array() && now["lock"][2] == 6; }))
      << shown();
  click("sequence");
  click("sequence 1");
  EXPECT_TRUE(shows([](const json& now) { return now["session"]["sequence"] == 1 && now["error"] == ""; }))
      << shown();
  EXPECT_EQ(desktop->close(), 0) << desktop->log();
  EXPECT_EQ(desktop->log(), "");
}

TEST_F(WindowTest, hover_and_lock_name_the_cell_under_the_pointer) {
  desktop->start();
  ASSERT_TRUE(shows_mark("map 8"));
  const auto [x, y] = cell(2, 3, 7, 10, 10);
  desktop->move(x, y);
  EXPECT_TRUE(shows([](const json& now) { return now["hover"] == json{2, 3, 7}; })) << shown()["hover"];

  desktop->click(x, y);
  EXPECT_TRUE(shows([](const json& now) { return now["lock"] == json{2, 3, 7}; })) << shown()["lock"];
  const auto [other_x, other_y] = cell(5, 9, 0, 10, 10);
  desktop->move(other_x, other_y);
  EXPECT_TRUE(shows([](const json& now) {
    return now["hover"] == json{5, 9, 0} && now["lock"] == json{2, 3, 7};
  }));
  desktop->key("Escape");
  EXPECT_TRUE(shows([](const json& now) { return now["lock"].is_null(); }));
}

TEST_F(WindowTest, changed_heads_are_shown_and_kept) {
  desktop->start();
  ASSERT_TRUE(shows_mark("heads fewer"));
  click("heads fewer");
  EXPECT_TRUE(shows([](const json& now) {
    return now["session"]["heads"] == 4 && now["marks"].contains("map 4") && !now["marks"].contains("map 5");
  })) << shown();
  retype("to be or not to be");
  ASSERT_TRUE(shows_field("sentence", "to be or not to be"));
  ASSERT_EQ(desktop->close(), 0) << desktop->log();

  start_again();
  EXPECT_TRUE(shows([](const json& now) {
    return now["session"]["heads"] == 4 && now["session"]["sentence"] == "to be or not to be";
  })) << shown();
}

TEST_F(WindowTest, exports_what_is_shown_by_keys) {
  desktop->start();
  ASSERT_TRUE(shows_mark("map 1"));
  desktop->key("ctrl+e");
  click("export path");
  desktop->key("ctrl+a");
  const fs::path figure = desktop->home() / "figure.svg";
  desktop->type(figure.string());
  click("export start");
  ASSERT_TRUE(eventually([&] { return fs::exists(figure); }));
  const Finished info = run_process({HEADSCOPE_BINARY, "info", figure.string()}, desktop->environment());
  EXPECT_EQ(info.status, 0) << info.output;
  EXPECT_THAT(read_file(figure.string()), AllOf(HasSubstr("Head 8"), HasSubstr("animal")));
}

TEST_F(WindowTest, draws_maps_in_colour) {
  desktop->start();
  const Rect map = mark("map 1");
  // Each of the hundred cells has its own weight; viridis spreads them over many colours.
  ASSERT_TRUE(eventually([&] {
    const Picture picture = desktop->picture();
    std::set<std::array<std::uint8_t, 3>> colours;
    for (int i = 0; i < 100; ++i) {
      const auto [x, y] = cell(0, i / 10, i % 10, 10, 10);
      // Off the centre, where a number may be.
      const auto at = static_cast<std::size_t>(y - static_cast<int>((map.bottom - map.top) / 28)) *
                          static_cast<std::size_t>(picture.width) +
                      static_cast<std::size_t>(x - static_cast<int>((map.right - map.left) / 28));
      if (at < picture.pixels.size()) colours.insert(picture.pixels[at]);
    }
    return colours.size() > 40;
  }));
}

TEST_F(WindowTest, stays_and_is_drawn_while_its_size_jumps) {
  desktop = std::make_unique<Desktop>("3600x2400");
  desktop->start();
  ASSERT_TRUE(shows_mark("map 8"));
  desktop->resize({600, 400}, {3000, 2200}, 30);
  desktop->resize({600, 400}, {1200, 800}, 1);
  EXPECT_TRUE(eventually([&] {
    const Picture picture = desktop->picture();
    const auto black = std::ranges::count(picture.pixels, std::array<std::uint8_t, 3>{});
    return picture.width == 1200 && picture.height == 800 && black < std::ssize(picture.pixels) / 50;
  }));
  EXPECT_EQ(desktop->close(), 0);
}

TEST_F(WindowTest, uses_no_processor_at_rest) {
  desktop->start();
  ASSERT_TRUE(shows_mark("map 8"));
  const auto [x, y] = point("map 1");
  desktop->move(x, y);
  // A tooltip and the last frames after the pointer's move are drawn first.
  EXPECT_TRUE(eventually([&] {
    const double before = desktop->program().cpu_seconds();
    std::this_thread::sleep_for(std::chrono::seconds(2));
    return desktop->program().cpu_seconds() - before <=
           0.021;  // two ticks of the kernel's clock, 1 % of a core
  }));
}

TEST_F(WindowTest, damaged_files_are_set_aside_with_a_notice) {
  for (const char* folder : {"config/headscope", "state/headscope"})
    fs::create_directories(desktop->home() / folder);
  std::ofstream(desktop->home() / "config/headscope/settings.json") << "{\"theme\": ";
  std::ofstream(desktop->home() / "state/headscope/session.json") << "{\"version\": 1, \"heads\": \"eight\"}";
  desktop->start();
  EXPECT_TRUE(shows_field("heads", 8));
  int damaged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(desktop->home()))
    damaged += entry.path().filename().string().find("damaged") != std::string::npos;
  EXPECT_EQ(damaged, 2);
}

}  // namespace headscope::tests
