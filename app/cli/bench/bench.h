#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/cli/output.h"
#include "app/cli/request.h"
#include "core/base/translate.h"
#include "core/model/seeded/random_model.h"
#include "core/model/weights/built_in_models.h"

namespace headscope {

// What `headscope bench` can measure, a file each. Each prints a table or JSON.

using BenchJson = nlohmann::ordered_json;

/// The forward pass at the sizes of core/source/seeded/measure.h, the figure, the window's first frame and,
/// on request, a trained model: as run_bench() describes it.
void run_forward_bench(const CommandRequest& request, const Translator& tr);
/// Times one pass over a head's map of a text of `tokens` tokens (core/source/seeded/measure.h), and prints a
/// table or {"tokens", "d_k", "threads", "instruction_set", "peak_gflops", "products_ms", "overview": {"ms",
/// "ratio"}, "context": {"ms", "ratio"}, "windowed": {"mask", "ms", "share", "cells"}, "full": {"ms"} or
/// null, "map_bytes", "resident_bytes"}. A ratio is relative to the time of the products at the machine's
/// peak, a share to the time of the same pass without the mask.
void run_long_bench(int tokens, int threads, bool json, const Translator& tr);
/// Each head of a model ablated in turn: by the layers above it alone, and by whole passes.
void run_cause_bench(const CommandRequest& request, const Translator& tr);

void print_machine(int threads, const char* instruction_set, double peak_gflops, const Translator& tr);
/// To four significant digits; the rest is noise.
double rounded(double value);

/// Calls measure(FOLDER), for "" with random weights.
template <typename Measure>
auto time_model(const std::string& folder, const Measure& measure) {
  expect_installed(folder);
  if (!folder.empty()) return measure(folder_of_model(folder));
  const TemporaryFolder own;
  write_random_model(own.path());
  return measure(own.path());
}

}  // namespace headscope
