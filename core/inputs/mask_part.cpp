#include "core/inputs/mask_part.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "core/inputs/mask_text.h"

namespace headscope {
namespace {

constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<int>::max());

// What may stand after a kind's colon, besides a file's path and painted cells.
struct Grammar {
  bool window = false;    // w first
  bool dilation = false;  // then d
  bool random = false;    // r first
  bool tokens = false;    // a list of tokens
  std::vector<std::string_view> options{};
};

Grammar grammar(MaskKind kind) {
  switch (kind) {
    case MaskKind::padding:
    case MaskKind::global:
      return {.tokens = true};
    case MaskKind::window:
      return {.window = true};
    case MaskKind::dilated:
      return {.window = true, .dilation = true};
    case MaskKind::random:
      return {.random = true, .options = {"seed"}};
    case MaskKind::longformer:
      return {.window = true, .options = {"global"}};
    case MaskKind::bigbird:
      return {.window = true, .options = {"global", "random", "seed"}};
    default:
      return {};
  }
}

class ArgumentReader {
 public:
  ArgumentReader(MaskPart& part, const MaskText& text)
      : part_(part), text_(text), grammar_(grammar(part.kind)) {
    if (grammar_.window) numbers_.push_back({&part.window, 0});
    if (grammar_.dilation) numbers_.push_back({&part.dilation, 1});
    if (grammar_.random) numbers_.push_back({&part.random_keys, 0});
  }

  void read(std::string_view arguments) {
    for (std::size_t begin = 0; begin <= arguments.size();) {
      const std::size_t end = std::min(arguments.find(',', begin), arguments.size());
      item(trimmed(arguments.substr(begin, end - begin)));
      begin = end + 1;
    }
    if (next_ < numbers_.size() || (grammar_.tokens && !list_seen_)) text_.fail_missing();
    std::sort(part_.tokens.begin(), part_.tokens.end());
    part_.tokens.erase(std::unique(part_.tokens.begin(), part_.tokens.end()), part_.tokens.end());
  }

 private:
  struct Number {
    int* value;
    std::uint64_t least;
  };

  void item(std::string_view text) {
    const auto equals = text.find('=');
    if (equals != std::string_view::npos)
      return option(text.substr(0, equals), trimmed(text.substr(equals + 1)));
    if (text.empty()) text_.fail_missing();
    if (in_list_ || (grammar_.tokens && !list_closed_)) return token(text);
    if (next_ == numbers_.size()) text_.fail_extra(text);
    const Number number = numbers_[next_++];
    *number.value = static_cast<int>(text_.number(text, number.least, highest));
  }

  void token(std::string_view text) {
    list_seen_ = true;
    if (text == "none" && part_.tokens.empty()) {
      in_list_ = false;
      list_closed_ = true;
      return;
    }
    part_.tokens.push_back(static_cast<int>(text_.number(text, 0, highest)));
  }

  void option(std::string_view name, std::string_view value) {
    if (std::find(grammar_.options.begin(), grammar_.options.end(), name) == grammar_.options.end())
      text_.fail_option(name);
    if (next_ < numbers_.size() || value.empty()) text_.fail_missing();
    if (std::find(options_.begin(), options_.end(), name) != options_.end()) text_.fail_extra(name);
    options_.push_back(name);
    in_list_ = name == "global";
    if (name == "global") {
      part_.tokens.clear();
      token(value);
    } else if (name == "random") {
      part_.random_keys = static_cast<int>(text_.number(value, 0, highest));
    } else {
      part_.seed = text_.number(value, 0, std::numeric_limits<std::uint64_t>::max());
    }
  }

  MaskPart& part_;
  const MaskText& text_;
  Grammar grammar_;
  std::vector<Number> numbers_;
  std::size_t next_ = 0;
  std::vector<std::string_view> options_;
  bool in_list_ = false;      // plain numbers go on with the option global=
  bool list_seen_ = false;    // the list has at least one entry, or "none"
  bool list_closed_ = false;  // nothing may follow "none"
};

std::string token_list(const std::vector<int>& tokens) {
  return tokens.empty() ? "none" : fmt::format("{}", fmt::join(tokens, ","));
}

}  // namespace

bool is_pattern(MaskKind kind) {
  return kind == MaskKind::window || kind == MaskKind::dilated || kind == MaskKind::global ||
         kind == MaskKind::random || kind == MaskKind::longformer || kind == MaskKind::bigbird;
}

MaskPart parse_mask_part(std::string_view spec) {
  const std::string_view whole = trimmed(spec);
  const std::size_t colon = whole.find(':');
  const MaskText text(whole, whole.substr(0, colon));
  MaskPart part;
  part.kind = text.kind();
  const std::string_view arguments = colon == std::string_view::npos ? "" : whole.substr(colon + 1);
  switch (part.kind) {
    case MaskKind::causal:
    case MaskKind::segments:
      if (colon != std::string_view::npos) text.fail_extra(whole.substr(colon));
      break;
    case MaskKind::file:
      if (colon == std::string_view::npos) text.fail_missing();
      part.path = arguments;
      break;
    case MaskKind::painted:
      part.painted = parse_painted(arguments, text);
      break;
    default:
      if (part.kind == MaskKind::longformer || part.kind == MaskKind::bigbird) part.tokens = {0};
      ArgumentReader(part, text).read(arguments);
  }
  return part;
}

std::string to_string(const MaskPart& part) {
  const std::string_view name = mask_kind_name(part.kind);
  switch (part.kind) {
    case MaskKind::causal:
    case MaskKind::segments:
      return std::string(name);
    case MaskKind::padding:
    case MaskKind::global:
      return fmt::format("{}:{}", name, token_list(part.tokens));
    case MaskKind::file:
      return fmt::format("{}:{}", name, part.path);
    case MaskKind::painted:
      return fmt::format("{}:{}", name, painted_to_string(part.painted));
    case MaskKind::window:
      return fmt::format("{}:{}", name, part.window);
    case MaskKind::dilated:
      return fmt::format("{}:{},{}", name, part.window, part.dilation);
    case MaskKind::random:
      return fmt::format("{}:{},seed={}", name, part.random_keys, part.seed);
    case MaskKind::longformer:
      return fmt::format("{}:{},global={}", name, part.window, token_list(part.tokens));
    case MaskKind::bigbird:
      return fmt::format("{}:{},global={},random={},seed={}", name, part.window, token_list(part.tokens),
                         part.random_keys, part.seed);
  }
  return {};
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
