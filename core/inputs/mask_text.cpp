#include "core/inputs/mask_text.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/inputs.h"
#include "core/inputs/mask_kinds.h"

namespace headscope {
namespace {

// A painted mask can be long: messages show only its start.
std::string shortened(std::string_view text) {
  return cut_off(text, 60);
}

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
        steps_[static_cast<std::size_t>(edges_[at].key)] += edges_[at].change;
      if (at == edges_.size()) return;
      const std::vector<Span> spans = covered();
      const int end = edges_[at].query;
      budget_.charge(2 * spans.size() * static_cast<std::size_t>(end - query), sizeof(PaintedRun));
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

// Identical runs in consecutive rows become one rectangle, so that a column is as short as a row.
std::vector<Rectangle> rectangles(std::vector<PaintedRun> runs) {
  std::sort(runs.begin(), runs.end(), [](const PaintedRun& a, const PaintedRun& b) {
    return std::tie(a.head, a.key_begin, a.key_end, a.query) <
           std::tie(b.head, b.key_begin, b.key_end, b.query);
  });
  std::vector<Rectangle> result;
  for (const PaintedRun& run : runs) {
    if (!result.empty() && result.back().head == run.head && result.back().key_begin == run.key_begin &&
        result.back().key_end == run.key_end && result.back().last_query + 1 == run.query) {
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

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

MaskText::MaskText(std::string_view whole, std::string_view name) : whole_(whole) {
  std::string known;
  for (const MaskKindRow& row : mask_kinds()) {
    if (row.name == name) {
      kind_ = row.kind;
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(row.whole_form);
  }
  throw input_error("the mask \"{}\" is of an unknown kind; expected one of: {}", quoted(), known);
}

std::uint64_t MaskText::number(std::string_view text, std::uint64_t minimum, std::uint64_t maximum) const {
  if (text.empty()) fail_missing();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < minimum || value > maximum)
    throw input_error("the mask \"{}\" has \"{}\"; expected a whole number from {} to {}, as in {}", quoted(),
                      shortened(text), minimum, maximum, mask_kind(kind_).whole_form);
  return value;
}

void MaskText::fail_missing() const {
  if (std::holds_alternative<std::string MaskPart::*>(mask_kind(kind_).parameters.front().member))
    throw input_error("the mask \"{}\" names no file; expected {}", quoted(), mask_kind(kind_).whole_form);
  throw input_error("the mask \"{}\" lacks a number; expected {}", quoted(), mask_kind(kind_).whole_form);
}

void MaskText::fail_extra(std::string_view what) const {
  throw input_error("the mask \"{}\" has an extra \"{}\"; expected {}", quoted(), shortened(what),
                    mask_kind(kind_).whole_form);
}

void MaskText::fail_option(std::string_view name) const {
  throw input_error("the mask \"{}\" has the unknown option \"{}\"; expected {}", quoted(), shortened(name),
                    mask_kind(kind_).whole_form);
}

std::string MaskText::quoted() const {
  return shortened(whole_);
}

std::vector<PaintedRun> parse_painted(std::string_view text, const MaskText& whole, Budget& budget) {
  std::vector<PaintedRun> runs;
  if (trimmed(text) == "none") return runs;
  std::vector<Rectangle> rectangles;
  for_each_piece(text, ';', [&](std::string_view group) {
    int head = -1;
    group = trimmed(group);
    if (group.starts_with("head=")) {
      const std::size_t comma = group.find(',');
      head = static_cast<int>(whole.number(trimmed(group.substr(5, comma - 5)), 0, Limits::max_heads - 1));
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

}  // namespace headscope
