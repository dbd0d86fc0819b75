#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace headscope {

/// A number of the arithmetic for display, with this many decimals; very small and very large ones with as
/// many digits, as 2.061e−9. The minus is U+2212, infinity ∞.
std::string printed(double value, int decimals = 4);
/// The value of that text: the number a reader calculates with.
double as_read(double value, int decimals = 4);
/// The same in parentheses where it is below 0, after an operator.
std::string printed_operand(double value, int decimals = 4);
/// A difference that should be 0: "0" or 5.6e−17.
std::string printed_difference(double value);
/// fmt's "-1.5e-07" with a minus sign: "−1.5e−7".
std::string with_minus(std::string_view text);
/// A probability as 12.3%, with two digits if small: 0.12%, 3.4e−7%.
std::string printed_percent(double probability);
/// The decimals with which the largest of some numbers has two significant digits, or three from 1 on; at
/// most six.
int column_decimals(double largest);
/// A number of a column or list: as many decimals in every row, and · for what rounds to zero.
std::string in_column(double value, int decimals);
/// The same with its sign.
std::string signed_in_column(double value, int decimals);
/// A probability of a list: 12.3%, one decimal in every row; · for what rounds to zero.
std::string percent_in_column(double probability);
/// A count with its digits in groups of three: 1,048,576.
std::string printed_count(double value);
/// The same in at most four characters, for axes: 1, 32, 1k, 2.1M.
std::string short_count(double value);
/// Bytes as 800 B, 3.2 KB, 1.5 GB (powers of 1,000).
std::string printed_bytes(double bytes);
/// The same as file managers show it, with three digits: 800 B, 3.25 kB, 1.5 GB.
std::string size_text(std::uintmax_t bytes);

}  // namespace headscope
