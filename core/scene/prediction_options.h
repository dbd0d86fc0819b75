#pragma once
#include <optional>
#include <string>

namespace headscope {

/// Which prediction the views of layers and heads are about.
struct PredictionOptions {
  std::string token;            ///< the next token, as named_token(); empty: the likeliest
  std::string against;          ///< a second token, whose logit is subtracted; empty: none
  std::optional<int> position;  ///< the query, from 0; none: the last
  bool operator==(const PredictionOptions&) const = default;
};

}  // namespace headscope
