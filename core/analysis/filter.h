#pragma once
#include <optional>
#include <set>

namespace headscope {

/// Tokens [begin, end), from 0.
struct TokenRange {
  int begin = 0, end = 0;
  bool operator==(const TokenRange&) const = default;
};

/// Which cells of the maps are shown; filter_layer() applies it. Never changes a number of the trace.
struct Filter {
  double top_percent =
      100;               ///< of each row's mass, (0, 100]: the largest weights that together reach it stay
  double threshold = 0;  ///< weights below are not shown, [0, 1]
  std::set<int> hidden_queries{}, hidden_keys{};  ///< tokens that are left out, from 0
  bool renormalize = true;  ///< the shown weights of a row sum to 1 again when keys are left out
  std::optional<TokenRange> queries{}, keys{};  ///< only these rows and columns

  bool operator==(const Filter&) const = default;
  bool on() const {
    Filter off;
    off.renormalize = renormalize;
    return *this != off;
  }
};

}  // namespace headscope
