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
/// Writes what changes a model's answer (core/model/effects/causes.h).
void run_causes(const CommandRequest& request, const Translator& tr);
/// Writes what a model's heads can do, from the weights alone (core/model/effects/circuits.h).
void run_circuits(const CommandRequest& request, const Translator& tr);
void run_generate(const CommandRequest& request, const Translator& tr);
void run_pytorch(const CommandRequest& request, const Translator& tr);
void run_info(const CommandRequest& request, const Translator& tr);
/// Times, on this machine, the forward pass at the sizes of core/source/seeded/measure.h with every
/// intermediate kept, the notebook's figure and, if there is a display, the window up to its first frame;
/// prints a table or
/// {"peak_gflops": …, "threads": …, "instruction_set": …, "attention": [{"n", "d_model", "heads", "ms",
/// "without_maps_ms", "gflops", "share_of_peak"}, …], "figure_ms": …, "first_frame_ms": … or null}, with a
/// model also "model":
/// {"prefill_128_ms", "prefill_1024_ms", "next_token_ms", "load_ms", "threads"}
/// (core/model/effects/measure_model.h). The ms are medians. With a profile, "model" also has "profile": for
/// each of the three, the ms summed over all threads in "packing", "products", "reading", "attention",
/// "activations", "sums" and, including the time threads wait for each other, "rest"; and "memory_gb_per_s",
/// read by all threads together.
void run_bench(const CommandRequest& request, const Translator& tr);
/// Prints a trained model's architecture, its sizes and what is known of its heads. Throws Error (input) as
/// opening the folder.
void print_model(const std::string& model, const Translator& tr);
void run_model_info(const CommandRequest& request, const Translator& tr);
/// Lists the families of models that are read: their names, `model_type` and, in JSON, names of classes.
void print_families(const CommandRequest& request, const Translator& tr);
/// For a lesson: runs every step and checks its numbers and claims. Every mistake is printed.
void run_lesson_info(const CommandRequest& request, const Translator& tr);
/// Prints a link to the session, and writes its QR code to -o.
void run_link(const CommandRequest& request, const Translator& tr);
/// Marks the sessions in a folder by the questions of a lesson: a table to -o or standard output, and at the
/// end of that a summary by question.
void run_mark(const CommandRequest& request, const Translator& tr);
/// Throws Error if the lesson's file has mistakes: the first of them, and how many more.
void check_readable(const CommandRequest& request, const Translator& tr);

}  // namespace headscope
