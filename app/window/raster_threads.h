#pragma once

namespace headscope {

/// Distributes the processors among the threads of Mesa's software renderer (llvmpipe-0, -1, …, which exist
/// once there is a context): even-numbered threads get one half, the others the other half. On a machine with
/// two processors Linux often wakes both threads on the same one, where they take turns while the other
/// idles, and a frame takes twice as long. Does nothing without such threads, with one processor, or outside
/// Linux.
void spread_raster_threads();

}  // namespace headscope
