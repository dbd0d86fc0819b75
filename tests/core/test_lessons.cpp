#include <filesystem>
#include <set>

#include "core/analysis/streamed_softmax.h"
#include "core/figure/boards/steps_page.h"
#include "core/figure/figure.h"
#include "core/io/file.h"
#include "core/scene/scene.h"
#include "core/teach/check.h"
#include "core/teach/library.h"
#include "core/teach/step_header.h"
#include "tests/support/stated_numbers.h"
#include "tests/support/testing.h"

namespace headscope::tests {

// The shipped lessons: their statements are backed by claims, which are evaluated here; and no number is
// stated without a claim.

std::vector<std::string> shipped_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(SOURCE_DIR "/assets/lessons"))
    if (entry.path().extension() == ".md") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

TEST(Lessons, are_in_the_menu_every_one_of_them) {
  std::vector<std::string> names;
  for (const std::string& file : shipped_files()) names.push_back(std::filesystem::path(file).stem());
  EXPECT_THAT(built_in_lesson_names(), testing::UnorderedElementsAreArray(names));
  for (const BuiltInLesson& lesson : built_in_lessons())
    EXPECT_FALSE(lesson.title[Language::en].empty() || lesson.title[Language::zh].empty()) << lesson.name;
}

TEST(Lessons, lead_to_lessons_that_there_are) {
  for (const std::string& file : shipped_files()) {
    const Lesson lesson = load_lesson(file);
    for (const LessonStep& step : lesson.steps)
      for (const LessonText& text : step.text.each)
        for_each_span(text.blocks, [&](const TextSpan& span) {
          if (!span.link.empty() && !span.link.starts_with("https://")) {
            EXPECT_TRUE(is_built_in_lesson(span.link)) << span.link;
          }
        });
  }
}

TEST(Lessons, are_listed_for_teachers_with_steps_that_there_are) {
  const auto listed = [](const std::string& document) {
    std::vector<std::string> found;
    for (const std::string& place : matches(document, "`[a-z-]+` [0-9]+[^`|]*")) {
      const std::string name = place.substr(1, place.find('`', 1) - 1);
      const std::vector<std::string> steps = matches(place, "[0-9]+");
      const Lesson lesson = load_lesson(SOURCE_DIR "/assets/lessons/" + name + ".md");
      for (const std::string& step : steps)
        EXPECT_TRUE(1 <= std::stoi(step) && std::stoi(step) <= std::ssize(lesson.steps)) << place;
      found.push_back(fmt::format("{} {}", name, fmt::join(steps, " ")));
    }
    return found;
  };
  const std::string en = read_file(SOURCE_DIR "/docs/teach.md"),
                    zh = read_file(SOURCE_DIR "/docs/teach.zh.md");
  for (const std::string& name : built_in_lesson_names())
    for (const std::string& document : {en, zh})
      EXPECT_NE(document.find("`" + name + "`"), std::string::npos) << name;
  EXPECT_GT(listed(en).size(), 30);
  EXPECT_EQ(listed(en), listed(zh));
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
  const auto both = [](const auto& text) {
    return !text[Language::en].empty() && !text[Language::zh].empty();
  };
  EXPECT_TRUE(both(lesson_.title) && lesson_.title[Language::en] != lesson_.title[Language::zh]);
  EXPECT_TRUE(both(lesson_.text));
  int questions = 0;
  for (const LessonStep& step : lesson_.steps) {
    SCOPED_TRACE(step.title[Language::en]);
    EXPECT_TRUE(both(step.title) && step.title[Language::en] != step.title[Language::zh]);
    EXPECT_TRUE(both(step.text));
    EXPECT_FALSE(step.claims.empty());
    if (!step.question) continue;
    ++questions;
    EXPECT_TRUE(both(step.question->text) && both(step.question->answer));
    EXPECT_TRUE(step.question->check && step.question->solution);
  }
  EXPECT_GE(questions, 1);
}

TEST_P(ShippedLesson, ends_with_its_references) {
  for (const LessonText& text : lesson_.steps.back().text.each) {
    std::set<std::string> links;
    for_each_span(text.blocks, [&](const TextSpan& span) { links.insert(span.link); });
    EXPECT_GE(
        std::ranges::count_if(links, [](const std::string& link) { return link.starts_with("https://"); }),
        1);
  }
}

TEST_P(ShippedLesson, has_a_line_for_an_audience_that_fits_on_a_projector_of_1280) {
  TextShaper shaper;
  BoardStyle style = board_style(figure_style(Theme::light), shaper);
  style.font_size = 24;
  constexpr double width = 1196, any = 1e5;
  const ShowNumber show = [](const TextSpan&) { return std::string("0.000"); };
  for (const Language language : {Language::en, Language::zh})
    for (int i = 0; i < std::ssize(lesson_.steps); ++i) {
      const LessonStep& step = lesson_.steps[static_cast<std::size_t>(i)];
      SCOPED_TRACE(step.title.in(language));
      EXPECT_EQ(step.claim.has(Language::en), step.claim.has(Language::zh));
      const auto place = [&](double room, const char* name) {
        const Board header = step_header(lesson_, {i}, style, room, show, Translator(language));
        return std::ranges::find(header.regions, name, &BoardRegion::name)->rect;
      };
      EXPECT_LE(place(width, "claim").right(), width);
      EXPECT_NEAR(place(width, "claim").width, place(any, "claim").width, 0.01) << "in full size";
      EXPECT_GT(place(width, "title").width, 4 * style.font_size);
    }
}

