#include <filesystem>
#include <regex>
#include <set>

#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/streamed_softmax.h"
#include "core/figure/boards/steps_board.h"
#include "core/figure/boards/steps_page.h"
#include "core/figure/figure.h"
#include "core/io/file.h"
#include "core/scene/comparison_look.h"
#include "core/scene/scene.h"
#include "core/source/maps/pooled_maps.h"
#include "core/teach/causal_words.h"
#include "core/teach/changed_text.h"
#include "core/teach/check.h"
#include "core/teach/course.h"
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
    if (entry.path().extension() == ".md" && !is_course(entry.path().string()))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

TEST(Lessons, are_in_the_menu_every_one_of_them) {
  std::vector<std::string> names;
  for (const std::string& file : shipped_files()) names.push_back(std::filesystem::path(file).stem());
  std::vector<std::string> listed;
  for (const BuiltInLesson& lesson : built_in_lessons())
    if (!lesson.course) listed.push_back(lesson.name);
  EXPECT_THAT(listed, testing::UnorderedElementsAreArray(names));
  for (const BuiltInLesson& lesson : built_in_lessons())
    EXPECT_FALSE(lesson.title[Language::en].empty() || lesson.title[Language::zh].empty()) << lesson.name;
}

/// A phone has neither keys nor a second button of a mouse. Notes are read by who presents.
TEST(Lessons, name_what_is_done_without_keys_and_buttons_of_a_mouse) {
  const std::regex devices("\\bF[0-9]{1,2}\\b|Ctrl|Shift\\+|Alt\\+|[Rr]ight[- ]click|右键|按键|快捷键");
  for (const std::string& file : shipped_files()) {
    std::istringstream lines(read_file(file));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (!line.starts_with("Notes:"))
        EXPECT_FALSE(std::regex_search(line, devices)) << file << ':' << number << ' ' << line;
    }
  }
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
      EXPECT_NE(document.find(is_course(name) ? "`headscope " + name + "`" : "`" + name + "`"),
                std::string::npos)
          << name;
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
    for (const LessonQuestion& question : step.questions) {
      ++questions;
      EXPECT_TRUE(both(question.text) && both(question.answer));
      EXPECT_TRUE(question.asks());
      EXPECT_EQ(question.check.has_value(), question.solution.has_value());
      for (const LessonChoice& choice : question.choices) EXPECT_TRUE(both(choice.text));
    }
  }
  EXPECT_GE(questions, 3);
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
  for (const std::string& complaint : StatedNumbers(lesson_).complaints()) ADD_FAILURE() << complaint;
}

TEST_P(ShippedLesson, cannot_lose_the_claims_of_a_number) {
  std::size_t all = 0, needed = 0;
  for (LessonStep& step : lesson_.steps) {
    std::set<std::size_t> backed;
    for (const LessonClaim& claim : step.claims) backed.insert(claim.quote);
    for (const std::size_t quote : backed) {
      const LessonStep whole = step;
      std::erase_if(step.claims, [&](const LessonClaim& claim) { return claim.quote == quote; });
      ++all;
      needed += StatedNumbers(lesson_).complaints().empty() ? 0 : 1;
      step = whole;
    }
  }
  EXPECT_GT(2 * needed, all) << "the others back sentences without numbers";
}

TEST_P(ShippedLesson, is_read_alike_by_every_program_and_marks_what_it_says_of_causes) {
  for (const LessonMistake& flaw : lesson_.flaws) ADD_FAILURE() << in_file(flaw, GetParam()).what();
  Budget budget(GetParam(), max_lesson_bytes);
  for (const LessonMistake& mistake : unmarked_causes(lesson_, budget))
    ADD_FAILURE() << in_file(mistake, GetParam()).what();
  for (const LessonStep& step : lesson_.steps)
    for (const LessonQuote& quote : step.quotes)
      if (quote.kind != LessonQuote::Kind::words)
        EXPECT_TRUE(quote.words.has(Language::en) && quote.words.has(Language::zh)) << quote.line;
}

