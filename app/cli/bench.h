#pragma once
#include <optional>
#include <string>

#include "core/base/translate.h"

namespace headscope {

struct BenchRequest {
  bool json = false;
  int threads = 0;                   ///< 0: one for each core this process may use
  std::optional<int> tokens;         ///< of a long text: only its passes are timed
  std::optional<std::string> model;  ///< a folder, or "" for random weights (core/model/random_model.h)
  bool profile = false;              ///< also profile the model's time
  bool with_neighbour = false;       ///< only time attention next to a busy process
};

/// Times, on this machine, the forward pass at the sizes of core/source/maps/measure.h with every
/// intermediate kept, the notebook's figure and, if there is a display, the window up to its first frame;
/// prints a table or
/// {"peak_gflops": …, "threads": …, "instruction_set": …, "attention": [{"n", "d_model", "heads", "ms",
/// "without_maps_ms", "gflops", "share_of_peak"}, …], "figure_ms": …, "first_frame_ms": … or null}, with a
/// model also "model":
/// {"prefill_128_ms", "prefill_1024_ms", "next_token_ms", "load_ms", "threads"} (core/model/measure_model.h).
/// The ms are medians. With a profile, "model" also has "profile": for each of the three, the ms summed over
/// all threads in "packing", "products", "reading", "attention", "activations", "sums" and, including the
/// time threads wait for each other, "rest"; and "memory_gb_per_s", read by all threads together.
void run_bench(const BenchRequest& request, const Translator& tr);

}  // namespace headscope
