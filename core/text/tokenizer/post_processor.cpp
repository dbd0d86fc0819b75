#include "core/text/tokenizer/post_processor.h"

#include <algorithm>
#include <limits>

#include "core/text/tokenizer/aligned_text.h"
#include "core/text/tokenizer/characters.h"

namespace headscope::tokenizers {
namespace {

using Made = std::unique_ptr<const PostProcessor>;

TokenId read_id(const Field& field) {
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
  explicit TrimmedSpans(const Field& field)
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

  /// Ġ stands for a space, of one byte.
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

class ByteLevel : public PostProcessor {
 public:
  explicit ByteLevel(const Field& field) : spans_(field) {}
  void process(Parts& parts, bool, const TokenText& text_of, WorkBudget&) const override {
    spans_.apply(parts, text_of);
  }

 private:
  TrimmedSpans spans_;
};

/// ["[SEP]", 102]
TokenId read_pair(const Field& field) {
  if (field.items() != 2) throw field.wrong("{}: {} is {}; expected [\"token\", id]");
  static_cast<void>(field.item(0).text());
  return read_id(field.item(1));
}

/// [CLS] A [SEP], with a pair followed by B [SEP].
class Bert : public PostProcessor {
 public:
  explicit Bert(const Field& field) : sep_(read_pair(field.at("sep"))), cls_(read_pair(field.at("cls"))) {}
  void process(Parts& parts, bool with_template, const TokenText&, WorkBudget&) const override {
    if (!with_template) return;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i == 0) parts[i].insert(parts[i].begin(), template_token(cls_, 0));
      parts[i].push_back(template_token(sep_, i == 0 ? 0 : 1));
    }
  }

 private:
  TokenId sep_, cls_;
};

/// <s> A </s>, with a pair followed by </s> B </s>; all of one type.
class Roberta : public PostProcessor {
 public:
  explicit Roberta(const Field& field)
      : sep_(read_pair(field.at("sep"))), cls_(read_pair(field.at("cls"))), spans_(field) {}
  void process(Parts& parts, bool with_template, const TokenText& text_of, WorkBudget&) const override {
    spans_.apply(parts, text_of);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (EncodedToken& token : parts[i]) token.type = 0;
      if (!with_template) continue;
      parts[i].insert(parts[i].begin(), template_token(i == 0 ? cls_ : sep_, 0));
      parts[i].push_back(template_token(sep_, 0));
    }
  }

 private:
  TokenId sep_, cls_;
  TrimmedSpans spans_;
};

class Template : public PostProcessor {
 public:
  explicit Template(const Field& field)
      : single_(read_items(field.at("single"), field, 1)), pair_(read_items(field.at("pair"), field, 2)) {}

  void process(Parts& parts, bool with_template, const TokenText&, WorkBudget&) const override {
    if (parts.empty() || parts.size() > 2) return;  // another template was applied before
    Parts result;
    for (const Item& item : parts.size() == 1 ? single_ : pair_) {
      if (item.sequence >= 0) {
        result.push_back(parts[static_cast<std::size_t>(item.sequence)]);
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

  static std::vector<Item> read_items(const Field& list, const Field& field, int sequences) {
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

  static Item read_item(const Field& entry, const Field& field, int sequences) {
    Item item;
    const auto type = [](const Field& one) {
      return static_cast<int>(one.at("type_id").integer(0, std::numeric_limits<int>::max()));
    };
    if (const auto sequence = entry.find("Sequence")) {
      const Field id = sequence->at("id");
      item.sequence = id.text() == "A" ? 0 : id.text() == "B" ? 1 : -1;
      if (item.sequence < 0 || item.sequence >= sequences)
        throw id.wrong("{}: {} is {}; expected one of: {}", sequences == 1 ? "A" : "A, B");
      item.type = type(*sequence);
      return item;
    }
    const Field special = entry.at("SpecialToken");
    item.type = type(special);
    const Field name = special.at("id");
    const auto known = field.at("special_tokens").find(name.text().c_str());
    if (!known) throw name.wrong("{}: {} is {}; expected one of special_tokens");
    const Field ids = known->at("ids");
    for (std::size_t i = 0; i < ids.items(); ++i) item.ids.push_back(read_id(ids.item(i)));
    return item;
  }

  std::vector<Item> single_, pair_;
};

class Sequence : public PostProcessor {
 public:
  explicit Sequence(const Field& field) {
    const Field list = field.at("processors");
    for (std::size_t i = 0; i < list.items(); ++i) all_.push_back(read_post_processor(list.item(i)));
  }
  void process(Parts& parts, bool with_template, const TokenText& text_of,
               WorkBudget& budget) const override {
    for (const Made& one : all_) {
      std::size_t tokens = 0;
      for (const auto& part : parts) tokens += part.size();
      budget.spend(1 + tokens);
      one->process(parts, with_template, text_of, budget);
    }
  }

 private:
  std::vector<Made> all_;
};

template <typename Kind>
Made make(const Field& field) {
  return std::make_unique<Kind>(field);
}

struct PostProcessorKind {
  const char* name;
  Made (*make)(const Field&);
};

constexpr PostProcessorKind post_processor_kinds[] = {{"BertProcessing", make<Bert>},
                                                      {"ByteLevel", make<ByteLevel>},
                                                      {"RobertaProcessing", make<Roberta>},
                                                      {"Sequence", make<Sequence>},
                                                      {"TemplateProcessing", make<Template>}};

}  // namespace

std::unique_ptr<const PostProcessor> read_post_processor(const Field& field) {
  return field.at("type").one_of(post_processor_kinds).make(field);
}

}  // namespace headscope::tokenizers
