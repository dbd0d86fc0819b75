#include "core/scene/readable_numbers.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

namespace headscope {
namespace {

/// fmt's exponents, "2.061e-09", as 2.061e−9.
std::string scientific(double value, int decimals) {
  const std::string text = fmt::format("{:.{}e}", std::abs(value), decimals);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  return text.substr(0, e) + "e" + (exponent < 0 ? "−" : "") + std::to_string(std::abs(exponent));
}

}  // namespace

namespace {

/// Whether it is written with a power of ten.
bool needs_power(double size, int decimals) {
  return size < 0.5 * std::pow(10.0, -decimals) || size >= 1e6;
}

}  // namespace

std::string printed(double value, int decimals) {
  if (std::isnan(value)) return "NaN";
  const char* sign = value < 0 ? "−" : "";
  const double size = std::abs(value);
  if (std::isinf(value)) return std::string(sign) + "∞";
  if (size == 0) return "0";
  if (size == 1e9) return std::string(sign) + "1e9";
  return sign + (needs_power(size, decimals) ? scientific(size, decimals - 1)
                                             : fmt::format("{:.{}f}", size, decimals));
}

double as_read(double value, int decimals) {
  if (!std::isfinite(value) || value == 0) return value;
  const double size = std::abs(value);
  const double digits = needs_power(size, decimals) ? decimals - 1 - std::floor(std::log10(size)) : decimals;
  // Not multiplied by a negative power, which no double is.
  const double scale = std::pow(10.0, std::abs(digits));
  return digits < 0 ? std::nearbyint(value / scale) * scale : std::nearbyint(value * scale) / scale;
}

std::string printed_operand(double value, int decimals) {
  return value < 0 ? "(" + printed(value, decimals) + ")" : printed(value, decimals);
}

std::string printed_difference(double value) {
  return value == 0 ? "0" : scientific(value, 1);
}

std::string with_minus(std::string_view text) {
  // What rounds to zero has no sign.
  if (text.find_first_not_of("+-0.") == std::string_view::npos && text.find('0') != std::string_view::npos)
    text.remove_prefix(text.find_first_not_of("+-"));
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[i] == '-' ? result += "−" : result += text[i];
    const bool exponent = i > 1 && text[i - 1] == 'e' && text[i] == '-' &&
                          std::isdigit(static_cast<unsigned char>(text[i - 2])) != 0;
    if (exponent && i + 2 < text.size() && text[i + 1] == '0') ++i;
  }
  return result;
}

std::string printed_percent(double probability) {
  const double percent = 100 * probability;
  if (percent == 0) return "0%";
  if (percent >= 0.995) return fmt::format("{:.1f}%", percent);
  constexpr double min_written_out = 1e-3;
  if (percent < min_written_out) return scientific(percent, 1) + "%";
  const int decimals = percent < 0.00995 ? 4 : percent < 0.0995 ? 3 : 2;
  return fmt::format("{:.{}f}%", percent, decimals);
}

int column_decimals(double largest) {
  constexpr int most = 6;
  int decimals = 2;
  for (double size = largest; size >= 9.995 && decimals > 0; size /= 10) --decimals;
  for (double size = largest; size > 0 && size < 0.0995 && decimals < most; size *= 10) ++decimals;
  return decimals;
}

std::string in_column(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.find_first_of("123456789ni") == std::string::npos ? "·" : with_minus(text);
}

std::string signed_in_column(double value, int decimals) {
  const std::string text = in_column(value, decimals);
  return value > 0 && text != "·" ? "+" + text : text;
}

std::string percent_in_column(double probability) {
  const std::string text = in_column(100 * probability, 1);
  return text == "·" ? text : text + "%";
}

std::string printed_count(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
  return digits;
}

std::string short_count(double value) {
  constexpr const char* units[] = {"", "k", "M", "G", "T", "P"};
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(units)) value /= 1000, ++unit;
  return fmt::format("{:.{}f}{}", value, value < 9.95 && value != std::floor(value) ? 1 : 0, units[unit]);
}

std::string printed_bytes(double bytes) {
  constexpr const char* units[] = {"B", "KB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(units)) bytes /= 1000, ++unit;
  return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 99.95 ? 1 : 0, units[unit]);
}

std::string size_text(std::uintmax_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, units[unit]);
}

}  // namespace headscope
