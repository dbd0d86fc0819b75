#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "core/source/engine.h"
#include "core/teach/lesson.h"
#include "core/teach/paper.h"

namespace headscope {

struct HandoutFigure {
  std::optional<Scene> scene;  ///< nothing where the step before shows the same
  bool shapes = false;         ///< with the strip of shapes
  bool cards =
      true;  ///< of the steps of the arithmetic; else an earlier step has them, and the strip is alone
  std::string marked;   ///< in it, one of shape_marks
  std::string caption;  ///< of the figure, or where it is to be found; empty: none
};

struct HandoutQuestion {
  int number = 1;  ///< in the lesson, from 1
  std::vector<TextBlock> text, answer;
  HandoutFigure solution;  ///< of the state that answers it
};

struct HandoutStep {
  std::string title;
  std::vector<TextBlock> text;
  HandoutFigure figure;
  std::optional<HandoutQuestion> question;
};

/// A lesson on paper: in one language, its numbers filled in, its steps' states as figures.
struct Handout {
  std::string source;  ///< the lesson's file, for messages
  std::string title;
  std::vector<TextBlock> text;
  std::vector<HandoutStep> steps;
  Language language = Language::en;
  bool answers = true;  ///< with their questions and figures, on pages of their own
};

/// Who waits for a handout: is told what drawing it will take, and then how far that is; asked to stop, each
/// of these throws Stopped.
struct HandoutWatch {
  HandoutWatch(std::stop_token asked = {}) : stop(std::move(asked)) {}
  std::stop_token stop;
  TellForecast forecast;
  std::function<void(double share)> progress;
};

/// Runs every step, and with `answers` what solves its question. Throws Error (input) with the line of
/// `source`, the lesson's file, of the first thing that check_lesson() finds.
Handout make_handout(const Lesson& lesson, const std::string& source, Language language, Engine& engine,
                     bool answers = true, const std::stop_token& stop = {});

struct HandoutFormat {
  const char* ending;
  const char* title;  ///< English, to be translated
  std::string (*write)(const Handout& handout, Paper paper, const HandoutWatch& watch);
};
/// Throws OverBudget for texts that are too long to be set.
/// .pdf: pages; .html: one file with all that it shows, which reads without a network and prints.
std::span<const HandoutFormat> handout_formats();

std::string handout_pdf(const Handout& handout, Paper paper, const HandoutWatch& watch = {});
std::string handout_html(const Handout& handout, Paper paper, const HandoutWatch& watch = {});

/// Makes the lesson's handout and writes it to `path`, whose ending says how. Throws Error: input as
/// make_handout() and for another ending, unable as write_file().
void export_handout(const std::string& path, const Lesson& lesson, const std::string& source,
                    Language language, Paper paper, bool answers, Engine& engine,
                    const HandoutWatch& watch = {});

}  // namespace headscope
