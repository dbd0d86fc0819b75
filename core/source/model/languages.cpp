#include "core/source/model/languages.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "core/base/error.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

bool all_of(std::string_view text, char first, char last) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) { return c >= first && c <= last; });
}

/// The name of a language's token; empty for any other.
std::string_view language_named(std::string_view token) {
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"__", "__"}, {">>", "<<"}}) {
    if (token.size() <= open.size() + close.size() || !token.starts_with(open) || !token.ends_with(close))
      continue;
    const std::string_view name = token.substr(open.size(), token.size() - open.size() - close.size());
    const std::string_view stem = name.substr(0, name.find('_'));
    return all_of(stem, 'a', 'z') && stem.size() < 4 ? name : std::string_view();
  }
  const std::size_t bar = token.find('_');
  if (bar == std::string_view::npos) return {};
  const std::string_view language = token.substr(0, bar), region = token.substr(bar + 1);
  const bool country = region.size() == 2 && all_of(region, 'A', 'Z') && language.size() == 2;
  const bool script = region.size() == 4 && all_of(region.substr(0, 1), 'A', 'Z') &&
                      all_of(region.substr(1), 'a', 'z') && language.size() == 3;
  return all_of(language, 'a', 'z') && (country || script) ? token : std::string_view();
}

bool is_marian(std::string_view token) {
  return token.starts_with(">>");
}

/// The name of the language that a token is of; empty: of none.
std::string_view language_of(const Tokenizer& tokenizer, Index id) {
  const auto token = tokenizer.token(static_cast<TokenId>(id));
  return token ? language_named(*token) : std::string_view();
}

/// The token of the language with this name.
TokenId token_of(const char* field, const std::string& name, const Tokenizer& tokenizer) {
  for (const std::string& token : {name, "__" + name + "__", ">>" + name + "<<"})
    if (const auto id = tokenizer.find(token); id && !language_named(token).empty()) return *id;
  const std::vector<std::string> known = languages_of(tokenizer);
  if (known.empty())
    throw input_error("{} is {}; this model has no languages to choose from", field,
                      cut_off(printable(name), 40));
  throw input_error("{} is {}; expected one of: {}", field, cut_off(printable(name), 40),
                    cut_off(fmt::format("{}", fmt::join(known, ", ")), 300));
}

Token token_in_text(const Tokenizer& tokenizer, TokenId id) {
  Token token = model_token(tokenizer, id);
  token.special = true;
  return token;
}

}  // namespace

std::vector<std::string> languages_of(const Tokenizer& tokenizer) {
  // They are few, at the ends of the vocabulary or among the added tokens: gaps between ids are few, too.
  constexpr TokenId beyond = 4096;
  std::vector<std::string> names;
  const auto end = static_cast<TokenId>(tokenizer.size()) + beyond;
  for (TokenId id = 0; id < end; ++id)
    if (const std::string_view name = language_of(tokenizer, id); !name.empty()) names.emplace_back(name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names.size() > 1 ? names : std::vector<std::string>();
}

void set_languages(const Text& text, const ModelConfig& config, const Tokenizer& tokenizer,
                   ModelText& result) {
  if (!text.source_language.empty()) {
    const Token language =
        token_in_text(tokenizer, token_of("source_language", text.source_language, tokenizer));
    const auto given = std::ranges::find_if(result.tokens, [&](const Token& token) {
      return token.special && token.begin == token.end && !language_of(tokenizer, token.id).empty();
    });
    if (given != result.tokens.end())
      *given = language;
    else
      result.tokens.insert(result.tokens.begin(), language);
  }
  if (text.target_language.empty()) return;
  const TokenId id = token_of("target_language", text.target_language, tokenizer);
  const Token language = token_in_text(tokenizer, id);
  // Marian's reads it before the sentence; mBART's first models begin the target with it, which is their
  // start token or takes its place; others read it after the start token.
  if (is_marian(*tokenizer.token(id)))
    result.tokens.insert(result.tokens.begin(), language);
  else if (!config.decoder_start_token || !language_of(tokenizer, *config.decoder_start_token).empty())
    result.target.front() = language;
  else
    result.first_written = id;
}

}  // namespace headscope
