#pragma once
#include "core/base/translate.h"

namespace headscope {

/// Times the forward pass at the sizes of core/source/maps/measure.h with one thread and with `threads`,
/// alone and while another process of lowest priority keeps one core busy, and prints a table or
/// {"threads", "neighbour": [{"n", "d_model", "heads", "one_thread_ms", "ms", "one_thread_with_neighbour_ms",
/// "with_neighbour_ms", "ratio"}, …]}.
/// The ms are means, because a thread that waits does so rarely and for long; `ratio` is all threads to one,
/// both with the neighbour running.
void run_neighbour_bench(int threads, bool json, const Translator& tr);

}  // namespace headscope
