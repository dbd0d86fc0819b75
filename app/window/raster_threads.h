#pragma once

namespace headscope {

/// Shares the processors out among the threads that Mesa's software renderer draws with (llvmpipe-0, -1, …,
/// there once a context is): those of even numbers have one half of them, the others the other half. Linux
/// often wakes both threads of a machine with two processors on one of them, where they take turns while the
/// other rests, and a frame takes twice as long. Nothing where there are no such threads, one processor, or
/// no Linux.
void spread_raster_threads();

}  // namespace headscope
