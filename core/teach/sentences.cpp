#include "core/teach/sentences.h"

#include <utility>

namespace headscope {
namespace {

/// Whether a sentence ends behind the byte at `at`.
bool ends_behind(std::string_view plain, std::size_t at) {
  if (plain[at] == '\n') return true;
  const std::string_view so_far = plain.substr(0, at + 1);
  for (const std::string_view sign : {"。", "？", "！"})
    if (so_far.ends_with(sign)) return true;
  const bool stop = plain[at] == '.' || plain[at] == '?' || plain[at] == '!';
  return stop &&
         (at + 1 == plain.size() || std::string_view(" \n)").find(plain[at + 1]) != std::string::npos);
}

/// Replaces what is more than a sentence by its parts. `plain` is all that the spans are in, from `at` on.
void divide(std::vector<TextSpan>& spans, std::string_view plain, std::size_t& at) {
  std::vector<TextSpan> divided;
  for (TextSpan& span : spans) {
    const std::size_t bytes = plain_span(span).size();
    const bool text = span.kind == TextSpan::Kind::text && span.link.empty();
    std::size_t begin = 0;
    for (std::size_t i = 0; text && i + 1 < bytes; ++i) {
      if (!ends_behind(plain, at + i)) continue;
      TextSpan& part = divided.emplace_back(span);
      part.text = span.text.substr(begin, i + 1 - begin);
      begin = i + 1;
    }
    at += bytes;
    if (begin > 0) span.text.erase(0, begin);
    divided.push_back(std::move(span));
  }
  spans = std::move(divided);
}

class Divider {
 public:
  std::vector<Sentence> all;

  void blocks(std::vector<TextBlock>& list) {
    for (TextBlock& block : list)
      if (block.kind == TextBlock::Kind::row)
        row(block);
      else
        one(block);
  }

 private:
  void one(TextBlock& block) {
    if (block.kind == TextBlock::Kind::code) return;
    std::string plain;
    for (const TextSpan& span : block.spans) plain += plain_span(span);
    std::size_t at = 0;
    divide(block.spans, plain, at);
    at = 0;
    for (TextSpan& span : block.spans) add(span, plain, at);
    ended_ = true;
    blocks(block.children);
  }
  void row(TextBlock& row) {
    constexpr std::string_view between = " | ";
    std::string plain;
    for (const TextBlock& cell : row.children) {
      for (const TextSpan& span : cell.spans) plain += plain_span(span);
      plain += between;
    }
    std::size_t at = 0;
    for (TextBlock& cell : row.children) {
      divide(cell.spans, plain, at);
      at += between.size();
    }
    at = 0;
    for (TextBlock& cell : row.children) {
      for (TextSpan& span : cell.spans) add(span, plain, at);
      if (!all.empty() && !ended_) all.back().plain += between;
      at += between.size();
    }
    ended_ = true;
  }
  void add(TextSpan& span, std::string_view plain, std::size_t& at) {
    if (std::exchange(ended_, false)) all.emplace_back();
    const std::string_view own = plain_span(span);
    all.back().spans.push_back(&span);
    all.back().plain += own;
    at += own.size();
    ended_ = !own.empty() && ends_behind(plain, at - 1);
  }

  bool ended_ = true;  // the sentence before
};

}  // namespace

std::vector<std::string> sentences_of(std::string_view plain) {
  std::vector<std::string> all{""};
  for (std::size_t i = 0; i < plain.size(); ++i) {
    all.back() += plain[i];
    if (ends_behind(plain, i)) all.emplace_back();
  }
  return all;
}

std::vector<Sentence> divide_sentences(LessonText& text) {
  Divider divider;
  divider.blocks(text.blocks);
  return std::move(divider.all);
}

}  // namespace headscope
