#include "core/analysis/stage_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {
namespace {

constexpr double powers_from = 1e7;  // larger numbers are written with a power of ten

/// Its hyphens as minus signs.
std::string with_minus(const std::string& text) {
  std::string result;
  for (const char c : text) c == '-' ? result += "−" : result += c;
  return result;
}

/// "1.5000e+09" as "1.5e9".
std::string in_powers(double value) {
  std::string text = fmt::format("{:.5e}", value);
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  while (mantissa.ends_with('0')) mantissa.pop_back();
  if (mantissa.ends_with('.')) mantissa.pop_back();
  return mantissa + "e" + std::to_string(std::stoi(text.substr(e + 1)));
}

}  // namespace

std::string printed_number(double value, int decimals) {
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  if (std::isnan(value)) return "–";
  if (std::abs(value) >= powers_from) return with_minus(in_powers(value));
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  // No sign before what rounds to nothing.
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) return text.substr(1);
  return with_minus(text);
}

int decimals_of(double unit) {
  constexpr int most = 12;
  if (!(unit > 0)) return most;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(unit) - 1e-9)), 0, most);
}

double power_of_ten(double value) {
  return value > 0 ? std::pow(10.0, std::floor(std::log10(value) + 1e-9)) : 1e-12;
}

double unit_of(double largest, int digits, double coarsest) {
  if (!(largest > 0) || std::isinf(largest)) return coarsest;
  constexpr double float_precision = 1e-6;
  const double size = power_of_ten(largest);
  return std::max(std::min(coarsest, size * std::pow(10.0, 1 - digits)), size * float_precision);
}

bool needs_decimals(double value, int decimals) {
  if (!std::isfinite(value)) return false;
  constexpr double lost = 1e-7;  // what float32 makes of a number that was typed
  const double scale = std::pow(10.0, decimals);
  return std::abs(std::round(value * scale) / scale - value) > lost * std::max(1.0, std::abs(value));
}

}  // namespace headscope
