#include "core/teach/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include "core/base/read_number.h"
#include "core/base/translate.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"
#include "core/scene/head_table.h"
#include "core/scene/readable_numbers.h"
#include "core/teach/measures.h"

namespace headscope {

using NodePointer = std::shared_ptr<const Expression::Node>;

/// One operation on the values of its parts, which it holds.
struct Expression::Node {
  std::function<double(const LessonNumbers&)> value;
  bool is_condition = false;
  std::function<std::string(const LessonNumbers&)> compared = [](const LessonNumbers&) { return ""; };
};

namespace {

/// A function of its arguments, all of which are evaluated.
struct Function {
  const char* name;
  std::size_t minimum, maximum;  // arguments
  double (*apply)(const std::vector<double>& values);
};
constexpr std::size_t any_number = 64;
constexpr std::array functions{
    Function{"abs", 1, 1, [](const std::vector<double>& v) { return std::abs(v[0]); }},
    Function{"sqrt", 1, 1, [](const std::vector<double>& v) { return std::sqrt(v[0]); }},
    Function{"exp", 1, 1, [](const std::vector<double>& v) { return std::exp(v[0]); }},
    Function{"log", 1, 1, [](const std::vector<double>& v) { return std::log(v[0]); }},
    Function{"round", 1, 1, [](const std::vector<double>& v) { return std::round(v[0]); }},
    Function{"min", 1, any_number, [](const std::vector<double>& v) { return std::ranges::min(v); }},
    Function{"max", 1, any_number, [](const std::vector<double>& v) { return std::ranges::max(v); }},
};
NodePointer node(std::function<double(const LessonNumbers&)> value, bool is_condition = false) {
  return std::make_shared<Expression::Node>(Expression::Node{std::move(value), is_condition});
}

NodePointer call(double (*apply)(const std::vector<double>&), std::vector<NodePointer> arguments) {
  return node([apply, arguments = std::move(arguments)](const LessonNumbers& numbers) {
    std::vector<double> values;
    values.reserve(arguments.size());
    for (const NodePointer& argument : arguments) values.push_back(argument->value(numbers));
    const double result = apply(values);
    // 1/0 has no value, as 0/0; −∞ of a blocked cell is kept as it is.
    const auto finite = [](double value) { return std::isfinite(value); };
    return std::isinf(result) && std::ranges::all_of(values, finite)
               ? std::numeric_limits<double>::quiet_NaN()
               : result;
  });
}

/// a < b, or a < b < c; `=` holds within the tolerance, which is the one given after ± if there is one.
struct ComparedSums {
  /// `tolerance` below 0: none given.
  static bool equal(double a, double b, double tolerance) {
    constexpr double near = 1e-5;
    if (a == b) return true;
    return std::abs(a - b) <= (tolerance < 0 ? near * std::max({1.0, std::abs(a), std::abs(b)}) : tolerance);
  }
  double value(const LessonNumbers& numbers) const {
    for (std::size_t i = 0; i < signs.size(); ++i) {
      const double a = sides[i]->value(numbers), b = sides[i + 1]->value(numbers);
      const double within = tolerance ? std::abs(tolerance->value(numbers)) : -1;
      const bool right = signs[i] == "="    ? equal(a, b, within)
                         : signs[i] == "!=" ? !equal(a, b, within)
                         : signs[i] == "<"  ? a < b
                         : signs[i] == "<=" ? a <= b
                         : signs[i] == ">"  ? a > b
                                            : a >= b;
      if (!right || std::isnan(a) || std::isnan(b)) return 0;
    }
    return 1;
  }
  std::string compared(const LessonNumbers& numbers) const {
    std::string text;
    for (const NodePointer& side : sides) {
      const double value = side->value(numbers);
      text += (text.empty() ? "" : ", ") + (std::isnan(value) ? "–" : fmt::format("{:.6g}", value));
    }
    return text;
  }
  std::vector<NodePointer> sides;
  std::vector<std::string> signs;
  NodePointer tolerance;
};

/// What a range runs over in mean(entropy for head, query).
enum class Running { layer, head, query, key };
constexpr std::array running_names{"layer", "head", "query", "key"};

/// How the values at all places are combined.
struct Fold {
  const char* name;
  bool of_conditions;
  double (*apply)(const std::vector<double>& values);
};
double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}
constexpr std::array folds{
    Fold{"sum", false, sum_of},
    Fold{"mean", false,
         [](const std::vector<double>& v) { return sum_of(v) / static_cast<double>(v.size()); }},
    Fold{"min", false, [](const std::vector<double>& v) { return std::ranges::min(v); }},
    Fold{"max", false, [](const std::vector<double>& v) { return std::ranges::max(v); }},
    Fold{"all", true, [](const std::vector<double>& v) { return std::ranges::min(v); }},
    Fold{"any", true, [](const std::vector<double>& v) { return std::ranges::max(v); }},
};

struct MeasureRequest {
  struct Argument {
    std::optional<std::string> text;  // for a token, otherwise empty
    NodePointer number;
  };
  double value(const LessonNumbers& numbers) const {
    std::vector<TokenName> names;
    for (const Argument& argument : arguments)
      if (argument.text)
        names.emplace_back(*argument.text);
      else
        names.emplace_back(argument.number->value(numbers));
    const auto number = [&](const NodePointer& node) {
      return node ? std::optional(node->value(numbers)) : std::nullopt;
    };
    const MeasureOf of{side_b, block, number(layer), number(head)};
    const std::string requested = key(of, names);
    const MeasureCall call(numbers, *measure, of, std::move(names), parameters);
    return numbers.once(requested, call.cost(), [&] { return measure->value(call); });
  }
  /// The request, spelled out.
  std::string key(const MeasureOf& of, const std::vector<TokenName>& names) const {
    const auto shown = [](const std::optional<double>& one) { return one ? fmt::format("{}", *one) : "-"; };
    std::string text =
        fmt::format("{} {} {} {} {} {}", measure->name, of.side_b ? "b" : "a",
                    of.block ? to_name(*of.block) : "-", shown(of.layer), shown(of.head), parameters);
    for (const TokenName& name : names)
      if (const auto* token = std::get_if<std::string>(&name))
        text += fmt::format(" {}:{}", token->size(), *token);
      else
        text += fmt::format(" {}", std::get<double>(name));
    return text;
  }
  const Measure* measure = nullptr;
  std::vector<Argument> arguments;
  std::string parameters;  // one letter per argument, as Measure::parameters has them
  NodePointer layer, head;
  std::optional<BlockKind> block;
  bool side_b = false;
};

/// mean(entropy for head, query): over the values at every head and query, each taken as the locked cell's.
struct Each {
  double value(const LessonNumbers& numbers) const {
    return numbers.once("each " + text, 0, [&] {
      std::vector<double> values;
      for_places(numbers, [&](const LessonNumbers& at) {
        values.push_back(inner->value(at));
        return true;
      });
      return fold->apply(values);
    });
  }
  /// For “all”: the first place where it does not hold.
  std::string compared(const LessonNumbers& numbers) const {
    std::string first;
    for_places(numbers, [&](const LessonNumbers& at) {
      if (!fold->of_conditions || inner->value(at) != 0) return true;
      for (const Running one : over)
        first += fmt::format("{}={} ", running_names[index(one)], *of(one, at.place()));
      first += inner->compared(at);
      return false;
    });
    return first;
  }

