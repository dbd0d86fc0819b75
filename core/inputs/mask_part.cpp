#include "core/inputs/mask_part.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/mask_kinds.h"
#include "core/inputs/mask_text.h"
#include "core/inputs/names.h"

namespace headscope {
namespace {

constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<int>::max());

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// Reads the text after the colon for kinds whose parameters are numbers and lists of tokens.
class ArgumentReader {
 public:
  ArgumentReader(MaskPart& part, const MaskText& text)
      : part_(part), text_(text), parameters_(mask_kind(part.kind).parameters) {}

  void read(std::string_view arguments) {
    for (std::size_t begin = 0; begin <= arguments.size();) {
      const std::size_t end = std::min(arguments.find(',', begin), arguments.size());
      item(trimmed(arguments.substr(begin, end - begin)));
      begin = end + 1;
    }
    if (misses_place()) text_.fail_missing();
    std::sort(part_.tokens.begin(), part_.tokens.end());
    part_.tokens.erase(std::unique(part_.tokens.begin(), part_.tokens.end()), part_.tokens.end());
  }

 private:
  bool misses_place() const { return next_ < parameters_.size() && parameters_[next_].option.empty(); }

  void item(std::string_view text) {
    const auto equals = text.find('=');
    if (equals != std::string_view::npos)
      return option(text.substr(0, equals), trimmed(text.substr(equals + 1)));
    if (text.empty()) text_.fail_missing();
    if (list_ != nullptr) return token(text);
    if (!misses_place()) text_.fail_extra(text);
    set(parameters_[next_++], text);
  }

  void option(std::string_view name, std::string_view value) {
    const auto parameter = std::ranges::find(parameters_, name, &MaskParameter::option);
    if (name.empty() || parameter == parameters_.end()) text_.fail_option(name);
    if (misses_place() || value.empty()) text_.fail_missing();
    if (std::ranges::find(options_, name) != options_.end()) text_.fail_extra(name);
    options_.push_back(name);
    list_ = nullptr;
    set(*parameter, value);
  }

  void set(const MaskParameter& parameter, std::string_view text) {
    const auto minimum = static_cast<std::uint64_t>(parameter.minimum);
    std::visit(Overloaded{[&](int MaskPart::*number) {
                            part_.*number = static_cast<int>(text_.number(text, minimum, highest));
                          },
                          [&](std::uint64_t MaskPart::*number) {
                            part_.*number = text_.number(text, minimum, UINT64_MAX);
                          },
                          [&](std::vector<int> MaskPart::*list) {
                            list_ = &(part_.*list);
                            list_->clear();
                            token(text);
                          },
                          [](auto) {}},
               parameter.member);
  }

  // Nothing may follow "none".
  void token(std::string_view text) {
    if (text == "none" && list_->empty())
      list_ = nullptr;
    else
      list_->push_back(static_cast<int>(text_.number(text, 0, highest)));
  }

  MaskPart& part_;
  const MaskText& text_;
  std::span<const MaskParameter> parameters_;
  std::size_t next_ = 0;  // of the positional ones
  std::vector<std::string_view> options_;
  std::vector<int>* list_ = nullptr;  // that further plain numbers are added to
};

std::string value_text(std::uint64_t number) {
  return std::to_string(number);
}
std::string value_text(int number) {
  return std::to_string(number);
}
std::string value_text(const std::vector<int>& tokens) {
  return tokens.empty() ? "none" : fmt::format("{}", fmt::join(tokens, ","));
}
std::string value_text(const std::string& path) {
  return path;
}
std::string value_text(const std::vector<PaintedRun>& painted) {
  return painted_to_string(painted);
}

bool names_mask_kind(std::string_view name) {
  return std::ranges::any_of(mask_kinds(), [&](const MaskKindRow& row) { return row.name == name; });
}

/// Splits off a leading "decoder:2/" if it names a block. The slash may also be part of a path.
struct MaskPlace {
  std::optional<BlockKind> block;
  std::optional<std::string_view> layer;  // as it is written
  std::string_view rest;
};
MaskPlace take_place(std::string_view whole) {
  const std::size_t slash = whole.find('/');
  if (slash == std::string_view::npos) return {{}, {}, whole};
  const std::string_view place = whole.substr(0, slash);
  const std::size_t colon = place.find(':');
  const std::string_view name = trimmed(place.substr(0, colon));
  if (names_mask_kind(name)) return {{}, {}, whole};
  const std::optional<BlockKind> block = from_name<BlockKind>(name);
  const bool has_layer = colon != std::string_view::npos;
  const std::string_view layer = has_layer ? trimmed(place.substr(colon + 1)) : std::string_view();
  if (!block || (has_layer && layer.empty()))
    throw input_error("mask \"{}\": \"{}\" is no block; expected self, encoder, decoder or cross",
                      cut_off(printable(whole), 60), cut_off(printable(block ? place : name), 40));
  return {block, has_layer ? std::optional(layer) : std::nullopt, trimmed(whole.substr(slash + 1))};
}

}  // namespace

