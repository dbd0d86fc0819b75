#pragma once
#include <string>
#include <vector>

namespace headscope::tokenizers {

// The languages of translators whose files do not list them, in the order of their tokens' numbers, as the
// classes of their tokenizers have them in transformers.

std::vector<std::string> mbart_languages();     ///< en_XX (Liu et al. 2020)
std::vector<std::string> mbart_50_languages();  ///< the same and others behind them (Tang et al. 2020)
std::vector<std::string> nllb_languages();      ///< eng_Latn (NLLB Team 2022)
/// en: of "m2m100" (Fan et al. 2021) or "wmt21"; empty for any other name.
std::vector<std::string> m2m_languages(const std::string& name);

}  // namespace headscope::tokenizers
