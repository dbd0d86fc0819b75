#include "app/cli/token_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/expectations.h"
#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {

Index one_token(const char* option, const std::string& text, const Predictions& predictions) {
  if (const std::optional<Index> id = named_token(predictions, text)) return *id;
  if (!predictions.of_tokens())
    throw input_error("{} is \"{}\"; expected one label of this model ({}), or id:0 to id:{}", option, text,
                      cut_off(fmt::format("{}", fmt::join(predictions.output().labels, ", ")), 200),
                      predictions.vocabulary() - 1);
  const std::vector<Index> pieces = predictions.ids(text);
  if (pieces.size() < 2 || text.starts_with("id:"))
    throw input_error("{} is \"{}\"; expected one token of this model, or id:0 to id:{}", option, text,
                      predictions.vocabulary() - 1);
  std::string list;
  for (const Index id : pieces)
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", printable(predictions.token(id)));
  throw input_error(
      "{} is \"{}\", which this model reads in pieces: {}; expected one token, such as the first, id:{}",
      option, text, list, pieces.front());
}

}  // namespace headscope
