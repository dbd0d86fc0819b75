#pragma once
#include "app/cli/request.h"
#include "core/base/translate.h"

namespace headscope {

// The subcommands. Each throws Error on failure.

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
/// Prints a trained model's architecture, its sizes and what is known of its heads. Throws Error (input) as
/// opening the folder.
void print_model(const std::string& model, const Translator& tr);
void run_model_info(const CommandRequest& request, const Translator& tr);
/// For a lesson: runs every step and checks its numbers and claims. Every mistake is printed.
void run_lesson_info(const CommandRequest& request, const Translator& tr);
/// Throws Error if the lesson's file has mistakes; all but the last are printed.
void check_readable(const CommandRequest& request, const Translator& tr);

}  // namespace headscope
