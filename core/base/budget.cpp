#include "core/base/budget.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/translate.h"

namespace headscope {
namespace {

// Enough for any small file of ours; the allowance of a large one, such as a painted mask of millions of
// cells, grows with its size.
constexpr std::size_t for_any_file = std::size_t{64} << 20;
constexpr std::size_t for_each_byte = 32;

constexpr std::size_t steps_a_second = 20'000'000;
constexpr std::size_t steps_for_any_file = steps_a_second, steps_for_each_byte = 10;

}  // namespace

Budget::Budget(std::string source, std::size_t file_bytes)
    : source_(std::move(source)),
      all_(file_bytes > (std::numeric_limits<std::size_t>::max() - for_any_file) / for_each_byte
               ? std::numeric_limits<std::size_t>::max()
               : for_any_file + for_each_byte * file_bytes),
      left_(all_) {}

void Budget::charge(std::size_t items, std::size_t bytes_each) {
  if (bytes_each != 0 && items > left_ / bytes_each)
    throw OverBudget(Error::Kind::input,
                     TR("{}: too much is packed into it: reading it would take more than {} MB of memory"),
                     source_, all_ >> 20);
  left_ -= items * bytes_each;
}

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
