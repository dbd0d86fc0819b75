#include "core/source/seeded/pytorch_mask.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/source/seeded/pytorch_text.h"

namespace headscope {
namespace {

bool same_for_all(const Mask& mask, int heads) {
  for (int h = 1; h < heads; ++h)
    if (!mask.same(h, 0)) return false;
  return true;
}

/// Whether the first head's mask lets each query see exactly what `seen(query, spans)` returns.
template <typename Seen>
bool is_mask(const Mask& mask, const Seen& seen) {
  KeySpans scratch, expected;
  for (Index i = 0; i < mask.n_q(); ++i) {
    expected.clear();
    seen(static_cast<int>(i), expected);
    merge_spans(expected);
    if (!std::ranges::equal(mask.row(0, i, scratch), expected)) return false;
  }
  return true;
}

/// Keys that are seen by any query.
KeySpans seen_columns(const Mask& mask) {
  KeySpans columns, scratch;
  for (Index i = 0; i < mask.n_q(); ++i) {
    const auto row = mask.row(0, i, scratch);
    columns.insert(columns.end(), row.begin(), row.end());
    merge_spans(columns);
  }
  return columns;
}

/// The line for a common mask with a simple form; "" for others.
std::string pattern_code(const Mask& mask) {
  constexpr const char* causal = "blocked = torch.ones(n_q, n_k, dtype=torch.bool).triu(1)\n";
  const int n_k = static_cast<int>(mask.n_k());
  const auto up_to_own = [n_k](int i, KeySpans& spans) { spans.push_back({0, std::min(i + 1, n_k)}); };
  if (is_mask(mask, up_to_own)) return causal;
  const KeySpans columns = seen_columns(mask);
  KeySpans without;
  subtract_spans(KeySpans{{0, n_k}}, columns, without);
  std::vector<int> blocked;
  for (const KeySpan& span : without)
    for (int key = span.begin; key < span.end; ++key) blocked.push_back(key);
  const std::string set = fmt::format("blocked[:, [{}]] = True\n", fmt::join(blocked, ", "));
  if (is_mask(mask, [&](int, KeySpans& spans) { spans = columns; }))
    return "blocked = torch.zeros(n_q, n_k, dtype=torch.bool)\n" + set;
  // A causal mask blocks the last columns for the first query only, and whole columns only in a single row.
  if (is_mask(mask, [&](int i, KeySpans& spans) {
        subtract_spans(columns, KeySpans{{std::min(i + 1, n_k), n_k}}, spans);
      }))
    return causal + set;
  int w = 0;
  while (w < n_k && !mask.blocked(0, 0, w)) ++w;
  if (w > 0 && is_mask(mask, [&](int i, KeySpans& spans) {
        spans.push_back({std::max(0, i - w + 1), std::min(i + w, n_k)});
      }))
    return fmt::format("blocked = (torch.arange(n_q)[:, None] - torch.arange(n_k)).abs() > {}\n", w - 1);
  return "";
}

std::string cells(const Mask& mask, int head, const char* between) {
  std::string text;
  for (Index i = 0; i < mask.n_q(); ++i) {
    if (i > 0) text += between;
    for (Index j = 0; j < mask.n_k(); ++j) text += mask.blocked(head, i, j) ? '1' : '0';
  }
  return text;
}

}  // namespace

std::string pytorch_mask(const Mask& mask, int heads) {
  if (!mask.any()) return "";
  const bool common = same_for_all(mask, heads);
  if (common)
    if (std::string line = pattern_code(mask); !line.empty()) return line;
  const Index written = mask.n_q() * mask.n_k() * (common ? 1 : heads);
  if (written > PytorchLimits::max_cells)
    throw input_error(
        "the mask is no plain pattern and has {} cells; expected at most {} to write out: use fewer tokens "
        "or heads, or "
        "another mask",
        written, PytorchLimits::max_cells);
  if (common)
    return "blocked = torch.tensor([[c == \"1\" for c in row] for row in \"\"\"\n" + cells(mask, 0, "\n") +
           "\n\"\"\".split()])\n";
  std::string text =
      "blocked = torch.tensor([[[c == \"1\" for c in row] for row in head.split()] for head in (\n";
  for (int h = 0; h < heads; ++h) text += "    \"" + cells(mask, h, " ") + "\",\n";
  return text + ")])\n";
}

}  // namespace headscope
