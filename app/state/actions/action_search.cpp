#include "app/state/actions/action_search.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "app/state/actions/actions.h"
#include "app/state/app.h"

namespace headscope {
namespace {

// A name comes before another word for it, which comes before the menu that it is in.
constexpr int whole_name = 400, name_begins = 300, word_of_name = 250, option_begins = 240, inside_name = 200,
              words_of_name = 120;
constexpr int whole_synonym = 260, synonym_begins = 220, word_of_synonym = 180, words_of_synonym = 110;
constexpr int best_by_menu = 150, anywhere = 90;

/// Chinese has no blanks: there every character begins a word.
bool begins_word(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  return at == 0 || byte(at) >= 0x80 || std::isalnum(byte(at - 1)) == 0;
}

std::size_t find_word(const std::string& text, const std::string& word) {
  std::size_t at = text.find(word);
  while (at != std::string::npos && !begins_word(text, at)) at = text.find(word, at + 1);
  return at;
}

bool has_every_word(const std::string& text, const std::string& query) {
  std::istringstream words(query);
  std::string word;
  while (words >> word)
    if (find_word(text, word) == std::string::npos) return false;
  return true;
}

int score_name(const std::string& name, const std::string& query) {
  constexpr std::size_t enough_inside = 3;  // fewer letters are in any word
  if (name == query) return whole_name;
  if (name.starts_with(query)) return name_begins;
  if (find_word(name, query) != std::string::npos) return word_of_name;
  if (query.size() >= enough_inside && name.find(query) != std::string::npos) return inside_name;
  return has_every_word(name, query) ? words_of_name : -1;
}

int score_synonym(const std::string& synonym, const std::string& query) {
  if (synonym == query) return whole_synonym;
  if (synonym.starts_with(query)) return synonym_begins;
  if (find_word(synonym, query) != std::string::npos) return word_of_synonym;
  return has_every_word(synonym, query) ? words_of_synonym : -1;
}

int score_words(const std::string& words, const std::string& query) {
  int best = -1;
  std::istringstream list(words);
  for (std::string word; std::getline(list >> std::ws, word, ',');)
    best = std::max(best, score_synonym(word, query));
  return best;
}

int score_in(const Action& action, const Translator& in, const std::string& query) {
  const std::string name = lower(text_of(action, in));
  const std::string words = action.words == nullptr ? "" : lower(in(action.words));
  const std::string menu = action.submenu == nullptr ? "" : lower(in(action.submenu));
  int score = score_name(name, query);
  // Commands come before options and switches, and before titles of files, which may be about anything.
  if (action.checked && score == name_begins) score = option_begins;
  const bool title = !action.own.empty() || action.is_in(documents_menu);
  if (title && score <= word_of_name) score = std::min(score, synonym_begins);
  score = std::max(score, score_words(words, query));
  if (!menu.empty()) score = std::max(score, std::min(best_by_menu, score_name(menu + " " + name, query)));
  return score < 0 && has_every_word(name + " " + words + " " + menu, query) ? anywhere : score;
}

}  // namespace

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

int match_score(const Action& action, const std::string& query) {
  const std::string wanted = lower(query);
  int best = -1;
  for (const LanguageRow& row : languages())
    best = std::max(best, score_in(action, Translator(row.language), wanted));
  return best;
}

std::vector<const Action*> find_actions(const App& app, const std::vector<const Action*>& actions,
                                        const std::string& query) {
  struct Found {
    const Action* action;
    bool can_run;
    int score;
  };
  std::vector<Found> found;
  for (const Action* const action : actions) {
    const int score = query.empty() ? 0 : match_score(*action, query);
    if (score >= 0) found.push_back({action, is_enabled(app, *action), score});
  }
  std::ranges::stable_sort(found, [](const Found& a, const Found& b) {
    return a.can_run != b.can_run ? a.can_run : a.score > b.score;
  });
  std::vector<const Action*> sorted;
  for (const Found& one : found) sorted.push_back(one.action);
  return sorted;
}

}  // namespace headscope
