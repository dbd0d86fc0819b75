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

constexpr int max_decimals = 12;

/// How many digits after the first one a number has that is written with a power of ten.
int mantissa_decimals(int decimals) {
  return std::clamp(decimals, 5, max_decimals);
}

/// "1.5000e+09" as "1.5e9".
std::string in_powers(double value, int decimals) {
  std::string text = fmt::format("{:.{}e}", value, mantissa_decimals(decimals));
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
  if (std::abs(value) >= powers_from) return with_minus(in_powers(value, decimals));
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  // No sign for what rounds to 0.
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) return text.substr(1);
  return with_minus(text);
}

namespace {

/// Of the last digit of the printed number.
double last_unit(double value, int decimals) {
  const double size = std::abs(value);
  return size < powers_from ? std::pow(10.0, -decimals)
                            : std::pow(10.0, std::floor(std::log10(size)) - mantissa_decimals(decimals));
}

}  // namespace

double as_printed(double value, int decimals) {
  if (!std::isfinite(value)) return value;
  const double size = std::abs(value);
  const double scale = size < powers_from
                           ? std::pow(10.0, decimals)
                           : std::pow(10.0, mantissa_decimals(decimals) - std::floor(std::log10(size)));
  return std::nearbyint(value * scale) / scale;
}

std::vector<double> as_printed(std::span<const double> values, int decimals) {
  std::vector<double> printed;
  printed.reserve(values.size());
  for (const double value : values) printed.push_back(as_printed(value, decimals));
  return printed;
}

double sum_as_printed(std::span<const double> values, int decimals) {
  double sum = 0;
  for (const double value : values) sum += as_printed(value, decimals);
  return sum;
}

std::string short_number(double value) {
  const std::string text = fmt::format("{}", value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return with_minus(text);
  return with_minus(text.substr(0, e) + "e" + std::to_string(std::stoi(text.substr(e + 1))));
}

double units_off(double computed, double result, int decimals) {
  if (!std::isfinite(computed) || !std::isfinite(result)) return 0;
  return std::abs(as_printed(computed, decimals) - as_printed(result, decimals)) /
         last_unit(result, decimals);
}

int operand_decimals(int from, int more, const std::function<double(int decimals)>& off) {
  constexpr double met = 0.5, near = 1.5;  // whole units, up to rounding of double
  int decimals = std::min(from, max_decimals);
  const int far = std::min(from + more, max_decimals);
  for (; decimals <= far; ++decimals)
    if (off(decimals) < met) return decimals;
  for (decimals = far; decimals < max_decimals && off(decimals) > near; ++decimals) {
  }
  return decimals;
}

int term_decimals(std::span<const double> terms, double sum, int sum_decimals, int from) {
  return operand_decimals(
      from, 2, [&](int decimals) { return units_off(sum_as_printed(terms, decimals), sum, sum_decimals); });
}

PrintedProducts printed_products(std::span<const double> a, std::span<const double> b, int factor_decimals,
                                 int decimals) {
  PrintedProducts p{};
  const auto set = [&](int factors) {
    p.a_decimals = shortest(a, factors);
    p.b_decimals = shortest(b, factors);
    p.a = as_printed(a, p.a_decimals);
    p.b = as_printed(b, p.b_decimals);
  };
  const int factors = operand_decimals(factor_decimals, 2, [&](int more) {
    set(more);
    double maximum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      maximum = std::max(maximum, units_off(p.a[i] * p.b[i], a[i] * b[i], decimals));
    return maximum;
  });
  set(factors);
  for (std::size_t i = 0; i < a.size(); ++i) p.products.push_back(as_printed(p.a[i] * p.b[i], decimals));
  return p;
}

int decimals_of(double unit) {
  if (!(unit > 0)) return max_decimals;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(unit) - 1e-9)), 0, max_decimals);
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

namespace {

bool needs_decimals(double value, int decimals) {
  if (!std::isfinite(value)) return false;
  // The float32 value of a typed number; with this many digits any float32 number would match.
  constexpr double of_float = 1e-7, of_double = 1e-14, max_typed = 1e5;
  const double scale = std::pow(10.0, decimals), size = std::max(1.0, std::abs(value));
  const double lost = (size * scale > max_typed ? of_double : of_float) * size;
  return std::abs(std::round(value * scale) / scale - value) > lost;
}

}  // namespace

int shortest(std::span<const double> numbers, int decimals) {
  for (int fewer = 0; fewer < decimals; ++fewer)
    if (std::ranges::none_of(numbers, [&](double value) { return needs_decimals(value, fewer); }))
      return fewer;
  return decimals;
}

}  // namespace headscope
