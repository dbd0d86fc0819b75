#include "core/text/tokenizer/parts.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace headscope::tokenizers {
namespace {

/// Whether it contains "type": "ByteLevel" anywhere.
bool has_byte_level(const nlohmann::json& json) {
  if (json.is_object()) {
    const auto type = json.find("type");
    if (type != json.end() && *type == "ByteLevel") return true;
  }
  if (!json.is_structured()) return false;
  for (const auto& part : json)
    if (has_byte_level(part)) return true;
  return false;
}

template <typename Component>
Component read_if(const JsonField& top, const char* name, Component (*read)(const JsonField&)) {
  const auto field = top.find(name);
  return field ? read(*field) : nullptr;
}

}  // namespace

TokenizerParts read_parts(const JsonField& top, std::unique_ptr<const Model> model) {
  top.expect_object();
  const auto version = top.find("version");
  if (version && version->text() != "1.0") throw version->wrong("{}: {} is {}; expected \"1.0\"");
  TokenizerParts parts;
  parts.facts.file = top.file();
  parts.normalizer = read_if(top, "normalizer", read_normalizer);
  parts.pre_tokenizer = read_if(top, "pre_tokenizer", read_pre_tokenizer);
  if (model) {
    parts.model = std::move(model);
  } else {
    const JsonField field = top.at("model");
    parts.facts.model = model_type(field);
    parts.model = read_model(field);
  }
  parts.post_processor = read_if(top, "post_processor", read_post_processor);
  parts.decoder = read_if(top, "decoder", read_decoder);
  std::vector<AddedToken> added;
  if (const auto list = top.find("added_tokens")) added = list->each(read_added_token);
  parts.added = std::make_unique<AddedTokens>(std::move(added), *parts.model, parts.normalizer, top.budget());
  if (const auto truncation = top.find("truncation"))
    parts.facts.truncates_at = static_cast<std::size_t>(
        truncation->at("max_length").integer(0, std::numeric_limits<std::int64_t>::max()));
  parts.facts.pads = top.find("padding").has_value();
  for (const char* name : {"normalizer", "pre_tokenizer", "decoder"})
    if (const auto field = top.find(name))
      parts.has_byte_characters = parts.has_byte_characters || has_byte_level(field->json());
  return parts;
}

}  // namespace headscope::tokenizers
