#pragma once
#include "core/base/translate.h"

namespace headscope {

/// Times one pass over a head's map of a text of `tokens` tokens (core/source/maps/measure.h), and prints a
/// table or
/// {"tokens", "d_k", "threads", "instruction_set", "peak_gflops", "products_ms", "overview": {"ms", "ratio"},
/// "context": {"ms", "ratio"}, "windowed": {"mask", "ms", "share", "cells"}, "full": {"ms"} or null,
/// "map_bytes", "resident_bytes"}.
/// A ratio is relative to the time of the products at the machine's peak, a share to the time of the same
/// pass without the mask.
void run_long_bench(int tokens, int threads, bool json, const Translator& tr);

}  // namespace headscope
