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

#include "core/analysis/head_columns.h"
#include "core/base/work_budget.h"
#include "core/source/trace.h"

namespace headscope {

/// What the expressions of a lesson are about: a run, the cell that is locked in it, and the run it is
/// compared with.
class LessonNumbers {
 public:
  /// What stands where an expression does not say it, all from 0.
  struct Place {
    int layer = 0;
    std::optional<int> head, query, key;
    bool operator==(const Place&) const = default;
  };

  /// `work`: what its numbers may take in all, shared with those of the steps before.
  LessonNumbers(std::shared_ptr<const Trace> a, std::shared_ptr<const Trace> b, BlockKind block,
                const Place& place, std::shared_ptr<WorkBudget> work = std::make_shared<WorkBudget>("", 0));

  /// The run of a side. Throws Error (input) where there is none.
  const Trace& trace(bool side_b) const;
  /// The block that is shown, or the one that is named.
  const BlockTrace& block(bool side_b, std::optional<BlockKind> named = {}) const;
  const Place& place() const { return place_; }
  /// The same runs with another locked cell.
  LessonNumbers at(const Place& place) const;
  /// Those of the step as it is given, where these are of what a reader has made of it.
  const LessonNumbers& given() const { return given_ ? *given_ : *this; }
  void set_given(std::shared_ptr<const LessonNumbers> given) { given_ = std::move(given); }

  /// What `compute` gave when this `key` was asked for first: a lesson names the same number again and again.
  /// `multiply_adds`: about what that takes. Throws OverBudget where it is too much.
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

/// Throws OverBudget where the runs and the numbers of a lesson take more than `work` has.
void spend(WorkBudget& work, double multiply_adds);

/// A token as an expression names it: by its place from 0, or by its text, "the#2" for the second such.
using TokenName = std::variant<double, std::string>;

struct Measure;

/// Which maps a measure is asked of: what is left out is what is shown.
struct MeasureOf {
  bool side_b = false;
  std::optional<BlockKind> block = {};
  std::optional<double> layer = {}, head = {};
};

/// What a measure is asked for: what its arguments say, the rest taken from the locked cell.
class MeasureCall {
 public:
  /// A letter of `parameters` for each argument, as Measure has them.
  MeasureCall(const LessonNumbers& numbers, const Measure& measure, MeasureOf of,
              std::vector<TokenName> arguments, std::string parameters);

  const Measure& measure() const { return measure_; }
  const LessonNumbers& numbers() const { return numbers_; }
  const Trace& trace() const { return trace_; }
  const BlockTrace& block() const { return block_; }
  // Each throws Error (input) where nothing says it, or where there is no such one.
  int layer() const;
  int head() const;
  int query() const { return token('q'); }
  int key() const { return token('k'); }
  /// Of a token, wherever it stands.
  const std::string& text() const { return std::get<std::string>(*argument('t')); }
  /// About the multiply–adds that its value takes.
  double cost() const;
  /// A place from 0 in a vector of so many numbers.
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
  /// What may be in parentheses, a letter each: q a query, k a key, h a head, those of the locked cell where
  /// they are left out; i a place in a vector and t a token's text, which are never left out.
  const char* parameters;
  double (*value)(const MeasureCall& call);
  const HeadColumn* column = nullptr;
};
/// With each column of head_columns() as a measure of a head, "entropy" as "head_entropy".
std::span<const Measure> measures();
/// nullptr where there is none.
const Measure* find_measure(std::string_view name);
/// "weight, score, …"
std::string measure_names();

}  // namespace headscope
