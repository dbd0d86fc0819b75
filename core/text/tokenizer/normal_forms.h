#pragma once
#include "core/text/tokenizer/aligned_text.h"

namespace headscope::tokenizers {

enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// UAX #15 by Unicode 9, whatever ICU has: characters that came later stay as they are.
void normalize(AlignedText& text, NormalForm form);

}  // namespace headscope::tokenizers
