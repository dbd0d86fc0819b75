#include "core/text/tokenizer/pattern.h"

#define ONIG_ESCAPE_UCHAR_COLLISION  // UChar is also a name of ICU's
#include <oniguruma.h>

#include <algorithm>
#include <new>
#include <optional>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/text/tokenizer/rewrite_pattern.h"

namespace headscope::tokenizers {
namespace {

const OnigUChar* bytes_of(std::string_view text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

std::string error_text(int code, OnigErrorInfo* info = nullptr) {
  OnigUChar text[ONIG_MAX_ERROR_MESSAGE_LEN];
  const int size = onig_error_code_to_str(text, code, info);
  return printable({reinterpret_cast<const char*>(text), static_cast<std::size_t>(std::max(size, 0))});
}

// One step for each iteration of a loop, more for operations that scan bytes without a loop.
int on_callout(OnigCalloutArgs* args, void* budget) {
  std::size_t taken = 1;
  constexpr std::size_t bytes_a_step = 16;
  const char kind = *onig_get_contents_by_callout_args(args);
  const OnigUChar* at = onig_get_current_by_callout_args(args);
  if (kind == 'r') taken += (onig_get_string_end_by_callout_args(args) - at) / bytes_a_step;
  const int groups = kind == 'b' ? onig_number_of_captures(onig_get_regex_by_callout_args(args)) : 0;
  for (int group = 1; group <= groups; ++group) {
    int begin = 0, end = 0;
    if (onig_get_capture_range_in_callout(args, group, &begin, &end) == ONIG_NORMAL && begin >= 0 &&
        end > begin)
      taken += (end - begin) / bytes_a_step;
    ++taken;
  }
  return static_cast<WorkBudget*>(budget)->take(taken) ? ONIG_CALLOUT_SUCCESS
                                                       : ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER;
}

/// Successive searches within limits for one text: of the stack, so that no pattern exhausts memory, and of
/// the steps of loops and backtracking, since a pathological pattern takes 2^n.
class Search {
 public:
  Search(regex_t* regex, std::string_view text, const std::string& place, WorkBudget& budget)
      : regex_(regex),
        text_(text),
        place_(place),
        budget_(budget),
        region_(onig_region_new()),
        limits_(onig_new_match_param()) {
    if (region_ == nullptr || limits_ == nullptr) throw std::bad_alloc();
    onig_initialize_match_param(limits_.get());
    onig_set_match_stack_limit_size_of_match_param(limits_.get(),
                                                   static_cast<unsigned>(1'000'000 + 4 * text.size()));
    onig_set_progress_callout_of_match_param(limits_.get(), on_callout);
    onig_set_callout_user_data_of_match_param(limits_.get(), &budget_);
  }

  std::optional<Bytes> next(std::size_t from) {
    const OnigUChar* begin = bytes_of(text_);
    const OnigUChar* end = begin + text_.size();
    // Most searches are short; the cost of a long one is only known from the limits it hits.
    std::size_t tried = 0;
    for (unsigned long limit = 1000;; limit *= 8) {  // Oniguruma's type
      limit = static_cast<unsigned long>(std::clamp<std::size_t>(budget_.steps_left(), 1, limit));
      onig_set_retry_limit_in_match_of_match_param(limits_.get(), limit);
      onig_set_retry_limit_in_search_of_match_param(limits_.get(), limit);
      onig_region_clear(region_.get());
      const int found = onig_search_with_param(regex_, begin, end, begin + from, end, region_.get(),
                                               ONIG_OPTION_NONE, limits_.get());
      budget_.take(1 + tried);  // at least this much backtracking
      if (found == ONIG_MISMATCH) return {};
      if (found >= 0)
        return Bytes{static_cast<std::size_t>(region_->beg[0]), static_cast<std::size_t>(region_->end[0])};
      const bool too_long =
          found == ONIGERR_RETRY_LIMIT_IN_MATCH_OVER || found == ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER;
      tried = limit;
      if (too_long && budget_.steps_left() > limit) continue;
      throw input_error("{}: the pattern takes too long on this text, from byte {} on: {}", place_, from,
                        error_text(found));
    }
  }

 private:
  struct Free {
    void operator()(OnigRegion* region) const { onig_region_free(region, 1); }
    void operator()(OnigMatchParam* limits) const { onig_free_match_param(limits); }
  };

  regex_t* regex_;
  std::string_view text_;
  const std::string& place_;
  WorkBudget& budget_;
  std::unique_ptr<OnigRegion, Free> region_;
  std::unique_ptr<OnigMatchParam, Free> limits_;
};

}  // namespace

Pattern Pattern::literal(std::string text) {
  // An empty text matches at every position, as in a regular expression.
  if (text.empty()) {
    WorkBudget budget("", 0);
    return regex("", "", budget);
  }
  Pattern pattern;
  pattern.literal_ = std::move(text);
  return pattern;
}

Pattern Pattern::regex(const std::string& expression, const std::string& place, WorkBudget& budget) {
  constexpr std::size_t longest = 10'000;
  if (expression.size() > longest)
    throw input_error("{}: the pattern has {} bytes; expected at most {}", place, expression.size(), longest);
  regex_t* compiled = nullptr;
  OnigErrorInfo info{};
  const auto compile = [&](std::string_view text) {
    return onig_new(&compiled, bytes_of(text), bytes_of(text) + text.size(), ONIG_OPTION_NONE,
                    ONIG_ENCODING_UTF8, OnigDefaultSyntax, &info);
  };
  static const int initialized = [] {
    OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
    return onig_initialize(encodings, 1);
  }();
  if (initialized != ONIG_NORMAL) throw std::bad_alloc();
  const std::string whole = rewritten_pattern(expression, true, false);
  // A character class takes kilobytes, however short its notation.
  constexpr std::size_t memory_a_byte = 64, steps_a_byte = 40;
  budget.charge(whole.size(), memory_a_byte);
  budget.spend(steps_a_byte * whole.size());
  int code = compile(rewritten_pattern(expression, true, true));
  if (code != ONIG_NORMAL) code = compile(whole);
  if (code != ONIG_NORMAL) code = compile(expression);
  if (code != ONIG_NORMAL)
    throw input_error("{}: the pattern {} cannot be compiled: {}", place, cut_off(printable(expression), 60),
                      error_text(code, &info));
  Pattern pattern;
  pattern.place_ = place;
  pattern.compiled_ = {compiled, onig_free};
  return pattern;
}

std::vector<Bytes> Pattern::matches(std::string_view text, WorkBudget& budget) const {
  std::vector<Bytes> found;
  if (text.empty()) return found;
  const auto add = [&](Bytes match) {
    budget.charge(2, sizeof(Match));  // the match, and the gap to the next
    found.push_back(match);
  };
  if (!compiled_) {
    for (std::size_t at = text.find(literal_); at != std::string_view::npos;
         at = text.find(literal_, at + literal_.size()))
      add({at, at + literal_.size()});
    return found;
  }
  Search search(compiled_.get(), text, place_, budget);
  for (std::size_t from = 0; from <= text.size();) {
    const auto match = search.next(from);
    if (!match) break;
    // An empty match at the end of the previous one does not count.
    if (match->size() == 0 && !found.empty() && found.back().end == match->end) {
      from += from < text.size() ? utf8_size(text[from]) : 1;
      continue;
    }
    add(*match);
    from = match->end;
  }
  return found;
}

std::vector<Match> Pattern::find_all(std::string_view text, WorkBudget& budget) const {
  std::vector<Match> all;
  std::size_t done = 0;
  for (const Bytes& match : matches(text, budget)) {
    if (match.begin > done) all.push_back({{done, match.begin}, false});
    all.push_back({match, true});
    done = match.end;
  }
  if (done < text.size() || text.empty()) all.push_back({{done, text.size()}, false});
  return all;
}

Pattern read_pattern(const JsonField& field) {
  if (const auto text = field.find("String")) return Pattern::literal(text->text());
  if (const auto expression = field.find("Regex"))
    return Pattern::regex(expression->text(), expression->place(), field.budget());
  throw field.wrong("{}: {} is {}; expected {\"String\": …} or {\"Regex\": …}");
}

}  // namespace headscope::tokenizers
