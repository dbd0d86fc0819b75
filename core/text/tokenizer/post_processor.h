#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "core/text/tokenizer/field.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope::tokenizers {

/// The tokens of a text, of its pair, and those inserted by a template, in the order in which they are
/// joined.
using Parts = std::vector<std::vector<EncodedToken>>;
/// The text of a token, for trimming spaces.
using TokenText = std::function<std::string_view(const EncodedToken&)>;

class PostProcessor {
 public:
  virtual ~PostProcessor() = default;
  /// `parts`: one for the text, or two with a pair. Without the template only types and spans change.
  virtual void process(Parts& parts, bool with_template, const TokenText& text_of,
                       WorkBudget& budget) const = 0;
};

/// Reads `post_processor` of a tokenizer.json. Throws Error (input).
std::unique_ptr<const PostProcessor> read_post_processor(const Field& field);

}  // namespace headscope::tokenizers
