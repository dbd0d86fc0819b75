#include "core/text/tokenizer/post_processor.h"

#include <algorithm>
#include <limits>

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/characters.h"

namespace headscope::tokenizers {
namespace {

TokenId read_id(const JsonField& field) {
  return static_cast<TokenId>(field.integer(0, std::numeric_limits<TokenId>::max()));
}

EncodedToken template_token(TokenId id, int type) {
  EncodedToken token;
  token.id = id;
  token.type = type;
  token.special = true;
  return token;
}

/// Leading and trailing spaces of a byte-level token are not part of its span.
class TrimmedSpans {
 public:
  explicit TrimmedSpans(const JsonField& field)
      : trims_(field.flag("trim_offsets", true)), adds_space_(field.flag("add_prefix_space", true)) {}

  void apply(Parts& parts, const TokenText& text_of) const {
    if (!trims_) return;
    for (auto& part : parts)
      for (std::size_t i = 0; i < part.size(); ++i) trim(part[i], i == 0, text_of(part[i]));
  }

 private:
  void trim(EncodedToken& token, bool is_first, std::string_view text) const {
    const std::u32string all = characters(text);
    const auto is_space = [](char32_t c) { return c == U'Ġ' || is_white_space(c); };
    const auto first = std::ranges::find_if_not(all, is_space);
    const auto last = std::find_if_not(all.rbegin(), std::make_reverse_iterator(first), is_space).base();
    const std::size_t before = bytes_of_spaces(all.begin(), first);
    if (before > 0) {
      // A space added before the sentence is not in it.
      const bool is_put = (is_first || token.begin == 0) && adds_space_ && first - all.begin() == 1;
      if (is_put && first == all.end()) token.end = token.begin;
      if (!is_put) token.begin = std::min(token.begin + before, token.end);
    }
    const std::size_t behind = bytes_of_spaces(first == all.end() ? all.begin() : last, all.end());
    if (behind > 0 && token.end >= behind) token.end = std::max(token.end - behind, token.begin);
  }

  /// Ġ is a space, of one byte.
  template <typename Iterator>
  static std::size_t bytes_of_spaces(Iterator begin, Iterator end) {
    std::size_t bytes = 0;
    for (; begin != end; ++begin) {
      std::string written;
      append_utf8(written, *begin);
      bytes += *begin == U'Ġ' ? 1 : written.size();
    }
    return bytes;
  }

  bool trims_, adds_space_;
};

PostProcessor read_trimmed_spans(const JsonField& field) {
  return [spans = TrimmedSpans(field)](Parts& parts, bool, const TokenText& text_of, WorkBudget&) {
    spans.apply(parts, text_of);
  };
}

/// ["[SEP]", 102]
TokenId read_pair(const JsonField& field) {
  if (field.items() != 2) throw field.wrong("{}: {} is {}; expected [\"token\", id]");
  static_cast<void>(field.item(0).text());
  return read_id(field.item(1));
}

/// [CLS] A [SEP], with a pair followed by B [SEP].
PostProcessor read_bert_template(const JsonField& field) {
  const TokenId sep = read_pair(field.at("sep")), cls = read_pair(field.at("cls"));
  return [sep, cls](Parts& parts, bool with_template, const TokenText&, WorkBudget&) {
    if (!with_template) return;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i == 0) parts[i].insert(parts[i].begin(), template_token(cls, 0));
      parts[i].push_back(template_token(sep, i == 0 ? 0 : 1));
    }
  };
}

/// <s> A </s>, with a pair followed by </s> B </s>; all of one type.
PostProcessor read_roberta_template(const JsonField& field) {
  const TokenId sep = read_pair(field.at("sep")), cls = read_pair(field.at("cls"));
  return [sep, cls, spans = TrimmedSpans(field)](Parts& parts, bool with_template, const TokenText& text_of,
                                                 WorkBudget&) {
    spans.apply(parts, text_of);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (EncodedToken& token : parts[i]) token.type = 0;
      if (!with_template) continue;
      parts[i].insert(parts[i].begin(), template_token(i == 0 ? cls : sep, 0));
      parts[i].push_back(template_token(sep, 0));
    }
  };
}

