#include "core/inputs/mask_part.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/inputs.h"
#include "core/inputs/mask_kinds.h"
#include "core/inputs/names.h"

namespace headscope {
namespace {

// A painted mask can be long: messages show only its start.
std::string shortened(std::string_view text) {
  return cut_off(text, 60);
}

/// The text form of one mask part while it is parsed: knows its kind and words all errors about it.
class MaskText {
 public:
  /// `whole` is quoted in messages, `name` is the text before the colon. Throws if no kind has that name.
  MaskText(std::string_view whole, std::string_view name) : whole_(shortened(whole)) {
    std::string known;
    for (const MaskKindRow& row : mask_kinds()) {
      if (row.name == name) {
        row_ = &row;
        return;
      }
      known += (known.empty() ? "" : ", ") + std::string(row.whole_form);
    }
    throw input_error("the mask \"{}\" is of an unknown kind; expected one of: {}", whole_, known);
  }

  MaskKind kind() const { return row_->kind; }
  /// `text` as a whole number within the limits.
  std::uint64_t number(std::string_view text, std::uint64_t minimum, std::uint64_t maximum) const {
    if (text.empty()) fail_missing();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < minimum || value > maximum)
      throw input_error("the mask \"{}\" has \"{}\"; expected a whole number from {} to {}, as in {}", whole_,
                        shortened(text), minimum, maximum, row_->whole_form);
    return value;
  }

  [[noreturn]] void fail_missing() const {
    if (std::holds_alternative<std::string MaskPart::*>(row_->parameters.front().member))
      throw input_error("the mask \"{}\" names no file; expected {}", whole_, row_->whole_form);
    throw input_error("the mask \"{}\" lacks a number; expected {}", whole_, row_->whole_form);
  }
  [[noreturn]] void fail_extra(std::string_view what) const {
    throw input_error("the mask \"{}\" has an extra \"{}\"; expected {}", whole_, shortened(what),
                      row_->whole_form);
  }
  [[noreturn]] void fail_option(std::string_view name) const {
    throw input_error("the mask \"{}\" has the unknown option \"{}\"; expected {}", whole_, shortened(name),
                      row_->whole_form);
  }

 private:
  std::string whole_;
  const MaskKindRow* row_ = nullptr;
};

struct Span {
  int first = 0, last = 0;
};

// "3" or "3-7", both ends included.
Span parse_span(std::string_view text, const MaskText& whole) {
  constexpr std::uint64_t last_token = Limits::max_tokens - 1;
  const std::size_t dash = text.find('-');
  const std::uint64_t first = whole.number(text.substr(0, dash), 0, last_token);
  if (dash == std::string_view::npos) return {static_cast<int>(first), static_cast<int>(first)};
  return {static_cast<int>(first), static_cast<int>(whole.number(text.substr(dash + 1), first, last_token))};
}

struct Rectangle {
  int head, query, key_begin, last_query, key_end;
};

// One head's cells covered by any of the rectangles, row by row. A row is computed once for all rows between
// two edges, so that overlapping rectangles take the time and memory of one.
class Cover {
 public:
  Cover(std::span<const Rectangle> rectangles, Budget& budget)
      : head_(rectangles.front().head), budget_(budget) {
    int width = 0;
    for (const Rectangle& r : rectangles) {
      width = std::max(width, r.key_end);
      for (const auto& [query, change] : {std::pair(r.query, 1), std::pair(r.last_query + 1, -1)})
        edges_.insert(edges_.end(), {{query, r.key_begin, change}, {query, r.key_end, -change}});
    }
    std::ranges::stable_sort(edges_, {}, &Edge::query);
    steps_.resize(static_cast<std::size_t>(width) + 1);
  }

  void add_to(std::vector<PaintedRun>& runs) {
    for (std::size_t at = 0; at < edges_.size();) {
      const int query = edges_[at].query;
      for (; at < edges_.size() && edges_[at].query == query; ++at)
        steps_[edges_[at].key] += edges_[at].change;
      if (at == edges_.size()) return;
      const std::vector<Span> spans = covered();
      const int end = edges_[at].query;
      budget_.charge(2 * spans.size() * (end - query), sizeof(PaintedRun));
      for (int row = query; row < end; ++row)
        for (const Span& span : spans) runs.push_back({head_, row, span.first, span.last});
    }
  }

 private:
  struct Edge {
    int query, key, change;
  };

  /// [first, last) of the covered keys.
  std::vector<Span> covered() const {
    std::vector<Span> spans;
    int covers = 0;
    for (std::size_t key = 0; key < steps_.size(); ++key) {
      if (steps_[key] == 0) continue;
      const bool before = covers > 0;
      covers += steps_[key];
      if (!before && covers > 0) spans.push_back({static_cast<int>(key), 0});
      if (before && covers == 0) spans.back().last = static_cast<int>(key);
    }
    return spans;
  }

