#include "core/base/flush_denormals.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace headscope {

#if defined(__x86_64__)
namespace {
constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;  // bits of MXCSR
}
FlushDenormals::FlushDenormals() : saved_(_mm_getcsr()) {
  _mm_setcsr(saved_ | flush_to_zero | denormals_are_zero);
}
FlushDenormals::~FlushDenormals() {
  _mm_setcsr(saved_);
}
#else
FlushDenormals::FlushDenormals() : saved_(0) {}
FlushDenormals::~FlushDenormals() {
  static_cast<void>(saved_);
}
#endif

}  // namespace headscope
