#include "core/base/budget.h"

#include <limits>
#include <utility>

#include "core/base/translate.h"

namespace headscope {
namespace {

// Enough for any small file of ours; the allowance of a large one, such as a painted mask of millions of
// cells, grows with its size.
constexpr std::size_t for_any_file = std::size_t{64} << 20;
constexpr std::size_t for_each_byte = 32;

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

}  // namespace headscope
