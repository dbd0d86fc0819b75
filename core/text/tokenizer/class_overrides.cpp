#include "core/text/tokenizer/class_overrides.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace headscope::tokenizers {
namespace {

using OverrideJson = nlohmann::json;

template <std::size_t Count>
bool is_one_of(const std::string& kind, const std::array<std::string_view, Count>& kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}
constexpr std::array<std::string_view, 3> lowering{"bert", "distilbert", "electra"};
constexpr std::array<std::string_view, 5> prefixing{"gpt2", "roberta", "bart", "led", "longformer"};
constexpr std::array<std::string_view, 3> framing{"llama", "codellama", "gemma"};

/// The part of a tokenizer.json; null if it is absent or not an object, which is reported when it is read.
OverrideJson* part_of(OverrideJson& tokenizer, const char* name) {
  if (!tokenizer.is_object()) return nullptr;
  const auto part = tokenizer.find(name);
  return part != tokenizer.end() && part->is_object() ? &*part : nullptr;
}

}  // namespace

void override_steps(OverrideJson& tokenizer, const std::string& kind, const Field& config) {
  const auto replace = [&](const char* part_name, const char* name, const char* stated) {
    OverrideJson* part = part_of(tokenizer, part_name);
    if (const auto field = config.find(stated); field && part && part->contains(name))
      (*part)[name] = field->flag();
  };
  if (is_one_of(kind, lowering)) {
    replace("normalizer", "lowercase", "do_lower_case");
    replace("normalizer", "strip_accents", "strip_accents");
    replace("normalizer", "handle_chinese_chars", "tokenize_chinese_chars");
  }
  if (is_one_of(kind, prefixing))
    for (const char* part : {"pre_tokenizer", "post_processor"})
      replace(part, "add_prefix_space", "add_prefix_space");
}

void override_template(TokenizerParts& parts, const std::string& kind, const Field& config,
                       const std::string& begin, const std::string& end) {
  if (!is_one_of(kind, framing) || !config.find("add_bos_token")) return;
  OverrideJson single = OverrideJson::array(), pair = OverrideJson::array(), known = OverrideJson::object();
  const auto add = [&](OverrideJson& list, const char* stated, const std::string& token, int type) {
    if (!config.flag(stated, false) || token.empty()) return;
    auto id = parts.added->find(token);
    if (!id) id = parts.model->vocabulary().find(token);
    if (!id) return;
    list.push_back({{"SpecialToken", {{"id", token}, {"type_id", type}}}});
    known[token] = {{"id", token}, {"ids", {*id}}, {"tokens", {token}}};
  };
  for (const auto& [sequence, type] : {std::pair{"A", 0}, std::pair{"B", 1}}) {
    add(pair, "add_bos_token", begin, type);
    pair.push_back({{"Sequence", {{"id", sequence}, {"type_id", type}}}});
    add(pair, "add_eos_token", end, type);
    if (type == 0) single = pair;
  }
  const OverrideJson result = {{"type", "TemplateProcessing"},
                               {"single", std::move(single)},
                               {"pair", std::move(pair)},
                               {"special_tokens", std::move(known)}};
  parts.post_processor = read_post_processor(Field(result, config.file(), config.budget()));
}

}  // namespace headscope::tokenizers
