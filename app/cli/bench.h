#pragma once
#include "core/base/translate.h"

namespace headscope {

struct BenchRequest {
  bool json = false;
  int threads = 0;  ///< 0: one for each core this process may use
};

/// Times, on this machine, the forward pass at the sizes of core/source/measure.h with every intermediate
/// kept, the notebook's figure and, where there is a display, the window up to its first frame; prints a
/// table or
/// {"peak_gflops": …, "threads": …, "instruction_set": …, "attention": [{"n", "d_model", "heads", "ms",
/// "gflops", "share_of_peak"}, …], "figure_ms": …, "first_frame_ms": … or null}. The ms are medians.
void run_bench(const BenchRequest& request, const Translator& tr);

}  // namespace headscope
