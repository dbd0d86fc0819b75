#include "app/state/document/paste_numbers.h"

#include <charconv>
#include <cmath>

#include "app/state/app.h"

namespace headscope {

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    double number = 0;
    const auto [after, failed] = std::from_chars(at, end, number);
    if (failed == std::errc() && std::isfinite(number)) numbers.push_back(number);
    at = after == at ? at + 1 : after;
  }
  return numbers;
}

void paste_numbers(App& app, const std::string& text, std::size_t count, std::vector<double>& matrix) {
  std::vector<double> numbers = numbers_in(text);
  if (numbers.size() != count)
    return app.notices.warn(Notice::About::pasting, TR("Numbers pasted: {}; expected {}"), numbers.size(),
                            count);
  matrix = std::move(numbers);
  app.notices.settle(Notice::About::pasting);
}

}  // namespace headscope
