#pragma once

namespace headscope {

struct BenchRequest {
  bool json = false;
  int threads = 0;  ///< 0: one for each core
};

/// Times the forward pass with every intermediate kept, the figure and the time to the window's first frame,
/// and prints them: as a table, or as JSON (README.md says its fields).
void run_bench(const BenchRequest& request);

}  // namespace headscope
