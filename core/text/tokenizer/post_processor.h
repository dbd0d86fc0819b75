#pragma once
#include <functional>
#include <vector>

#include "core/io/json_field.h"
#include "core/text/tokenizer/tokenizer.h"

namespace headscope::tokenizers {

/// The tokens of a text, of its pair, and those inserted by a template, in the order in which they are
/// joined.
using Parts = std::vector<std::vector<EncodedToken>>;
/// The text of a token, for trimming spaces.
using TokenText = std::function<std::string_view(const EncodedToken&)>;

/// `parts`: one for the text, or two with a pair. Without the template only types and spans change.
using PostProcessor =
    std::function<void(Parts& parts, bool with_template, const TokenText& text_of, WorkBudget& budget)>;

/// Reads `post_processor` of a tokenizer.json. Throws Error (input).
PostProcessor read_post_processor(const JsonField& field);

}  // namespace headscope::tokenizers
