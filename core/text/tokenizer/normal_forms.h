#pragma once
#include "core/text/tokenizer/aligned_text.h"

namespace headscope::tokenizers {

enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// UAX #15 with Unicode 9, whatever ICU's version: newer characters stay unchanged.
void normalize(AlignedText& text, NormalForm form);

}  // namespace headscope::tokenizers
