#define VECTOR_BYTES 64
#define ROWS 14
#define KERNELS_NAME kernels_avx512
#define KERNELS_TEXT "avx512"
#include "core/attention/kernels/kernels.inc"
