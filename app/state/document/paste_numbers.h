#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

struct App;

/// The numbers in a text, in order, whatever separates them.
std::vector<double> numbers_in(std::string_view text);

/// Replaces a matrix of `count` numbers with those of a text. If there are more or fewer, notifies and
/// changes nothing.
void paste_numbers(App& app, const std::string& text, std::size_t count, std::vector<double>& matrix);

}  // namespace headscope