/// Every sentence that is not marked as changed and has a number that is not the step's any more, though it
/// names a word of the cell that was locked: its number is of another cell, if it is not bound to that word.
std::vector<std::string> numbers_of_other_words(const LessonStep& step, const LessonNumbers& now) {
  std::vector<std::string> wrong;
  const LessonNumbers& given = now.given();
  const auto shown = [](const TextSpan& span, const LessonNumbers& numbers) {
    try {
      return span.form(span.value.front().evaluate(numbers));
    } catch (const Error&) {
      return std::string("–");
    }
  };
  const auto locked = [](const LessonNumbers& numbers, bool query) {
    const BlockTrace& block = numbers.block(false);
    const auto& tokens = query ? block.tokens : block.key_tokens;
    const std::optional<int> at = query ? numbers.place().query : numbers.place().key;
    std::string word = at ? tokens.at(static_cast<std::size_t>(*at)).text : "";
    while (word.starts_with(" ")) word.erase(0, 1);
    return word;
  };
  for (const Language language : {Language::en, Language::zh}) {
    LessonText text = with_changes(step.text[language], language, step, now, "changed");
    for (const Sentence& sentence : divide_sentences(text))
      for (const TextSpan* span : sentence.spans) {
        if (span->changed || span->value.empty() || shown(*span, now) == shown(*span, given)) continue;
        for (const bool query : {true, false}) {
          const std::string before = locked(given, query), quoted = "“" + before + "”";
          const bool emphasized = std::ranges::any_of(
              sentence.spans, [&](const TextSpan* one) { return one->emphasis && one->text == before; });
          const bool bound = span->value.front().text().find("\"" + before + "\"") != std::string::npos;
          if (!before.empty() && before != locked(now, query) && !bound &&
              (emphasized || sentence.plain.find(quoted) != std::string::npos))
            wrong.push_back(before + ": " + sentence.plain);
        }
      }
  }
  return wrong;
}

/// On a projector of 1280 × 720 in the smallest type for it, without lists of terms.
bool is_whole_slide(const std::shared_ptr<const Trace>& trace, const View& view, const Cell& cell,
                    const Translator& tr) {
  constexpr double type = 25.4, width = 1250, height = 560;
  const CellPlace place{view.layer, cell.head, cell.query, cell.key};
  const StepsLook look;
  const auto stages = arithmetic_stages(*trace, *block_of(trace, view.block), place, look, tr);
  TextShaper shaper;
  BoardStyle style = board_style(figure_style(Theme::light), shaper);
  style.font_size = type;
  style.minimum = 24;
  std::vector<std::string> names;
  for (const ArithmeticStage& stage : stages) names.push_back(stage.name);
  const std::size_t present = stage_place(names, view.steps.stage);
  const Board board = steps_board({stages, present, present, look, width, height, 0, 1.12, false}, style, tr);
  return board.width <= width && board.height <= height;
}

TEST_P(ShippedLesson, has_stages_of_the_arithmetic_that_are_whole_on_a_projector) {
  for (const LessonStep& step : lesson_.steps) {
    const View& view = step.session.view;
    const bool strip = std::ranges::find(step.highlight, "shapes") != step.highlight.end();
    if (!view.row().has_steps || view.steps.page != StepsPage::cell || !step.cell || strip) continue;
    const auto trace = engine_.run(step.session.inputs);
    for (const Language language : {Language::en, Language::zh})
      EXPECT_TRUE(is_whole_slide(trace, view, *step.cell, Translator(language))) << step.title[language];
  }
}

/// Whether a comparison shows what differs, as texts or in its titles, which are whole on a projector of
/// 1280.
bool is_named(const Session& session) {
  const Inputs &a = session.inputs, &b = *session.compare;
  if (a.typed != b.typed) return true;  // numbers of the lesson's own, which its line names
  if (a.sentence != b.sentence || a.key_sentence != b.key_sentence || a.target != b.target) return true;
  TextShaper shaper;
  const BoardStyle style = board_style(figure_style(Theme::light), shaper);
  constexpr double size = 24, width = 350;
  for (const Language language : {Language::en, Language::zh})
    for (const std::string& name : side_names(Translator(language), a, b, true))
      if (name.empty() || style.measure("A · " + name, size) > width) return false;
  return true;
}