  int head_;
  Budget& budget_;
  std::vector<Edge> edges_;  // by query
  std::vector<int> steps_;   // change of the cover count from one key to the next
};

template <typename Function>
void for_each_piece(std::string_view text, char separator, Function&& function) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    function(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

void append_span(std::string& text, int first, int last) {
  text += std::to_string(first);
  if (last > first) text += '-' + std::to_string(last);
}

// Identical runs in consecutive rows become one rectangle, so that a column is as short as a row. Of a large
// painting only a few rows do: the budget of a file that is read grows with its size.
std::vector<Rectangle> rectangles(std::vector<PaintedRun> runs) {
  constexpr std::size_t small = 1024;
  constexpr int rows_of_large = 4;
  const int max_rows = runs.size() > small ? rows_of_large : Limits::max_tokens;
  std::sort(runs.begin(), runs.end(), [](const PaintedRun& a, const PaintedRun& b) {
    return std::tie(a.head, a.key_begin, a.key_end, a.query) <
           std::tie(b.head, b.key_begin, b.key_end, b.query);
  });
  std::vector<Rectangle> result;
  for (const PaintedRun& run : runs) {
    if (!result.empty() && result.back().head == run.head && result.back().key_begin == run.key_begin &&
        result.back().key_end == run.key_end && result.back().last_query + 1 == run.query &&
        run.query - result.back().query < max_rows) {
      ++result.back().last_query;
    } else {
      result.push_back({run.head, run.query, run.key_begin, run.query, run.key_end});
    }
  }
  std::sort(result.begin(), result.end(), [](const Rectangle& a, const Rectangle& b) {
    return std::tie(a.head, a.query, a.key_begin) < std::tie(b.head, b.query, b.key_begin);
  });
  return result;
}

/// Parses the text after "painted:", see MASKS.md.
std::vector<PaintedRun> parse_painted(std::string_view text, const MaskText& whole, Budget& budget) {
  std::vector<PaintedRun> runs;
  if (trimmed(text) == "none") return runs;
  std::vector<Rectangle> rectangles;
  for_each_piece(text, ';', [&](std::string_view group) {
    int head = -1;
    group = trimmed(group);
    if (group.starts_with("head=")) {
      const std::size_t comma = group.find(',');
      head =
          static_cast<int>(whole.number(trimmed(group.substr(5, comma - 5)), 0, Limits::max_view_heads - 1));
      group = comma == std::string_view::npos ? "" : group.substr(comma + 1);
    }
    for_each_piece(group, ',', [&](std::string_view cell) {
      const std::size_t colon = cell.find(':');
      if (colon == std::string_view::npos) whole.fail_missing();
      const Span queries = parse_span(trimmed(cell.substr(0, colon)), whole);
      const Span keys = parse_span(trimmed(cell.substr(colon + 1)), whole);
      constexpr std::size_t with_edges = 5;
      budget.charge(with_edges, sizeof(Rectangle));
      rectangles.push_back({head, queries.first, keys.first, queries.last, keys.last + 1});
    });
  });
  std::ranges::stable_sort(rectangles, {}, &Rectangle::head);
  for (auto begin = rectangles.begin(); begin != rectangles.end();) {
    const auto end = std::ranges::upper_bound(begin, rectangles.end(), begin->head, {}, &Rectangle::head);
    Cover(std::span(begin, end), budget).add_to(runs);
    begin = end;
  }
  return runs;
}

/// The reverse.
std::string painted_to_string(const std::vector<PaintedRun>& painted) {
  if (painted.empty()) return "none";
  std::string text;
  int head = -1;
  for (const Rectangle& r : rectangles(painted)) {
    if (r.head != head) {
      text += (text.empty() ? "head=" : ";head=") + std::to_string(r.head);
      head = r.head;
    }
    if (!text.empty()) text += ',';
    append_span(text, r.query, r.last_query);
    text += ':';
    append_span(text, r.key_begin, r.key_end - 1);
  }
  return text;
}

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
    for_each_piece(arguments, ',', [&](std::string_view piece) { item(trimmed(piece)); });
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
    const std::uint64_t minimum = parameter.minimum;
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

template <typename Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_same_v<Value, std::vector<PaintedRun>>)
    return painted_to_string(value);
  else if constexpr (std::is_same_v<Value, std::vector<int>>)
    return value.empty() ? "none" : fmt::format("{}", fmt::join(value, ","));
  else
    return fmt::format("{}", value);
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
    throw input_error("mask \"{}\": \"{}\" is not a block; expected self, encoder, decoder or cross",
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
  if (block == BlockKind::state) return false;  // it has no scores
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
