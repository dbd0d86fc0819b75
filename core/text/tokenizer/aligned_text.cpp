#include "core/text/tokenizer/aligned_text.h"

#include <algorithm>
#include <tuple>

#include "core/base/error.h"

namespace headscope::tokenizers {

std::u32string characters(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) result += static_cast<char32_t>(next_code_point(text, i));
  return result;
}

AlignedText::AlignedText(std::string_view sentence, WorkBudget& budget)
    : text_(sentence), original_{0, sentence.size()}, budget_(&budget) {
  origins_.reserve(sentence.size());
  for (std::size_t i = 0; i < sentence.size();) {
    const auto begin = static_cast<std::uint32_t>(i);
    const std::size_t size = std::min(utf8_size(sentence[i]), sentence.size() - i);
    origins_.insert(origins_.end(), size, {begin, begin + static_cast<std::uint32_t>(size)});
    i += size;
  }
}

Bytes AlignedText::origin(Bytes part) const {
  if (part.begin >= part.end) return {original_.begin + part.begin, original_.begin + part.end};
  return {origins_[part.begin].begin, origins_[part.end - 1].end};
}

AlignedText AlignedText::slice(Bytes part) const {
  budget_->charge(1, sizeof(AlignedText) + (1 + sizeof(Origin)) * part.size());
  AlignedText result;
  result.text_ = text_.substr(part.begin, part.size());
  result.origins_.assign(origins_.begin() + part.begin, origins_.begin() + part.end);
  result.original_ = origin(part);
  result.budget_ = budget_;
  return result;
}

void AlignedText::spend(std::size_t bytes) const {
  constexpr std::size_t of_any = 4096, of_short = 64, of_long = 4, long_text = std::size_t{1} << 16;
  const std::size_t size = original_.size();
  const std::size_t maximum = of_any + of_short * std::min(size, long_text) + of_long * size;
  if (bytes > maximum)
    throw input_error("the tokenizer makes more than {} bytes of {} bytes of the sentence", maximum, size);
  constexpr std::size_t bytes_a_step = 4;
  budget_->spend(1 + bytes / bytes_a_step);
}

// The bytes that come from the part of the sentence. A start without an origin (inserted before anything)
// stays unchanged, as in the reference.
Bytes AlignedText::transformed_part() const {
  if (original_.begin == original_.end) return {};
  std::size_t begin = text_.size(), end = 0;
  for (std::size_t i = 0; i < origins_.size() && origins_[i].end <= original_.end; ++i) {
    if (begin == text_.size() && origins_[i].begin != origins_[i].end) begin = i;
    end = i + 1;
  }
  return {std::min(begin, end), end};
}

void AlignedText::transform(std::span<const NewCharacter> characters, std::size_t removed) {
  if (origins_.empty()) return;
  transform_part(transformed_part(), characters, removed);
}

void AlignedText::transform_part(Bytes part, std::span<const NewCharacter> characters, std::size_t removed) {
  std::size_t at = part.begin;  // of the next character to be replaced
  const auto skip = [&] {
    if (at < part.end) at += utf8_size(text_[at]);
  };
  for (std::size_t i = 0; i < removed; ++i) skip();
  std::string text;
  std::vector<Origin> origins;
  text.reserve(part.size());
  origins.reserve(part.size());
  const auto nowhere = static_cast<std::uint32_t>(original_.begin);
  for (const NewCharacter& c : characters) {
    const std::size_t from = c.change > 0 ? at - 1 : std::min(at, origins_.size() - 1);
    const Origin origin = c.change > 0 && at == 0 ? Origin{nowhere, nowhere} : origins_[from];
    const std::size_t before = text.size();
    append_utf8(text, c.character);
    origins.insert(origins.end(), text.size() - before, origin);
    for (std::ptrdiff_t i = c.change; i <= 0; ++i) skip();
  }
  spend(text.size());
  if (part.size() == text_.size()) {
    text_ = std::move(text);
    origins_ = std::move(origins);
    return;
  }
  text_.replace(part.begin, part.size(), text);
  const auto begin = origins_.begin() + part.begin;
  origins_.insert(origins_.erase(begin, begin + part.size()), origins.begin(), origins.end());
}

void AlignedText::prepend(std::string_view content) {
  if (text_.empty() || content.empty()) return;
  spend(text_.size() + content.size());
  text_.insert(0, content);
  origins_.insert(origins_.begin(), content.size(), origins_[0]);
}

template <typename Part, typename Replacement>
void AlignedText::rewrite(std::span<const Part> parts, const Replacement& replacement_of) {
  std::string text;
  std::vector<Origin> origins;
  text.reserve(text_.size());
  origins.reserve(text_.size());
  std::size_t done = 0;
  const auto copy_to = [&](std::size_t end) {
    text.append(text_, done, end - done);
    origins.insert(origins.end(), origins_.begin() + done, origins_.begin() + end);
  };
  for (const Part& one : parts) {
    const auto& [part, replacement, origin] = replacement_of(one);
    copy_to(part.begin);
    text += replacement;
    origins.insert(origins.end(), replacement.size(), origin);
    done = part.end;
  }
  copy_to(text_.size());
  text_ = std::move(text);
  origins_ = std::move(origins);
}

void AlignedText::replace(std::span<const Bytes> parts, std::string_view content) {
  if (parts.empty()) return;
  spend(text_.size() + parts.size() * content.size());
  const auto nowhere = static_cast<std::uint32_t>(original_.begin);
  rewrite(parts, [&](const Bytes& part) {
    return std::tuple(part, content, part.end == 0 ? Origin{nowhere, nowhere} : origins_[part.end - 1]);
  });
}

void AlignedText::substitute(std::span<const std::pair<Bytes, std::string_view>> parts) {
  std::size_t size = text_.size();
  for (const auto& [part, replacement] : parts) size += replacement.size() - part.size();
  spend(size);
  rewrite(parts, [&](const std::pair<Bytes, std::string_view>& one) {
    const auto& [part, replacement] = one;
    const Bytes from = origin({part.begin, part.begin + utf8_size(text_[part.begin])});
    return std::tuple(part, replacement,
                      Origin{static_cast<std::uint32_t>(from.begin), static_cast<std::uint32_t>(from.end)});
  });
}

}  // namespace headscope::tokenizers