MaskPart parse_mask_part(std::string_view spec) {
  Budget budget("--mask", spec.size());
  return parse_mask_part(spec, budget);
}

MaskPart parse_mask_part(std::string_view spec, Budget& budget) {
  const std::string_view written = trimmed(spec);
  const MaskPlace place = take_place(written);
  const std::string_view whole = place.rest;
  const std::size_t colon = whole.find(':');
  const MaskText text(written, whole.substr(0, colon));
  MaskPart part = make_mask_part(text.kind());
  part.block = place.block;
  if (place.layer) part.layer = static_cast<int>(text.number(*place.layer, 0, highest));
  const bool has_arguments = colon != std::string_view::npos;
  const std::string_view arguments = has_arguments ? whole.substr(colon + 1) : "";
  const auto parameters = mask_kind(part.kind).parameters;
  if (parameters.empty()) {
    if (has_arguments) text.fail_extra(whole.substr(colon));
    return part;
  }
  std::visit(Overloaded{[&](std::string MaskPart::*path) {
                          if (!has_arguments) text.fail_missing();
                          part.*path = arguments;
                        },
                        [&](std::vector<PaintedRun> MaskPart::*painted) {
                          part.*painted = parse_painted(arguments, text, budget);
                        },
                        [&](auto) { ArgumentReader(part, text).read(arguments); }},
             parameters.front().member);
  return part;
}

std::string to_string(const MaskPart& part) {
  const MaskKindRow& kind = mask_kind(part.kind);
  std::string text;
  if (part.block) {
    text = to_name(*part.block);
    if (part.layer) text += ':' + std::to_string(*part.layer);
    text += '/';
  }
  text += kind.name;
  for (const MaskParameter& parameter : kind.parameters) {
    text += &parameter == &kind.parameters.front() ? ':' : ',';
    if (!parameter.option.empty()) text += std::string(parameter.option) + '=';
    text += std::visit([&](auto member) { return value_text(part.*member); }, parameter.member);
  }
  return text;
}

bool reaches(const MaskPart& part, BlockKind block) {
  if (part.block) return *part.block == block;
  return part.kind != MaskKind::padding || block != BlockKind::decoder;
}

std::vector<MaskPart> parts_of(std::span<const MaskPart> parts, BlockKind block, int layer) {
  std::vector<MaskPart> found;
  for (const MaskPart& part : parts)
    if (reaches(part, block) && part.layer.value_or(layer) == layer) found.push_back(part);
  return found;
}

bool differ_by_layer(std::span<const MaskPart> parts, BlockKind block) {
  return std::ranges::any_of(
      parts, [&](const MaskPart& part) { return part.on && part.layer && part.block == block; });
}

void merge_painted(std::vector<PaintedRun>& runs) {
  std::erase_if(runs, [](const PaintedRun& run) { return run.key_begin >= run.key_end; });
  if (!std::is_sorted(runs.begin(), runs.end())) std::sort(runs.begin(), runs.end());
  std::size_t kept = 0;
  for (const PaintedRun& run : runs) {
    PaintedRun* last = kept == 0 ? nullptr : &runs[kept - 1];
    if (last != nullptr && last->head == run.head && last->query == run.query &&
        run.key_begin <= last->key_end)
      last->key_end = std::max(last->key_end, run.key_end);
    else
      runs[kept++] = run;
  }
  runs.resize(kept);
}

}  // namespace headscope