TEST_P(ShippedLesson, states_no_number_and_no_comparison_that_no_claim_backs) {
  const ClaimQuotes quotes = claim_quotes(read_file(GetParam()));
  for (const std::string& complaint : StatedNumbers(lesson_, quotes).complaints()) ADD_FAILURE() << complaint;
}

TEST_P(ShippedLesson, cannot_lose_the_claims_of_a_number) {
  const ClaimQuotes quotes = claim_quotes(read_file(GetParam()));
  std::size_t all = 0, needed = 0;
  for (LessonStep& step : lesson_.steps) {
    std::set<int> lines;
    for (const LessonClaim& claim : step.claims) lines.insert(quote_line(quotes, claim));
    for (const int line : lines) {
      const LessonStep whole = step;
      std::erase_if(step.claims, [&](const LessonClaim& claim) { return quote_line(quotes, claim) == line; });
      ++all;
      needed += StatedNumbers(lesson_, quotes).complaints().empty() ? 0 : 1;
      step = whole;
    }
  }
  EXPECT_GT(2 * needed, all) << "the others back sentences without numbers";
}

/// The structure of a text: kinds of its blocks and spans, the expressions of its numbers, its formulas.
std::vector<std::string> structure_of(const std::vector<TextBlock>& blocks) {
  std::vector<std::string> parts;
  for_each_span(blocks, [&](const TextSpan& span) {
    if (span.kind == TextSpan::Kind::number || span.kind == TextSpan::Kind::display)
      parts.push_back(span.text);
    if (!span.link.empty()) parts.push_back(span.link);
  });
  std::ranges::sort(parts);
  parts.push_back(std::to_string(blocks.size()));
  return parts;
}

TEST_P(ShippedLesson, has_the_same_numbers_formulas_and_links_in_both_languages) {
  const auto same = [](const InLanguages<LessonText>& text, const std::string& title) {
    EXPECT_EQ(structure_of(text[Language::en].blocks), structure_of(text[Language::zh].blocks)) << title;
  };
  same(lesson_.text, lesson_.title[Language::en]);
  for (const LessonStep& step : lesson_.steps) {
    same(step.claim, step.title[Language::en]);
    same(step.text, step.title[Language::en]);
    if (!step.question) continue;
    same(step.question->text, step.title[Language::en]);
    same(step.question->answer, step.title[Language::en]);
  }
}

TEST(Lessons, stream_a_row_in_blocks_that_save_memory) {
  const Lesson lesson = load_lesson(SOURCE_DIR "/assets/lessons/long-sentences.md");
  const LessonStep& step = lesson.steps.at(8);
  const auto trace = Engine(1).run(step.session.inputs);
  const Index keys = trace->blocks.front().n_k(), block = sensible_block(keys);
  EXPECT_EQ(block, 2) << "as its text says";
  EXPECT_EQ(step.session.view.steps.stage, streaming_stage(streamed_blocks(trace->blocks.front())));
  EXPECT_LT(block + 2, keys) << "with m and l";
}

TEST_P(ShippedLesson, asks_what_is_not_answered_yet) {
  for (const LessonStep& step : lesson_.steps) {
    if (!step.question) continue;
    const auto trace = engine_.run(step.session.inputs);
    const auto other = step.session.compare ? engine_.run(*step.session.compare) : nullptr;
    const LessonNumbers numbers = lesson_numbers(trace, other, step.session.view, step.cell);
    EXPECT_FALSE(step.question->check->expression.holds(numbers)) << step.title[Language::en];
  }
}

TEST_P(ShippedLesson, has_a_figure_for_every_step) {
  for (const LessonStep& step : lesson_.steps) {
    SCOPED_TRACE(step.title[Language::en]);
    const View& view = step.session.view;
    RunOptions run;
    run.maps_alone = view.kind != ViewKind::steps;
    const auto trace = engine_.run(step.session.inputs, run);
    const auto other = step.session.compare ? engine_.run(*step.session.compare, run) : nullptr;
    const auto block = block_of(trace, view.block);
    Scene scene = make_scene(block, other ? block_of(other, view.block) : nullptr, view, {},
                             head_order(*block, view, {}),
                             step.cell ? std::optional(Locked{*step.cell}) : std::nullopt);
    scene.trace = trace;
    scene.other_trace = other;
    FigureOptions options;
    options.dpi = 30;
    const Picture picture = figure_picture(scene, options);
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
