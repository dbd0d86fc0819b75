#include <filesystem>

#include "core/analysis/streamed_softmax.h"
#include "core/figure/figure.h"
#include "core/figure/streaming_board.h"
#include "core/scene/scene.h"
#include "core/teach/check.h"
#include "tests/support/testing.h"

namespace headscope::tests {

// The lessons that are shipped: what they say is held by their claims, which are evaluated here.

std::vector<std::string> shipped_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(SOURCE_DIR "/assets/lessons"))
    files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

TEST(Lessons, are_eleven) {
  std::vector<std::string> names;
  for (const std::string& file : shipped_files()) names.push_back(std::filesystem::path(file).stem());
  EXPECT_THAT(names, ElementsAre("by-hand", "cost", "cross-attention", "encoder-decoder", "long-sentences", "long-texts",
                                 "masks", "shapes", "temperature", "what-heads-learn", "why-many-heads"));
}

class ShippedLesson : public testing::TestWithParam<std::string> {
 protected:
  Lesson lesson_ = load_lesson(GetParam());
  Engine engine_{1};
};

INSTANTIATE_TEST_SUITE_P(all, ShippedLesson, testing::ValuesIn(shipped_files()), [](const auto& lesson) {
  std::string name = std::filesystem::path(lesson.param).stem();
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(ShippedLesson, says_what_the_engine_computes) {
  for (const LessonMistake& mistake : check_lesson(lesson_, engine_))
    ADD_FAILURE() << in_file(mistake, GetParam()).what();
}

TEST_P(ShippedLesson, has_six_to_ten_steps_in_both_languages) {
  EXPECT_GE(lesson_.steps.size(), 6U);
  EXPECT_LE(lesson_.steps.size(), 10U);
  const auto both = [](const auto& text) { return !text.en.empty() && !text.zh.empty(); };
  EXPECT_TRUE(both(lesson_.title) && lesson_.title.en != lesson_.title.zh);
  EXPECT_TRUE(both(lesson_.text));
  int questions = 0;
  for (const LessonStep& step : lesson_.steps) {
    SCOPED_TRACE(step.title.en);
    EXPECT_TRUE(both(step.title) && step.title.en != step.title.zh);
    EXPECT_TRUE(both(step.text));
    EXPECT_FALSE(step.claims.empty());
    if (!step.question) continue;
    ++questions;
    EXPECT_TRUE(both(step.question->text) && both(step.question->answer));
    EXPECT_TRUE(step.question->check && step.question->solution);
  }
  EXPECT_GE(questions, 1);
}

TEST(Lessons, stream_a_row_in_blocks_that_save_memory) {
  const Lesson lesson = load_lesson(SOURCE_DIR "/assets/lessons/long-sentences.md");
  const LessonStep& step = lesson.steps.at(8);
  const auto trace = Engine(1).run(step.session.inputs);
  const Index keys = trace->blocks.front().n_k(), block = sensible_block(keys);
  EXPECT_EQ(block, 2) << "as its text says";
  EXPECT_EQ(step.session.view.stage, streaming_stage(streamed_blocks(trace->blocks.front())));
  EXPECT_LT(block + 2, keys) << "with m and l";
}

TEST_P(ShippedLesson, asks_what_is_not_answered_yet) {
  for (const LessonStep& step : lesson_.steps) {
    if (!step.question) continue;
    const auto trace = engine_.run(step.session.inputs);
    const auto other = step.session.compare ? engine_.run(*step.session.compare) : nullptr;
    const LessonNumbers numbers = lesson_numbers(trace, other, step.session.view, step.cell);
    EXPECT_FALSE(step.question->check->expression.holds(numbers)) << step.title.en;
  }
}

TEST_P(ShippedLesson, has_a_figure_for_every_step) {
  for (const LessonStep& step : lesson_.steps) {
    SCOPED_TRACE(step.title.en);
    const auto trace = engine_.run(step.session.inputs);
    const auto other = step.session.compare ? engine_.run(*step.session.compare) : nullptr;
    const View& view = step.session.view;
    const auto block = block_of(trace, view.block);
    Scene scene = make_scene(block, other ? block_of(other, view.block) : nullptr, view, {},
                             head_order(*block, view, {}),
                             step.cell ? std::optional(Locked{*step.cell}) : std::nullopt);
    scene.trace = trace;
    FigureOptions options;
    options.dpi = 30;
    const FigurePicture picture = figure_picture(scene, options);
    const auto same = [&](std::size_t at) {
      return std::equal(picture.rgba.begin(), picture.rgba.begin() + 4,
                        picture.rgba.begin() + static_cast<std::ptrdiff_t>(at));
    };
    std::size_t drawn = 0;
    for (std::size_t at = 0; at < picture.rgba.size(); at += 4) drawn += same(at) ? 0 : 1;
    EXPECT_GT(drawn, picture.rgba.size() / 4 / 100);
  }
}

}  // namespace headscope::tests
