#include "core/base/work_budget.h"

#include <algorithm>
#include <utility>

#include "core/base/translate.h"

namespace headscope {
namespace {

constexpr std::size_t steps_a_second = 20'000'000;
constexpr std::size_t steps_for_any_file = steps_a_second, steps_for_each_byte = 10;

}  // namespace

WorkBudget::WorkBudget(std::string source, std::size_t file_bytes, std::stop_token stop)
    : Budget(source, file_bytes),
      source_(std::move(source)),
      all_(steps_for_any_file +
           steps_for_each_byte * std::min<std::size_t>(file_bytes, PTRDIFF_MAX / steps_for_each_byte)),
      left_(all_),
      stop_(std::move(stop)) {}

std::size_t WorkBudget::steps_of(double multiply_adds) {
  constexpr double each_step = 5000, beyond = 1e18;
  return static_cast<std::size_t>(std::clamp(multiply_adds / each_step, 0.0, beyond));
}

void WorkBudget::spend(std::size_t steps) {
  if (!take(steps))
    throw OverBudget(Error::Kind::input,
                     TR("{}: too much is packed into it: it would take more than about {} s of work"),
                     source_, seconds());
}

std::size_t WorkBudget::seconds() const {
  return all_ / steps_a_second;
}

bool WorkBudget::take(std::size_t steps) {
  left_ -= steps < left_ && !stop_.stop_requested() ? steps : left_;
  return left_ > 0;
}

}  // namespace headscope
