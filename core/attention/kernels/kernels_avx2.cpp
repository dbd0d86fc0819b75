#define VECTOR_BYTES 32
#define ROWS 6
#define KERNELS_NAME kernels_avx2
#define KERNELS_TEXT "avx2"
#include "core/attention/kernels/kernels.inc"