class Template {
 public:
  explicit Template(const JsonField& field)
      : single_(read_items(field.at("single"), field, 1)), pair_(read_items(field.at("pair"), field, 2)) {}

  void operator()(Parts& parts, bool with_template, const TokenText&, WorkBudget&) const {
    if (parts.empty() || parts.size() > 2) return;  // another template was applied before
    Parts result;
    for (const Item& item : parts.size() == 1 ? single_ : pair_) {
      if (item.sequence >= 0) {
        result.push_back(parts[item.sequence]);
        for (EncodedToken& token : result.back()) token.type = item.type;
      } else if (with_template) {
        result.emplace_back();
        for (const TokenId id : item.ids) result.back().push_back(template_token(id, item.type));
      }
    }
    parts = std::move(result);
  }

 private:
  struct Item {
    int sequence = -1;  // 0 or 1; otherwise the tokens of `ids`
    std::vector<TokenId> ids;
    int type = 0;
  };

  static std::vector<Item> read_items(const JsonField& list, const JsonField& field, int sequences) {
    constexpr std::size_t maximum = 1 << 16;  // far more than a text has
    std::vector<Item> items;
    std::size_t tokens = 0;
    for (std::size_t i = 0; i < list.items(); ++i) {
      items.push_back(read_item(list.item(i), field, sequences));
      tokens += items.back().sequence >= 0 ? maximum / 16 : 1 + items.back().ids.size();
      if (tokens > maximum) throw input_error("{}: the template is too long for any text", list.place());
    }
    return items;
  }

  static Item read_item(const JsonField& entry, const JsonField& field, int sequences) {
    Item item;
    const auto type = [](const JsonField& one) {
      return static_cast<int>(one.at("type_id").integer(0, std::numeric_limits<int>::max()));
    };
    if (const auto sequence = entry.find("Sequence")) {
      const JsonField id = sequence->at("id");
      item.sequence = id.text() == "A" ? 0 : id.text() == "B" ? 1 : -1;
      if (item.sequence < 0 || item.sequence >= sequences)
        throw id.wrong("{}: {} is {}; expected one of: {}", sequences == 1 ? "A" : "A, B");
      item.type = type(*sequence);
      return item;
    }
    const JsonField special = entry.at("SpecialToken");
    item.type = type(special);
    const JsonField name = special.at("id");
    const auto known = field.at("special_tokens").find(name.text().c_str());
    if (!known) throw name.wrong("{}: {} is {}; expected one of special_tokens");
    const JsonField ids = known->at("ids");
    for (std::size_t i = 0; i < ids.items(); ++i) item.ids.push_back(read_id(ids.item(i)));
    return item;
  }

  std::vector<Item> single_, pair_;
};

PostProcessor read_post_processor_sequence(const JsonField& field) {
  return [all = field.at("processors").each(read_post_processor)](
             Parts& parts, bool with_template, const TokenText& text_of, WorkBudget& budget) {
    for (const PostProcessor& process : all) {
      std::size_t tokens = 0;
      for (const auto& part : parts) tokens += part.size();
      budget.spend(1 + tokens);
      process(parts, with_template, text_of, budget);
    }
  };
}

constexpr Kind<PostProcessor> post_processor_kinds[] = {
    {"BertProcessing", read_bert_template},
    {"ByteLevel", read_trimmed_spans},
    {"RobertaProcessing", read_roberta_template},
    {"Sequence", read_post_processor_sequence},
    {"TemplateProcessing", [](const JsonField& field) -> PostProcessor { return Template(field); }}};

}  // namespace

PostProcessor read_post_processor(const JsonField& field) {
  return field.read_kind(post_processor_kinds);
}

}  // namespace headscope::tokenizers
