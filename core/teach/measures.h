#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/base/budget.h"
#include "core/source/trace.h"

namespace headscope {

/// What the expressions of a lesson are about: a run, its locked cell, and the run it is compared with.
class LessonNumbers {
 public:
  /// The defaults for what an expression does not specify, all from 0.
  struct Place {
    int layer = 0;
    std::optional<int> head, query, key;
    bool operator==(const Place&) const = default;
  };

  /// `work`: the budget of its numbers, shared with those of the steps before.
  LessonNumbers(std::shared_ptr<const Trace> a, std::shared_ptr<const Trace> b, BlockKind block,
                const Place& place, std::shared_ptr<WorkBudget> work = std::make_shared<WorkBudget>("", 0));

  /// The run of a side. Throws Error (input) if there is none.
  const Trace& trace(bool side_b) const;
  bool compares() const { return trace_[1] != nullptr; }
  /// The shown block, or the named one.
  const BlockTrace& block(bool side_b, std::optional<BlockKind> named = {}) const;
  const Place& place() const { return place_; }
  /// The same runs with another locked cell.
  LessonNumbers at(const Place& place) const;
  /// The same with another budget.
  LessonNumbers within(std::shared_ptr<WorkBudget> work) const;
  /// The numbers of the step as given, if these are for a state that a reader has changed.
  const LessonNumbers& given() const { return given_ ? *given_ : *this; }
  void set_given(std::shared_ptr<const LessonNumbers> given) { given_ = std::move(given); }

  /// The result of `compute`, cached by `key`: a lesson names the same number again and again.
  /// `multiply_adds`: its approximate cost. Throws OverBudget if it is too much.
  double once(const std::string& key, double multiply_adds, const std::function<double()>& compute) const;
  /// Whether expressions have the same values with both.
  bool operator==(const LessonNumbers& other) const;

 private:
  std::shared_ptr<const Trace> trace_[2];
  std::shared_ptr<const BlockTrace> block_[2];
  Place place_;
  std::shared_ptr<const LessonNumbers> given_;
  mutable std::map<std::string, double> known_;
  std::shared_ptr<WorkBudget> work_;
};

/// Throws OverBudget if the runs and the numbers of a lesson take more than `work` has.
void spend(WorkBudget& work, double multiply_adds);

/// A token as an expression names it: by its position from 0, or by its text, "the#2" for the second such.
using TokenName = std::variant<double, std::string>;

struct Measure;

/// Which maps a measure reads: anything left out is taken from the view.
struct MeasureOf {
  bool side_b = false;
  std::optional<BlockKind> block = {};
  std::optional<double> layer = {}, head = {};
};

/// The arguments of a measure; anything left out is taken from the locked cell.
class MeasureCall {
 public:
  /// One letter of `parameters` per argument, as Measure has them.
  MeasureCall(const LessonNumbers& numbers, const Measure& measure, MeasureOf of,
              std::vector<TokenName> arguments, std::string parameters);

  const Measure& measure() const { return measure_; }
  const LessonNumbers& numbers() const { return numbers_; }
  const Trace& trace() const { return trace_; }
  const BlockTrace& block() const { return block_; }
  // Each throws Error (input) if it is not specified, or does not exist.
  int layer() const;
  int head() const;
  int query() const { return token('q'); }
  int key() const { return token('k'); }
  /// For a token, wherever it is.
  const std::string& text() const { return std::get<std::string>(*argument('t')); }
  /// Approximate multiply–adds that its value takes.
  double cost() const;
  /// A position from 0 in a vector of this many numbers.
  Index index(Index count) const;

 private:
  const TokenName* argument(char parameter) const;
  int token(char parameter) const;

  const LessonNumbers& numbers_;
  const Measure& measure_;
  const Trace& trace_;
  const BlockTrace& block_;
  MeasureOf of_;
  std::vector<TokenName> arguments_;
  std::string parameters_;
};

/// A number that an expression can name.
struct Measure {
  std::string name;
  /// What may be in parentheses, a letter each: q a query, k a key, h a head, those of the locked cell if
  /// left out; i a position in a vector and t a token's text, which are never left out.
  const char* parameters;
  double (*value)(const MeasureCall& call);
  const HeadColumn* column = nullptr;
};
/// Includes each column of head_columns() as a measure of a head, "entropy" as "head_entropy".
std::span<const Measure> measures();
/// nullptr if there is none.
const Measure* find_measure(std::string_view name);
/// "weight, score, …"
std::string measure_names();

}  // namespace headscope
