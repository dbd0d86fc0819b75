#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

class LessonNumbers;

/// A measure in an expression.
struct MeasureUse {
  std::string name;
  bool side_b = false;
  std::string locked;  ///< of q(uery), k(ey), h(ead), l(ayer) what it takes from the locked cell or the view
};

/// An expression of a lesson over the numbers of a run: "weight("it", "cat", head=2) > 0.5"; LESSON.md
/// describes what can be written. A value, cheap to copy.
class Expression {
 public:
  /// Throws Error (input) that says what was found and what was expected.
  explicit Expression(std::string_view text);

  const std::string& text() const { return text_; }
  /// Its measures, other than those in given().
  const std::vector<MeasureUse>& uses() const { return *uses_; }
  /// Whether its value is true or false rather than a number.
  bool is_condition() const;
  /// Throws Error (input) if a token, a head or a place does not exist. For a condition 1 or 0.
  double evaluate(const LessonNumbers& numbers) const;
  bool holds(const LessonNumbers& numbers) const { return evaluate(numbers) != 0; }
  /// The values that a comparison compares, to say why it does not hold: "0.3 and 0.5". Empty for other
  /// expressions.
  std::string compared(const LessonNumbers& numbers) const;

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const std::vector<MeasureUse>> uses_;
  std::shared_ptr<const Node> root_;
};

/// How a number is shown: whole numbers without decimals and others like statistics, or as ".2f", ".3e", "d",
/// "%", ".1%" say; a comma first (",d") separates thousands.
class NumberForm {
 public:
  NumberForm() = default;
  /// Throws Error (input).
  explicit NumberForm(std::string_view text);
  /// With a minus sign as in text; "–" if it is not a number.
  std::string operator()(double value) const;

 private:
  int digits_ = -1;
  bool thousands_ = false;
  char kind_ = 0;  // one of "fed%", 0: as it fits
};

}  // namespace headscope