TEST_P(ShippedLesson, says_in_which_setting_the_sides_of_a_comparison_differ) {
  for (const LessonStep& step : lesson_.steps)
    if (step.session.compare && step.session.view.row().compares &&
        *step.session.compare != step.session.inputs) {
      EXPECT_TRUE(is_named(step.session)) << step.title[Language::en];
    }
}

TEST_P(ShippedLesson, names_no_old_words_beside_new_numbers_after_a_click_or_another_sentence) {
  RunOptions options;
  options.maps_alone = true;
  for (const LessonStep& step : lesson_.steps) {
    SCOPED_TRACE(step.title[Language::en]);
    if (!step.cell || has_long_text(step.session.inputs)) continue;
    const auto run = [&](const Inputs& inputs) { return engine_.run(inputs, options); };
    const auto a = run(step.session.inputs), b = step.session.compare ? run(*step.session.compare) : nullptr;
    const View& view = step.session.view;
    const auto given = std::make_shared<const LessonNumbers>(lesson_numbers(a, b, view, step.cell));
    const auto n_q = static_cast<int>(given->block(false).n_q()),
               n_k = static_cast<int>(given->block(false).n_k());
    const auto expect_none = [&](LessonNumbers now, const char* what) {
      now.set_given(given);
      for (const std::string& wrong : numbers_of_other_words(step, now)) ADD_FAILURE() << what << wrong;
    };
    Cell other = *step.cell;
    other.query = (other.query + 1) % n_q;
    other.key = (other.key + 1) % n_k;
    expect_none(lesson_numbers(a, b, view, other), "clicked: ");
    Inputs typed = step.session.inputs;
    if (typed.sentence.empty() || !typed.picture.empty() || typed.vectors == VectorKind::typed) continue;
    typed.sentence = "red birds sing near old trees";
    typed.mask.clear();
    const auto changed = run(typed);
    Cell cell = *step.cell;
    cell.query = std::min(cell.query, static_cast<int>(block_of(changed, view.block)->n_q()) - 1);
    cell.key = std::min(cell.key, static_cast<int>(block_of(changed, view.block)->n_k()) - 1);
    expect_none(lesson_numbers(changed, b, view, cell), "typed: ");
  }
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
    for (const LessonQuestion& question : step.questions) {
      same(question.text, step.title[Language::en]);
      same(question.answer, step.title[Language::en]);
      for (const LessonChoice& choice : question.choices) same(choice.text, step.title[Language::en]);
    }
  }
}

// No claim is behind them, so what is computed is a live number there.
TEST_P(ShippedLesson, has_notes_for_whoever_presents_each_step) {
  static const std::regex typed("[0-9]([.,][0-9]|%)");
  for (const LessonStep& step : lesson_.steps) {
    for (const LessonText& notes : step.notes.each)
      for_each_span(notes.blocks, [](const TextSpan& span) {
        if (span.kind == TextSpan::Kind::text) EXPECT_FALSE(std::regex_search(span.text, typed)) << span.text;
      });
    EXPECT_TRUE(step.notes.has(Language::en) && step.notes.has(Language::zh)) << step.title[Language::en];
    EXPECT_EQ(structure_of(step.notes[Language::en].blocks), structure_of(step.notes[Language::zh].blocks))
        << step.title[Language::en];
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
    const auto state = std::ranges::find_if(
        step.questions, [](const LessonQuestion& question) { return question.check.has_value(); });
    if (state == step.questions.end()) continue;
    const auto trace = engine_.run(step.session.inputs);
    const auto other = step.session.compare ? engine_.run(*step.session.compare) : nullptr;
    const LessonNumbers numbers = lesson_numbers(trace, other, step.session.view, step.cell);
    EXPECT_FALSE(state->check->expression.holds(numbers)) << step.title[Language::en];
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
