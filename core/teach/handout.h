#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "core/source/engine/engine.h"
#include "core/teach/lesson.h"

namespace headscope {

/// The paper size of a handout.
enum class Paper { a4, letter };

struct HandoutFigure {
  std::optional<Scene> scene;  ///< nothing if the step before shows the same
  bool shapes = false;         ///< with the shape strip
  bool cards =
      true;  ///< of the steps of the arithmetic; otherwise an earlier step has them and the strip is alone
  std::string marked;              ///< the marked part of it, one of shape_marks
  std::vector<std::string> texts;  ///< "A: …", "B: …", where it is of more than one
  std::string caption;             ///< of the figure, or a reference to it; empty: none
};

struct HandoutChoice {
  std::vector<TextBlock> text;
  bool right = false;
};

struct HandoutQuestion {
  int number = 1;  ///< in the lesson, from 1
  std::vector<TextBlock> text, answer;
  bool takes_one = false;              ///< of its choices
  std::vector<HandoutChoice> choices;  ///< with a box each, in place of lines to write on
  std::string predicted;               ///< the number that is to be predicted
  HandoutFigure solution;              ///< of the state that solves it
};

struct HandoutStep {
  std::string title;
  std::vector<TextBlock> claim;  ///< for an audience
  std::vector<TextBlock> text;
  HandoutFigure figure;
  int figure_step = -1;  ///< the step, from 0, whose figure shows this one; -1: none
  std::vector<HandoutQuestion> questions;
};

/// A lesson for paper: in one language, with its numbers filled in and its steps' states as figures.
struct Handout {
  std::string source;  ///< the lesson's file, for messages
  std::string title;
  std::vector<TextBlock> text;
  std::vector<HandoutStep> steps;
  Language language = Language::en;
  bool answers = true;  ///< with their questions and figures, on pages of their own
};

/// Observes the drawing of a handout: receives a forecast of its cost, then its progress; if `stop` is
/// requested, each of these throws Stopped.
struct HandoutWatch {
  HandoutWatch(std::stop_token requested = {}) : stop(std::move(requested)) {}
  std::stop_token stop;
  ReportForecast forecast;
  std::function<void(double share)> progress;
};

/// Runs every step, and with `answers` the solutions of questions. Throws Error (input) with the line of
/// `source`, the lesson's file, of the first mistake that check_lesson() finds.
Handout make_handout(const Lesson& lesson, const std::string& source, Language language, Engine& engine,
                     bool answers = true, const std::stop_token& stop = {});

struct HandoutFormat {
  const char* ending;
  const char* title;  ///< English, to be translated
  std::string (*write)(const Handout& handout, Paper paper, const HandoutWatch& watch);
  /// Whether this build can write it; nullptr: every build can.
  bool (*is_built_in)() = nullptr;
};
/// Throws OverBudget for texts that are too long to be typeset.
/// .pdf: pages; .html: one self-contained file, readable offline and printable; .webp: an animation, each
/// step as it is presented and then its text.
std::span<const HandoutFormat> handout_formats();
/// Those that this build can write.
std::vector<HandoutFormat> written_handout_formats();

std::string handout_pdf(const Handout& handout, Paper paper, const HandoutWatch& watch = {});
std::string handout_html(const Handout& handout, Paper paper, const HandoutWatch& watch = {});
std::string handout_webp(const Handout& handout, Paper paper, const HandoutWatch& watch = {});

/// Creates the lesson's handout and writes it to `path` in the format of its extension. Throws Error: input
/// as make_handout() and for another extension, unable as write_file().
void export_handout(const std::string& path, const Lesson& lesson, const std::string& source,
                    Language language, Paper paper, bool answers, Engine& engine,
                    const HandoutWatch& watch = {});

}  // namespace headscope
