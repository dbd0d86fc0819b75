#include "core/base/read_number.h"

#include <version>

#if !defined(__cpp_lib_to_chars)
#include <cmath>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#endif

namespace headscope {

#if defined(__cpp_lib_to_chars)

std::from_chars_result read_number(const char* begin, const char* end, double& value) {
  return std::from_chars(begin, end, value);
}

#else

namespace {

const char* after_digits(const char* at, const char* end) {
  while (at != end && *at >= '0' && *at <= '9') ++at;
  return at;
}

}  // namespace

std::from_chars_result read_number(const char* begin, const char* end, double& value) {
  const char* const first = begin != end && *begin == '-' ? begin + 1 : begin;
  for (const auto& [name, number] : {std::pair<std::string_view, double>{"inf", HUGE_VAL}, {"nan", NAN}})
    if (std::string_view(first, end).starts_with(name)) {
      value = first == begin ? number : -number;
      return {first + name.size(), {}};
    }
  const char* at = after_digits(first, end);
  auto digits = at - first;
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    at = after_digits(fraction, end);
    digits += at - fraction;
  }
  if (digits == 0) return {begin, std::errc::invalid_argument};
  if (at != end && (*at == 'e' || *at == 'E')) {
    const char* exponent = at + 1;
    if (exponent != end && (*exponent == '+' || *exponent == '-')) ++exponent;
    if (const char* const after = after_digits(exponent, end); after != exponent) at = after;
  }
  std::istringstream text(std::string(begin, at));
  text.imbue(std::locale::classic());
  double number = 0;
  if (!(text >> number)) return {at, std::errc::result_out_of_range};
  value = number;
  return {at, {}};
}

#endif

}  // namespace headscope
