#pragma once
#include "core/base/translate.h"

namespace headscope {

/// Times the forward pass at the sizes of core/source/maps/measure.h by one thread and by `threads`, alone
/// and while another process of lowest priority keeps one of the cores busy, and prints a table or
/// {"threads", "neighbour": [{"n", "d_model", "heads", "one_thread_ms", "ms", "one_thread_with_neighbour_ms",
/// "with_neighbour_ms", "ratio"}, …]}. The ms are means, as a thread that waits does so seldom and for long;
/// `ratio` is that of all threads to one, both beside the neighbour.
void run_neighbour_bench(int threads, bool json, const Translator& tr);

}  // namespace headscope
