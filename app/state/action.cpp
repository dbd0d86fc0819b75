#include "app/state/action.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

namespace headscope {
namespace {

std::string key_name(Key key) {
  if (key >= Key::a && key <= Key::z)
    return std::string(1, static_cast<char>('A' + static_cast<int>(key) - static_cast<int>(Key::a)));
  if (key >= Key::digit_0 && key <= Key::digit_9)
    return std::string(1, static_cast<char>('0' + static_cast<int>(key) - static_cast<int>(Key::digit_0)));
#define HEADSCOPE_KEY_NAME(ours, imgui, other, name) name,
  constexpr const char* names[] = {HEADSCOPE_CONTROL_KEYS(HEADSCOPE_KEY_NAME)
                                       HEADSCOPE_SIGN_KEYS(HEADSCOPE_KEY_NAME)};
#undef HEADSCOPE_KEY_NAME
  return names[static_cast<std::size_t>(key)];
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool has_every_word(const std::string& text, const std::string& query) {
  std::istringstream words(query);
  std::string word;
  while (words >> word)
    if (text.find(word) == std::string::npos) return false;
  return true;
}

/// Ranking: the whole text, its beginning, a part of it, its words in any order, its letters in order;
/// otherwise below 0.
constexpr int begins = 300;
int score_text(const std::string& text, const std::string& query) {
  if (text == query) return 400;
  const std::size_t at = text.find(query);
  if (at == 0) return begins;
  if (at != std::string::npos) return text[at - 1] == ' ' ? 250 : 200;
  if (has_every_word(text, query)) return 120;
  std::size_t next = 0;
  int gaps = 0;
  for (const char c : query) {
    if (c == ' ') continue;
    const std::size_t found = text.find(c, next);
    if (found == std::string::npos) return -1;
    gaps += static_cast<int>(found - next);
    next = found + 1;
  }
  return std::max(1, 100 - gaps);
}

}  // namespace

Action& ActionRows::operator()(std::string id, const char* text, std::vector<Shortcut> keys,
                               std::function<void(App&)> run) {
  return list_.emplace_back(Action{.id = std::move(id),
                                   .text = text,
                                   .group = group_,
                                   .keys = std::move(keys),
                                   .run = std::move(run),
                                   .separator = std::exchange(separated_, false),
                                   .heading = std::exchange(heading_, nullptr),
                                   .submenu = submenu_,
                                   .presenting = presenting_});
}

std::string to_string(const Shortcut& shortcut) {
  return std::string(shortcut.ctrl ? "Ctrl+" : "") + (shortcut.shift ? "Shift+" : "") +
         key_name(shortcut.key);
}

const char* group_name(ActionGroup group) {
  constexpr const char* names[] = {TR("File"), TR("Edit"), TR("Attention"), TR("View"), TR("Help")};
  return names[static_cast<int>(group)];
}

std::string keys_of(const Action& action) {
  std::string text;
  for (const Shortcut& shortcut : action.keys) text += (text.empty() ? "" : ", ") + to_string(shortcut);
  return text;
}

const char* text_of(const Action& action, const Translator& tr) {
  return action.own.empty() ? tr(action.text) : action.own.in(tr.language()).c_str();
}

int match_score(const Action& action, const std::string& query) {
  constexpr int max_by_submenu = 150;  // for matches by submenu: below matches by name
  const std::string wanted = lower(query);
  int best = -1;
  for (const LanguageRow& row : languages()) {
    const Translator in(row.language);
    const std::string text = lower(text_of(action, in));
    // Commands rank before options and switches, unless the whole name matches.
    const int score = score_text(text, wanted);
    best = std::max(best, action.checked && score == begins ? begins - 60 : score);
    if (action.submenu != nullptr)
      best = std::max(best,
                      std::min(max_by_submenu, score_text(lower(in(action.submenu)) + " " + text, wanted)));
  }
  return best;
}

}  // namespace headscope
