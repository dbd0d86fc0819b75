#include "app/state/action.h"

#include <utility>

#include "core/base/enum_table.h"

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
  return of_kind(names, key);
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
                                   .submenu = submenu_,
                                   .presenting = presenting_});
}

std::string to_string(const Shortcut& shortcut) {
  return std::string(shortcut.ctrl ? "Ctrl+" : "") + (shortcut.shift ? "Shift+" : "") +
         key_name(shortcut.key);
}

const char* group_name(ActionGroup group) {
  constexpr const char* names[] = {TR("File"), TR("Edit"), TR("Attention"), TR("View"), TR("Help")};
  return of_kind(names, group);
}

std::string keys_of(const Action& action) {
  std::string text;
  for (const Shortcut& shortcut : action.keys) text += (text.empty() ? "" : ", ") + to_string(shortcut);
  return text;
}

const char* text_of(const Action& action, const Translator& tr) {
  return action.own.empty() ? tr(action.text) : action.own.in(tr.language()).c_str();
}

}  // namespace headscope
