#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

struct App;

/// The numbers of a text in their order, whatever stands between them.
std::vector<double> numbers_in(std::string_view text);

/// Puts the numbers of a text in place of a matrix of `count`. Tells where there are more or fewer, and then
/// changes nothing.
void paste_numbers(App& app, const std::string& text, std::size_t count, std::vector<double>& matrix);

}  // namespace headscope
