#define VECTOR_BYTES 16
#define ROWS 6
#define KERNELS_NAME kernels_baseline
#define KERNELS_TEXT "baseline"
#include "core/attention/kernels/kernels.inc"
