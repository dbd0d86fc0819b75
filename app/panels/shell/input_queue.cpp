#include "app/panels/shell/input_queue.h"

#include <algorithm>
#include <cfloat>
#include <utility>

#include "app/state/text/text_edit.h"

namespace headscope {
namespace {

constexpr char32_t button_base = 1000;  // buttons and keys share one list of edges in this frame

}  // namespace

void InputQueue::push(const InputEvent& event) {
  // Of consecutive movements only the last matters.
  if (event.kind == InputEvent::Kind::position && !events_.empty() &&
      events_.back().kind == InputEvent::Kind::position) {
    events_.back() = event;
    return;
  }
  events_.push_back(event);
}

void InputQueue::feed(ImGuiIO& io) {
  if (seen_at_)
    io.DeltaTime = static_cast<float>(std::max(*seen_at_ - std::exchange(fed_at_, *seen_at_), 1e-4));
  characters_.clear();
  used_keys_.clear();
  clicked_ = false;
  while (!events_.empty() && take(io, events_.front())) events_.pop_front();
}

std::u32string InputQueue::coming_characters() const {
  std::u32string characters;
  for (const InputEvent& event : events_)
    if (event.kind == InputEvent::Kind::character) characters.push_back(event.character);
  return characters;
}

bool InputQueue::take(ImGuiIO& io, const InputEvent& event) {
  const auto first_edge = [this](char32_t id) {
    if (used_keys_.find(id) != std::u32string::npos) return false;
    used_keys_.push_back(id);
    return true;
  };
  const bool has_modifiers = event.kind == InputEvent::Kind::key || event.kind == InputEvent::Kind::button;
  const std::array modifiers{event.ctrl, event.shift, event.alt, event.super};
  // Releasing Ctrl right after Ctrl+E would turn it into E.
  if (has_modifiers && modifiers != modifiers_ && !used_keys_.empty()) return false;
  if (has_modifiers) modifiers_ = modifiers;
  switch (event.kind) {
    case InputEvent::Kind::key:
      // A key after a character in the same frame would be processed before it: widgets read characters and
      // keys separately.
      if (!characters_.empty() && event.down) return false;
      if (event.key != Key::count) {
        if (!first_edge(static_cast<char32_t>(event.key))) return false;
        set_key(io, event.key, event.down);
      }
      set_modifiers(io, event.ctrl, event.shift, event.alt, event.super);
      return true;
    case InputEvent::Kind::button:
      // A click elsewhere in the same frame would take the caret from what was typed before it.
      if (!characters_.empty() && event.down) return false;
      if (!first_edge(button_base + static_cast<char32_t>(event.button))) return false;
      clicked_ = true;
      set_button(io, event.button, event.down);
      set_modifiers(io, event.ctrl, event.shift, event.alt, event.super);
      return true;
    case InputEvent::Kind::position:
      // A movement after a click belongs to the next frame, otherwise the click would land elsewhere.
      if (clicked_) return false;
      set_position(io, event.x, event.y);
      return true;
    case InputEvent::Kind::wheel:
      set_wheel(io, event.x, event.y);
      return true;
    case InputEvent::Kind::character:
      characters_.push_back(event.character);
      io.AddInputCharacter(event.character);
      return true;
    case InputEvent::Kind::leave:
      set_position(io, -FLT_MAX, -FLT_MAX);
      return true;
  }
  return true;
}

void carry_out(const Heard::Input& asked, InputQueue& queue) {
  using Kind = InputEvent::Kind;
  const auto press = [&queue](Key key, bool ctrl) {
    queue.push({.kind = Kind::key, .key = key, .down = true, .ctrl = ctrl});
    queue.push({.kind = Kind::key, .key = key});
  };
  if (asked.typed) {
    press(Key::a, true);
    if (asked.typed->empty()) press(Key::backspace, false);
    const std::string& text = *asked.typed;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next)
      queue.push({.kind = Kind::character, .character = decode_utf8(text, at, next)});
  }
  if (asked.click) {
    queue.push({.kind = Kind::position, .x = asked.click->x, .y = asked.click->y});
    for (const bool down : {true, false}) queue.push({.kind = Kind::button, .down = down});
  }
}

}  // namespace headscope