  const Fold* fold = nullptr;
  NodePointer inner;
  std::vector<Running> over;
  std::string text;
  std::optional<BlockKind> block;  // of the first measure in it
  bool side_b = false;

 private:
  static std::size_t index(Running one) { return static_cast<std::size_t>(one); }
  static std::optional<int> of(Running one, const LessonNumbers::Place& place) {
    return one == Running::layer   ? place.layer
           : one == Running::head  ? place.head
           : one == Running::query ? place.query
                                   : place.key;
  }
  static void set(LessonNumbers::Place& place, Running one, int to) {
    if (one == Running::layer) place.layer = to;
    if (one == Running::head) place.head = to;
    if (one == Running::query) place.query = to;
    if (one == Running::key) place.key = to;
  }
  template <typename Use>
  void for_places(const LessonNumbers& numbers, const Use& use) const {
    const BlockTrace& shown = numbers.block(side_b, block);
    const std::array<Index, running_names.size()> counts{shown.shape.layers, shown.heads(), shown.n_q(),
                                                         shown.n_k()};
    constexpr Index maximum = 4096;
    Index places = 1;
    for (const Running one : over) places *= std::min<Index>(counts[index(one)], maximum + 1);
    if (places > maximum)
      throw input_error("{} runs over {} places; expected at most {}", text, places, maximum);
    LessonNumbers::Place place = numbers.place();
    for (Index i = 0; i < places; ++i) {
      Index left = i;
      for (const Running one : over) {
        set(place, one, static_cast<int>(left % counts[index(one)]));
        left /= counts[index(one)];
      }
      if (!use(numbers.at(place))) return;
    }
  }
};

/// Recursive descent, from the lowest precedence to the highest.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePointer whole() {
    constexpr std::size_t longest = 2000;
    if (text_.size() > longest)
      throw input_error("the expression has {} bytes; expected at most {}", text_.size(), longest);
    NodePointer node = any();
    if (!at_end()) throw wrong(TR("“{}” at “{}”; expected an operator or the end"));
    return node;
  }

  std::vector<MeasureUse> uses;

 private:
  /// One level deeper: a hostile expression must not overflow the stack.
  struct Deeper {
    explicit Deeper(int& depth) : depth_(depth) {
      constexpr int deepest = 60;
      if (++depth_ > deepest)
        throw input_error("the expression is nested too deep; expected at most {} levels", deepest);
    }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    int& depth_;
  };

  NodePointer any() {
    const Deeper deeper(depth_);
    return joined("or", true, &Parser::all);
  }
  NodePointer all() { return joined("and", false, &Parser::negated); }
  /// `one`: whether one part that holds is enough.
  NodePointer joined(std::string_view word, bool one, NodePointer (Parser::*part)()) {
    std::vector<NodePointer> parts{(this->*part)()};
    while (take_word(word)) parts.push_back((this->*part)());
    if (parts.size() == 1) return parts.front();
    for (const NodePointer& each : parts) need_condition(each);
    return node(
        [one, parts](const LessonNumbers& numbers) {
          const auto holds = [&](const NodePointer& each) { return each->value(numbers) != 0; };
          return (one ? std::ranges::any_of(parts, holds) : std::ranges::all_of(parts, holds)) ? 1.0 : 0.0;
        },
        true);
  }
  NodePointer negated() {
    const Deeper deeper(depth_);
    if (!take_word("not")) return comparison();
    const NodePointer part = negated();
    need_condition(part);
    return node([part](const LessonNumbers& numbers) { return part->value(numbers) != 0 ? 0.0 : 1.0; }, true);
  }
  NodePointer comparison() {
    ComparedSums all{{sum()}, {}, {}};
    while (const char* sign = take_one(comparisons)) {
      all.signs.emplace_back(sign);
      all.sides.push_back(sum());
    }
    if (all.signs.empty()) return all.sides.front();
    for (const NodePointer& side : all.sides) need_number(side);
    if (take("±") || take("+-")) all.tolerance = number_argument();
    return compared_node(std::move(all), true);
  }
  /// Of a kind that can say what it compares.
  template <typename Kind>
  static NodePointer compared_node(Kind kind, bool is_condition) {
    const auto shared = std::make_shared<const Kind>(std::move(kind));
    return std::make_shared<Expression::Node>(Expression::Node{
        [shared](const LessonNumbers& numbers) { return shared->value(numbers); }, is_condition,
        [shared](const LessonNumbers& numbers) { return shared->compared(numbers); }});
  }
  NodePointer sum() { return chain({"+", "-"}, &Parser::product); }
  NodePointer product() { return chain({"*", "/"}, &Parser::sign); }
  NodePointer chain(std::array<const char*, 2> signs, NodePointer (Parser::*part)()) {
    NodePointer whole = (this->*part)();
    for (;;) {
      skip_space();
      if (rest().starts_with("+-")) return whole;  // a tolerance
      const char* sign = nullptr;
      for (const char* one : signs)
        if (sign == nullptr && take_sign(one)) sign = one;
      if (sign == nullptr) return whole;
      whole = combined(*sign, whole, (this->*part)());
    }
  }
  NodePointer sign() {
    const Deeper deeper(depth_);
    if (!take_sign("-")) return power();
    return combined('*', constant(-1), sign());
  }
  NodePointer power() {
    const NodePointer base = atom();
    return take("^") ? combined('^', base, sign()) : base;
  }
  static NodePointer constant(double value) {
    return node([value](const LessonNumbers&) { return value; });
  }
  NodePointer combined(char sign, const NodePointer& a, const NodePointer& b) {
    need_number(a);
    need_number(b);
    using Values = const std::vector<double>&;
    return call(sign == '+'   ? +[](Values v) { return v[0] + v[1]; }
                : sign == '-' ? +[](Values v) { return v[0] - v[1]; }
                : sign == '*' ? +[](Values v) { return v[0] * v[1]; }
                : sign == '/' ? +[](Values v) { return v[0] / v[1]; }
                              : +[](Values v) { return std::pow(v[0], v[1]); },
                {a, b});
  }
  NodePointer atom() {
    skip_space();
    if (take("(")) {
      NodePointer inner = any();
      need(")");
      return inner;
    }
    if (!at_end() && (digit(rest().front()) || rest().front() == '.')) return number();
    const std::string name = take_name();
    if (name.empty()) throw wrong(TR("“{}” at “{}”; expected a number or a measure such as weight"));
    if (name == "given") return given();
    const auto fold = std::ranges::find(folds, name, &Fold::name);
    const auto found = std::ranges::find(functions, name, &Function::name);
    if (fold != folds.end() || found != functions.end())
      return function(fold == folds.end() ? nullptr : &*fold, found == functions.end() ? nullptr : &*found);
    if (const Measure* of = find_measure(name)) return measure(*of);
    throw input_error("{} is not a measure; expected one of: {}", cut_off(name, 40), measure_names());
  }
  NodePointer number() {
    double value = 0;
    const std::string_view left = rest();
    const auto [end, error] = read_number(left.data(), left.data() + left.size(), value);
    if (error == std::errc::result_out_of_range)
      throw wrong(TR("“{}” at “{}”; expected a number between 1e-307 and 1e308"));
    if (error != std::errc()) throw wrong(TR("“{}” at “{}”; expected a number"));
    at_ += end - left.data();
    return constant(value);
  }
  /// f(a, b), or f(a for head, query) for a fold; `function` or `fold` is nullptr if it can only be the
  /// other.
  NodePointer function(const Fold* fold, const Function* function) {
    const std::size_t begin = at_, used = uses.size();
    const bool was_inside = std::exchange(has_outer_, false);
    const auto measure_before = std::exchange(first_measure_, nullptr);
    need("(");
    std::vector<NodePointer> arguments{fold != nullptr ? any() : sum()};
    if (fold != nullptr && take_word("for")) {
      if (has_outer_)
        throw wrong(TR("“{}” at “{}”; expected neither given nor a second for inside of a for"));
      has_outer_ = true;
      return each(*fold, arguments.front(), begin, used);
    }
    if (function == nullptr) throw wrong(TR("“{}” at “{}”; expected for, and query, key, head or layer"));
    has_outer_ = has_outer_ || was_inside;
    if (measure_before != nullptr) first_measure_ = measure_before;
    need_number(arguments.front());
    while (take(",")) {
      arguments.push_back(sum());
      need_number(arguments.back());
    }
    need(")");
    if (arguments.size() < function->minimum || arguments.size() > function->maximum)
      throw function->minimum == function->maximum
          ? input_error("{} has {} arguments; expected {}", function->name, arguments.size(),
                        function->minimum)
          : input_error("{} has {} arguments; expected {} to {}", function->name, arguments.size(),
                        function->minimum, function->maximum);
    return call(function->apply, std::move(arguments));
  }
  /// What follows “for”.
  NodePointer each(const Fold& fold, const NodePointer& inner, std::size_t begin, std::size_t used) {
    Each all;
    all.fold = &fold;
    all.inner = inner;
    if (fold.of_conditions) need_condition(inner);
    do {
      const auto found = std::ranges::find(running_names, take_name());
      if (found == running_names.end())
        throw wrong(TR("“{}” at “{}”; expected for, and query, key, head or layer"));
      all.over.push_back(static_cast<Running>(found - running_names.begin()));
      for (std::size_t i = used; i < uses.size(); ++i) std::erase(uses[i].locked, **found);
    } while (take(","));
    need(")");
    all.text = std::string(fold.name) + std::string(text_.substr(begin, at_ - begin));
    if (first_measure_ != nullptr) {
      all.block = first_measure_->block;
      all.side_b = first_measure_->side_b;
    }
    return compared_node(std::move(all), fold.of_conditions);
  }

  /// For the step's own state, whatever a reader has changed.
  NodePointer given() {
    has_outer_ = true;
    need("(");
    const std::size_t used = uses.size();
    const NodePointer inner = number_argument();
    uses.resize(used);
    need(")");
    return node([inner](const LessonNumbers& numbers) { return inner->value(numbers.given()); });
  }

  NodePointer measure(const Measure& found) {
    const auto request = std::make_shared<MeasureRequest>();
    request->measure = &found;
    if (first_measure_ == nullptr) first_measure_ = request;
    if (take("(") && !take(")")) {
      do argument(*request);
      while (take(","));
      need(")");
    }
    const auto lacks = [&](char letter) {
      return std::string_view(found.parameters).find(letter) != std::string_view::npos &&
             request->parameters.find(letter) == std::string::npos;
    };
    if (lacks('i'))
      throw input_error("{} has no place; expected {}(0) for the first number", found.name, found.name);
    if (lacks('t')) throw input_error("{} has no text; expected {}(\"cat\")", found.name, found.name);
    MeasureUse& use = uses.emplace_back(MeasureUse{found.name, request->side_b, {}});
    for (const char letter : {'q', 'k', 'h'})
      if (lacks(letter)) use.locked += letter;
    // Of maps, not of tokens or sizes.
    const bool of_head = std::string_view(found.parameters).find_first_of("qkh") != std::string_view::npos &&
                         found.name != "x" && found.name != "output" && found.name != "probability";
    if (of_head && !request->head && use.locked.find('h') == std::string::npos &&
        request->parameters.find('h') == std::string::npos)
      use.locked += 'h';
    if (of_head && request->layer == nullptr) use.locked += 'l';
    return node([request](const LessonNumbers& numbers) { return request->value(numbers); });
  }
  void argument(MeasureRequest& node) {
    skip_space();
    const std::size_t before = at_;
    const std::string name = take_name();
    const std::string_view parameters = node.measure->parameters;
    if (!name.empty() && take_sign("=")) return named(node, name);
    at_ = before;
    const std::size_t place = node.arguments.size();
    if (place >= parameters.size())
      throw input_error("{} has too many arguments; expected at most {}", node.measure->name,
                        parameters.size());
    add(node, parameters[place]);
  }
  void named(MeasureRequest& node, const std::string& name) {
    const std::string_view parameters = node.measure->parameters;
    const auto has = [&](char letter) { return parameters.find(letter) != std::string_view::npos; };
    if (name == "layer") {
      node.layer = number_argument();
    } else if (name == "head") {
      node.head = number_argument();
    } else if (name == "side") {
      const std::optional<std::string> side = quoted();
      if (side != "a" && side != "b") throw wrong(TR("“{}” at “{}”; expected side=\"a\" or side=\"b\""));
      node.side_b = side == "b";
    } else if (name == "block") {
      const std::optional<std::string> block = quoted();
      node.block = block ? from_name<BlockKind>(*block) : std::nullopt;
      if (!node.block) throw wrong(TR("“{}” at “{}”; expected block=\"encoder\", \"decoder\" or \"cross\""));
    } else if ((name == "query" && has('q')) || (name == "key" && has('k'))) {
      add(node, name.front());
    } else {
      throw input_error(
          "{} has no argument {}; expected layer, head, side, block, or query and key of a cell",
          node.measure->name, cut_off(name, 40));
    }
  }
  void add(MeasureRequest& node, char letter) {
    MeasureRequest::Argument argument;
    if (letter == 'q' || letter == 'k' || letter == 't') argument.text = quoted();
    if (letter == 't' && !argument.text) throw wrong(TR("“{}” at “{}”; expected a text in quotation marks"));
    if (!argument.text) argument.number = number_argument();
    node.arguments.push_back(std::move(argument));
    node.parameters += letter;
  }
  NodePointer number_argument() {
    NodePointer node = sum();
    need_number(node);
    return node;
  }

  /// "it" or “它”, if there is one.
  std::optional<std::string> quoted() {
    skip_space();
    for (const auto& [open, close] : {std::pair{"\"", "\""}, std::pair{"'", "'"}, std::pair{"“", "”"}}) {
      if (!rest().starts_with(open)) continue;
      const std::size_t begin = at_ + std::string_view(open).size(), end = text_.find(close, begin);
      if (end == std::string_view::npos) throw wrong(TR("“{}” at “{}”; expected a closing quotation mark"));
      at_ = end + std::string_view(close).size();
      return std::string(text_.substr(begin, end - begin));
    }
    return std::nullopt;
  }

  void need_condition(const NodePointer& node) const {
    if (!node->is_condition)
      throw wrong(TR("“{}” at “{}”; expected a comparison on both sides of and, or, not"));
  }
  void need_number(const NodePointer& node) const {
    if (node->is_condition) throw wrong(TR("“{}” at “{}”; expected a number and not a comparison"));
  }

  static bool digit(char c) { return c >= '0' && c <= '9'; }
  static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  std::string_view rest() const { return text_.substr(at_); }
  bool at_end() {
    skip_space();
    return at_ >= text_.size();
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  bool take(std::string_view sign) {
    skip_space();
    if (!rest().starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  /// Also as printed in textbooks.
  bool take_sign(std::string_view sign) {
    if (sign == "=" && take("==")) return true;
    if (sign == "-" && take("−")) return true;
    if (sign == "*" && (take("×") || take("·"))) return true;
    return take(sign);
  }
  bool take_word(std::string_view word) {
    skip_space();
    const std::size_t before = at_;
    if (take_name() == word) return true;
    at_ = before;
    return false;
  }
  std::string take_name() {
    skip_space();
    std::size_t end = at_;
    while (end < text_.size() && (letter(text_[end]) || (end > at_ && digit(text_[end])))) ++end;
    std::string name(text_.substr(at_, end - at_));
    at_ = end;
    return name;
  }
  void need(const char* sign) {
    if (!take(sign))
      throw wrong(sign[0] == '(' ? TR("“{}” at “{}”; expected (") : TR("“{}” at “{}”; expected )"));
  }
  struct Sign {
    const char* written;
    const char* meant;
  };
  static constexpr std::array comparisons{
      Sign{"!=", "!="}, Sign{"≠", "!="}, Sign{"<=", "<="}, Sign{"≤", "<="}, Sign{">=", ">="},
      Sign{"≥", ">="},  Sign{"<", "<"},  Sign{">", ">"},   Sign{"==", "="}, Sign{"=", "="}};
  const char* take_one(const decltype(comparisons)& signs) {
    for (const Sign& one : signs)
      if (take(one.written)) return one.meant;
    return nullptr;
  }

  /// `text` shows the expression and the rest of it.
  Error wrong(const char* text) const {
    const auto shown = [](std::string_view part) { return cut_off(printable(part), 60); };
    return input_error(text, shown(text_), shown(text_.substr(std::min(at_, text_.size()))));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool has_outer_ = false;                               // inside given or for, where no other for is allowed
  std::shared_ptr<const MeasureRequest> first_measure_;  // inside a for
};

std::string with_thousands(std::string digits) {
  const std::size_t begin = digits.starts_with("-") ? 1 : 0;
  std::size_t end = std::min(digits.find('.'), digits.size());
  while (end > begin + 3) digits.insert(end -= 3, ",");
  return digits;
}

}  // namespace

Expression::Expression(std::string_view text) : text_(text) {
  Parser parser(text);
  root_ = parser.whole();
  uses_ = std::make_shared<const std::vector<MeasureUse>>(std::move(parser.uses));
}

bool Expression::is_condition() const {
  return root_->is_condition;
}

double Expression::evaluate(const LessonNumbers& numbers) const {
  return root_->value(numbers);
}

std::string Expression::compared(const LessonNumbers& numbers) const {
  return root_->compared(numbers);
}

NumberForm::NumberForm(std::string_view text) {
  static const std::regex form(R"((,)?(?:\.([0-9]))?([fed%])?)");
  if (text.empty()) throw input_error("there is nothing after the colon; expected a form such as .2f");
  std::cmatch found;
  const bool fits = std::regex_match(text.data(), text.data() + text.size(), found, form);
  if (!fits || (found[2].matched && (!found[3].matched || *found[3].first == 'd')))
    throw input_error("{} is not a form of numbers; expected one such as .2f, .3e, .1%, d or ,d",
                      cut_off(printable(text), 40));
  thousands_ = found[1].matched;
  if (found[2].matched) digits_ = *found[2].first - '0';
  if (found[3].matched) kind_ = *found[3].first;
}

std::string NumberForm::operator()(double value) const {
  const double shown = kind_ == '%' ? 100 * value : value;
  if (std::isnan(value)) return "–";
  if (std::isinf(shown)) return shown > 0 ? "∞" : "−∞";
  // Beyond this the exact digits do not matter.
  constexpr double whole_below = 1e15, plain_below = 1e21;
  const bool whole = std::abs(value) < whole_below && value == std::round(value);
  const char kind = std::abs(shown) < plain_below ? kind_ : 'e';
  std::string text;
  switch (kind) {
    case 'f':
    case '%':
      text = fmt::format("{:.{}f}", shown, digits_ >= 0 ? digits_ : kind == 'f' ? 3 : 0);
      break;
    case 'e':
      text = fmt::format("{:.{}e}", shown, digits_ < 0 ? 3 : digits_);
      break;
    case 'd':
      text = fmt::format("{:.0f}", value);
      break;
    default:
      text = whole ? fmt::format("{:.0f}", value) : statistic_text(value);
  }
  if (thousands_ && kind != 'e') text = with_thousands(std::move(text));
  if (kind_ == '%') text += "%";
  // No sign for what rounds to 0.
  if (text.starts_with("-") && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return with_minus(text);
}

}  // namespace headscope
