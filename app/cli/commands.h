#pragma once
#include "app/cli/request.h"
#include "core/base/translate.h"

namespace headscope {

// The subcommands. Each throws Error where it can't be done.

void run_export(const CommandRequest& request, const Translator& tr);
void run_handout(const CommandRequest& request, const Translator& tr);
void run_sweep(const CommandRequest& request, const Translator& tr);
void run_tensors(const CommandRequest& request, const Translator& tr);
void run_heads(const CommandRequest& request, const Translator& tr);
void run_arithmetic(const CommandRequest& request, const Translator& tr);
void run_predict(const CommandRequest& request, const Translator& tr);
void run_generate(const CommandRequest& request, const Translator& tr);
void run_pytorch(const CommandRequest& request, const Translator& tr);
void run_info(const CommandRequest& request, const Translator& tr);
/// Of the folder of a trained model.
/// What a model is, its sizes, what is told of its heads. Throws Error (input) as opening it.
void print_model(const std::string& model, const Translator& tr);
void run_model_info(const CommandRequest& request, const Translator& tr);
/// Of a lesson: every step is run, its numbers and claims are checked. Every mistake is printed.
void run_lesson_info(const CommandRequest& request, const Translator& tr);
/// Throws Error where the lesson has mistakes; all but the last are printed.
void check_readable(const CommandRequest& request, const Translator& tr);

}  // namespace headscope
