#include "app/panels/widgets/heard.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/widget_memory.h"
#include "core/base/enum_table.h"

namespace headscope {
namespace {

constexpr std::array role_names{"none",       "text",   "heading",  "status", "img",     "progressbar",
                                "link",       "button", "checkbox", "radio",  "slider",  "textbox",
                                "combobox",   "option", "menuitem", "group",  "region",  "main",
                                "navigation", "dialog", "menubar",  "menu",   "listbox", "radiogroup"};
static_assert(role_names.size() == static_cast<std::size_t>(HeardRole::choices) + 1);

/// What of a label ImGui shows.
std::string_view shown_part(std::string_view label) {
  return label.substr(0, std::min(label.size(), label.find("##")));
}

bool is_text(HeardRole role) {
  return role == HeardRole::text || role == HeardRole::heading || role == HeardRole::status;
}
bool is_group(HeardRole role) {
  return role >= HeardRole::group;
}
bool is_control(HeardRole role) {
  return role >= HeardRole::link && !is_group(role);
}

bool is_inside(const std::array<float, 4>& inner, const std::array<float, 4>& outer) {
  constexpr float rounded = 1.5F;
  return inner[0] >= outer[0] - rounded && inner[1] >= outer[1] - rounded && inner[2] <= outer[2] + rounded &&
         inner[3] <= outer[3] + rounded;
}
bool has_middle_in(const std::array<float, 4>& inner, const std::array<float, 4>& outer) {
  const float x = (inner[0] + inner[2]) / 2, y = (inner[1] + inner[3]) / 2;
  return x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3];
}
bool are_on_one_line(const std::array<float, 4>& one, const std::array<float, 4>& other) {
  const float common = std::min(one[3], other[3]) - std::max(one[1], other[1]);
  return common > 0.5F * std::min(one[3] - one[1], other[3] - other[1]);
}

void append(std::string& text, std::string_view more) {
  if (!text.empty() && !more.empty()) text += ' ';
  text += more;
}

/// A popup of ImGui's combos, which it names so.
bool is_of_combo(const ImGuiWindow& window) {
  return std::string_view(window.Name).starts_with("##Combo_");
}

HeardRole role_of(const ImGuiWindow& window) {
  if ((window.Flags & ImGuiWindowFlags_Modal) != 0) return HeardRole::dialog;
  if ((window.Flags & ImGuiWindowFlags_Popup) != 0)
    return is_of_combo(window) ? HeardRole::options : HeardRole::menu;
  const std::string_view name(window.Name);
  if (name == "##MainMenuBar") return HeardRole::menu_bar;
  return name == "headscope" || name == "presentation" ? HeardRole::main : HeardRole::group;
}

}  // namespace

const char* heard_role_name(HeardRole role) {
  return of_kind(role_names, role);
}

bool has_keyboard(unsigned id) {
  return id == GImGui->NavId && navigates_by_keys();
}

Heard* listener() {
  const WidgetMemory* const memory = widget_memory();
  if (memory == nullptr || memory->heard == nullptr) return nullptr;
  const ImGuiWindow& window = *GImGui->CurrentWindow;
  const bool unheard = window.SkipItems || (window.Flags & ImGuiWindowFlags_Tooltip) != 0;
  return unheard ? nullptr : memory->heard;
}

void Heard::press(unsigned id) {
  press_ = id;
}
void Heard::set(unsigned id, double value) {
  value_ = {id, value};
}
void Heard::type(unsigned id, std::string text) {
  press_ = id;
  typing_ = {std::move(text), 1};
}
void Heard::focus(unsigned id) {
  focus_ = id;
}

Heard::Input Heard::begin() {
  drawn_.clear();
  groups_.clear();
  texts_.clear();
  chosen.reset();
  label.clear();
  label_help.clear();
  deaf = false;
  row = rows = 0;
  inside_ = -1;
  pressed_ = 0;
  set_ = std::exchange(value_, std::nullopt);
  Input input;
  if (typing_ && press_ == 0 && --typing_->frames < 0) {
    input.typed = std::move(typing_->text);
    typing_.reset();
  }
  if (press_ == 0) return input;
  const auto found = std::ranges::find(items_, press_, &HeardItem::id);
  if (found == items_.end() || found->disabled) {
    press_ = 0;
    typing_.reset();
    return input;
  }
  ImGuiWindow* const window = windows_[press_];
  const std::array<float, 4>& rect = found->rect;
  const ImRect& seen = window->InnerClipRect;
  const ImVec2 middle{(rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2};
  // add() scrolls to it.
  if (scrolls_ < max_scrolls && !seen.Contains(middle)) {
    ++scrolls_;
    return input;
  }
  scrolls_ = 0;
  pressed_ = std::exchange(press_, 0);
  ::ImGui::ClosePopupsOverWindow(window, false);
  const bool opens = found->role == HeardRole::list || found->role == HeardRole::menu_item;
  const bool taken = found->role == HeardRole::link || found->keyboard != 0;  // by take_press()
  if (taken || (opens && found->open.value_or(false))) return input;
  if (found->by_pointer) {
    input.click = middle;
    return input;
  }
  GImGui->NavNextActivateId = pressed_;
  GImGui->NavNextActivateFlags = ImGuiActivateFlags_None;
  GImGui->NavInputSource = ImGuiInputSource_Keyboard;
  return input;
}

HeardItem* Heard::add(HeardRole role, unsigned id, std::string_view name, ImVec2 min, ImVec2 max) {
  ImGuiWindow* const window = GImGui->CurrentWindow;
  const int parent = group_of(window);
  HeardItem item;
  item.role = role;
  item.id = id;
  item.parent = parent;
  item.name = shown_part(name);
  item.rect = {min.x, min.y, max.x, max.y};
  item.disabled = (GImGui->CurrentItemFlags & ImGuiItemFlags_Disabled) != 0;
  item.focused = has_keyboard(id) || (role == HeardRole::field && id == GImGui->ActiveId);
  if (is_control(role)) {
    if (chosen) item.on = chosen;
    const bool takes_label = item.name.empty() && role != HeardRole::button && role != HeardRole::radio;
    const bool says_value = !label.empty() && !item.name.empty() && role == HeardRole::button;
    if (!label.empty() && !takes_label && !says_value) {
      HeardItem before = item;
      before.role = HeardRole::text;
      before.id = next_text_id(window);
      before.name = std::exchange(label, {});
      before.on.reset();
      before.focused = false;
      drawn_.push_back({std::move(before), window});
    }
    if (takes_label) item.name = std::exchange(label, {});
    if (says_value) item.name = std::exchange(label, {}) + ": " + item.name;
    item.help = std::exchange(label_help, {});
    item.place = std::exchange(row, 0);
    item.count = std::exchange(rows, 0);
    if (id == press_ && scrolls_ > 0) ::ImGui::ScrollToRect(window, {min, max});
    if (id == focus_) {
      focus_ = 0;
      // Of a list, the row beyond it is drawn, too, and so within reach.
      const float beyond = max.y - min.y;
      ::ImGui::ScrollToRect(window, {{min.x, item.place > 1 ? min.y - beyond : min.y},
                                     {max.x, item.place < item.count ? max.y + beyond : max.y}});
      take_keyboard(id);
    }
  }
  drawn_.push_back({std::move(item), window});
  return &drawn_.back().item;
}

void Heard::take_keyboard(unsigned id) {
  ::ImGui::NavMoveRequestCancel();
  if (GImGui->ActiveId != id) ::ImGui::ClearActiveID();  // a field would keep the keyboard
  ::ImGui::SetFocusID(id, GImGui->CurrentWindow);
  show_highlight();
}

Heard::Asked Heard::add_part(unsigned keyboard, HeardItem part, bool present) {
  const bool focus = focus_ == part.id;
  if (focus) focus_ = 0;
  const auto [left, top, right, bottom] = part.rect;
  const ImVec2 min{left, top}, max{right, bottom};
  HeardItem& item = *add(part.role, part.id, part.name, min, max);
  item.value = std::move(part.value);
  item.help = std::move(part.help);
  item.keyboard = keyboard;
  item.present = present;
  item.focused = present && GImGui->NavWindow == GImGui->CurrentWindow &&
                 (GImGui->NavId == keyboard || GImGui->NavId == 0);
  item.quiet = true;  // Esc shows the keyboard there for a moment
  if (focus) {
    ::ImGui::ScrollToRect(GImGui->CurrentWindow, {min, max});
    take_keyboard(keyboard);
  }
  return take_press(part.id) ? Asked::press : focus && !present ? Asked::focus : Asked::nothing;
}

int Heard::begin_group(HeardRole role, std::string_view name) {
  ImGuiWindow* const window = GImGui->CurrentWindow;
  const int parent = group_of(window);
  HeardItem group;
  group.role = role;
  group.id = next_text_id(window);
  group.parent = parent;
  group.name = name.empty() ? std::exchange(label, {}) : std::string(name);
  if (name.empty()) group.help = std::exchange(label_help, {});
  const ImVec2 at = ::ImGui::GetCursorScreenPos();
  group.rect = {at.x, at.y, at.x + ::ImGui::GetContentRegionAvail().x, at.y + ::ImGui::GetFrameHeight()};
  const int before = std::exchange(inside_, static_cast<int>(drawn_.size()));
  drawn_.push_back({std::move(group), window});
  return before;
}

/// A menu bar and a group of choices are one stop: arrow keys lead on from there.
bool Heard::is_stop(std::size_t at) const {
  const HeardItem& item = items_[at];
  const bool pressed = is_control(item.role) || item.role == HeardRole::image;
  if (!pressed || item.disabled || item.by_pointer) return false;
  if (item.keyboard != 0) return item.present;
  if (item.role == HeardRole::radio && item.on.value_or(false)) return true;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (is_beside(i, at) && (i < at || items_[i].on.value_or(false))) return false;
  return true;
}
bool Heard::is_beside(std::size_t at, std::size_t stop) const {
  const HeardItem &one = items_[at], &other = items_[stop];
  if (at == stop || one.parent != other.parent || one.role != other.role || one.disabled) return false;
  return one.role == HeardRole::menu_item || one.role == HeardRole::radio;
}

bool Heard::holds_keyboard(std::size_t at) const {
  return items_[at].id == GImGui->NavId || (items_[at].keyboard != 0 && items_[at].focused);
}

void Heard::step(int by) {
  const auto count = static_cast<int>(items_.size());
  int now = 0;
  while (now < count && !holds_keyboard(now)) ++now;
  const bool found = now < count;
  // A click leaves the keyboard to a window.
  if (!found) {
    const int window = GImGui->NavWindow != nullptr ? GImGui->NavWindow->BeginOrderWithinContext : -1;
    const auto is_before = [&](int at) {
      return !is_stop(at) || windows_.at(items_[at].id)->BeginOrderWithinContext < window;
    };
    now = 0;
    while (now < count && is_before(now)) ++now;
    if (by > 0) --now;
  }
  for (int tried = 0, at = now; tried < count; ++tried) {
    at = (at + by + count) % count;
    if (!is_stop(at) || (found && (is_beside(at, now) || at == now))) continue;
    if (found && items_[at].keyboard != 0 && items_[at].keyboard == items_[now].keyboard) continue;
    const HeardItem& stop = items_[at];
    return stop.role == HeardRole::field ? press(stop.id) : focus(stop.id);
  }
}

unsigned Heard::next_text_id(ImGuiWindow* window) {
  return ImHashData(&++texts_[window], sizeof(int), window->ID);
}

HeardItem* Heard::add_text(HeardRole role, std::string_view text, ImVec2 min, ImVec2 max) {
  if (deaf || text.empty()) return nullptr;
  HeardItem* const item = add(role, next_text_id(GImGui->CurrentWindow), {}, min, max);
  item->name = text;
  return item;
}

void Heard::add_block(HeardRole role, std::string_view text, ImVec2 min, ImVec2 max, int level) {
  if (HeardItem* const item = add_text(role, text, min, max)) {
    drawn_.back().block = true;
    item->level = level;
  }
}

int Heard::group_of(ImGuiWindow* window) {
  if (inside_ >= 0 && drawn_[inside_].window == window) return inside_;
  const auto found = std::ranges::find(groups_, window, &Group::window);
  if (found != groups_.end()) return found->item;
  const bool popup = (window->Flags & ImGuiWindowFlags_Popup) != 0;
  if ((window->Flags & ImGuiWindowFlags_ChildWindow) != 0 && !popup && window->ParentWindow != nullptr)
    return group_of(window->ParentWindow);
  const HeardRole role = role_of(*window);
  const bool modal = (window->Flags & ImGuiWindowFlags_Modal) != 0;
  return add_group(window, -1, role,
                   modal                     ? shown_part(window->Name)
                   : role == HeardRole::main ? std::string_view("Headscope")
                                             : std::string_view());
}

int Heard::add_group(ImGuiWindow* window, int parent, HeardRole role, std::string_view name) {
  const auto place = static_cast<int>(drawn_.size());
  HeardItem group;
  group.role = role;
  group.id = window->ID;
  group.parent = parent;
  group.name = name;
  const ImVec2 from = window->Pos, to{window->Pos.x + window->Size.x, window->Pos.y + window->Size.y};
  group.rect = {from.x, from.y, to.x, to.y};
  drawn_.push_back({std::move(group), window});
  groups_.push_back({window, place});
  return place;
}

void Heard::name_window(HeardRole role, std::string_view name) {
  ImGuiWindow* const window = GImGui->CurrentWindow;
  const auto found = std::ranges::find(groups_, window, &Group::window);
  if (found == groups_.end()) {
    const bool child = (window->Flags & ImGuiWindowFlags_ChildWindow) != 0 && window->ParentWindow != nullptr;
    add_group(window, child ? group_of(window->ParentWindow) : -1, role, name);
    return;
  }
  HeardItem& group = drawn_[found->item].item;
  group.role = role;
  group.name = name;
}

HeardItem* Heard::last(ImVec2 min, ImVec2 max) {
  constexpr std::size_t far = 8;  // a group of items has few
  const std::array<float, 4> around{min.x, min.y, max.x, max.y};
  HeardItem* text = nullptr;
  for (std::size_t i = drawn_.size(); i > 0 && i + far > drawn_.size(); --i) {
    HeardItem& item = drawn_[i - 1].item;
    if (is_group(item.role)) break;
    if (!is_inside(item.rect, around)) continue;
    if (!is_text(item.role)) return &item;
    if (text == nullptr) text = &item;
  }
  return text;
}

void Heard::name_inside(std::string_view text, ImVec2 min, ImVec2 max) {
  if (drawn_.empty()) return;
  Drawn& drawn = drawn_.back();
  const bool inside = drawn.window == GImGui->CurrentWindow && is_control(drawn.item.role) &&
                      has_middle_in({min.x, min.y, max.x, max.y}, drawn.item.rect);
  if (inside && (drawn.item.name.empty() || drawn.named_inside)) {
    append(drawn.item.name, text);
    drawn.named_inside = true;
  }
}

std::optional<double> Heard::take_value(unsigned id) {
  if (!set_ || set_->first != id) return {};
  const double value = set_->second;
  set_.reset();
  return value;
}

bool Heard::take_press(unsigned id) {
  return pressed_ == id && std::exchange(pressed_, 0) != 0;
}

/// What is behind a dialog cannot be reached.
void Heard::keep_modal() {
  ImGuiWindow* const modal = ::ImGui::GetTopMostAndVisiblePopupModal();
  if (modal == nullptr) return;
  for (Drawn& drawn : drawn_)
    if (drawn.window != modal && !::ImGui::IsWindowWithinBeginStackOf(drawn.window, modal))
      drawn.item.role = HeardRole::none;
}

/// From what is drawn in it, its tooltip, or what stands beside it.
void Heard::name_items() {
  const std::size_t count = drawn_.size();
  for (std::size_t i = 0; i < count; ++i) {
    HeardItem& item = drawn_[i].item;
    if (!is_control(item.role) || !item.name.empty()) continue;
    for (std::size_t next = i + 1; next < count && drawn_[next].item.parent == item.parent; ++next) {
      HeardItem& inside = drawn_[next].item;
      if (inside.role == HeardRole::none) continue;
      if (!is_text(inside.role)) break;
      if (!has_middle_in(inside.rect, item.rect)) continue;
      append(item.name, inside.name);
      inside.role = HeardRole::none;
    }
    if (item.name.empty() && item.role != HeardRole::field && !item.explains)
      item.name = std::exchange(item.help, {});
    const auto beside = [&](std::size_t at) {
      HeardItem& other = drawn_[at].item;
      const bool fits = other.role != HeardRole::none && !is_group(other.role) &&
                        other.parent == item.parent && !other.name.empty() &&
                        are_on_one_line(item.rect, other.rect);
      if (!fits || !item.name.empty()) return;
      item.name = other.name;
      if (is_text(other.role) && !item.explains) other.role = HeardRole::none;
    };
    const bool precedes = item.role == HeardRole::radio || item.role == HeardRole::check;
    if (precedes && i + 1 < count) beside(i + 1);
    // What it explains may be a row of choices.
    const int group = i > 0 ? drawn_[i - 1].item.parent : -1;
    if (item.explains && group >= 0 && drawn_[group].item.role == HeardRole::choices)
      item.name = drawn_[group].item.name;
    if (i > 0) beside(i - 1);
    if (i + 1 < count) beside(i + 1);
    if (item.name.empty()) item.name = std::exchange(item.help, {});
    if (item.name.empty()) item.name = item.value;
  }
}

/// Those without a label by the heading that they are below, or by what they are in.
void Heard::name_groups() {
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    HeardItem& group = drawn_[i].item;
    if (!group.name.empty() || (group.role != HeardRole::choices && group.role != HeardRole::options))
      continue;
    for (std::size_t at = i; at-- > 0 && group.name.empty();)
      if (const HeardItem& before = drawn_[at].item;
          before.role != HeardRole::none && before.level > 0 && before.parent == group.parent)
        group.name = before.name;
    for (int at = group.parent; at >= 0 && group.name.empty(); at = drawn_[at].item.parent)
      group.name = drawn_[at].item.name;
  }
}

/// A line that is drawn in pieces is one.
void Heard::join_texts() {
  HeardItem* before = nullptr;
  for (Drawn& drawn : drawn_) {
    HeardItem& item = drawn.item;
    if (item.role == HeardRole::none) continue;
    const bool joins = before != nullptr && !drawn.block && item.role == HeardRole::text &&
                       before->role == HeardRole::text && item.parent == before->parent &&
                       are_on_one_line(before->rect, item.rect);
    if (!joins) {
      before = &item;
      continue;
    }
    append(before->name, item.name);
    if (before->help.find(item.help) == std::string::npos) append(before->help, item.help);
    before->rect[2] = std::max(before->rect[2], item.rect[2]);
    item.role = HeardRole::none;
  }
}

const std::vector<HeardItem>& Heard::end() {
  keep_modal();
  name_items();
  name_groups();
  join_texts();
  for (Drawn& drawn : drawn_)
    if (drawn.item.help == drawn.item.name) drawn.item.help.clear();
  // A popup with other things than entries is no menu.
  for (const Drawn& drawn : drawn_) {
    const HeardRole role = drawn.item.role;
    if (drawn.item.parent < 0 || !(is_control(role) || role == HeardRole::image)) continue;
    HeardItem& group = drawn_[drawn.item.parent].item;
    const bool entry = role == HeardRole::menu_item || role == HeardRole::option;
    if (group.role == HeardRole::menu && !entry) group.role = HeardRole::group;
    if (group.role == HeardRole::options && role != HeardRole::option) group.role = HeardRole::group;
    if (group.role == HeardRole::choices && role != HeardRole::radio) group.role = HeardRole::group;
  }
  std::vector<bool> used(drawn_.size(), false);
  for (std::size_t i = drawn_.size(); i-- > 0;) {
    const HeardItem& item = drawn_[i].item;
    used[i] = used[i] || (item.role != HeardRole::none && !is_group(item.role));
    if (used[i] && item.parent >= 0) used[item.parent] = true;
  }
  items_.clear();
  windows_.clear();
  std::vector<int> places(drawn_.size(), -1);
  std::set<unsigned> ids;
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    if (!used[i]) continue;
    HeardItem item = std::move(drawn_[i].item);
    if (item.parent >= 0) item.parent = places[item.parent];
    const HeardRole around = item.parent < 0 ? HeardRole::none : items_[item.parent].role;
    if (item.role == HeardRole::option && around != HeardRole::options && around != HeardRole::menu)
      item.role = HeardRole::button;
    if (item.role == HeardRole::option && around == HeardRole::menu) item.role = HeardRole::menu_item;
    for (; !ids.insert(item.id).second; ++item.id) item.by_pointer = true;
    windows_[item.id] = drawn_[i].window;
    places[i] = static_cast<int>(items_.size());
    items_.push_back(std::move(item));
  }
  focus_ = 0;  // it was not drawn
  return items_;
}

namespace {

HeardItem* last_item() {
  Heard* const heard = listener();
  return heard == nullptr ? nullptr : heard->last(::ImGui::GetItemRectMin(), ::ImGui::GetItemRectMax());
}

}  // namespace

void hear_as(HeardRole role, std::string_view name) {
  HeardItem* const item = last_item();
  if (item == nullptr) return;
  if (role != HeardRole::none) item->role = role;
  if (!name.empty()) item->name = name;
  // ImGui's keyboard is on no item of a window that has its own keys.
  if (role == HeardRole::image && GImGui->NavWindow == GImGui->CurrentWindow && GImGui->NavId == 0)
    item->focused = item->quiet = true;
}

void hear_on(HeardRole role, bool on, std::string_view name) {
  if (HeardItem* const item = last_item()) item->on = on;
  hear_as(role, name);
}

void hear_open(bool open) {
  HeardItem* const item = last_item();
  if (item == nullptr) return;
  item->open = open;
  item->on.reset();
}

void hear_step(bool present) {
  if (HeardItem* const item = last_item()) item->step = present;
}

void hear_value(HeardRole role, std::string_view value, std::string_view name) {
  if (HeardItem* const item = last_item()) item->value = value;
  hear_as(role, name);
}

void hear_box(std::string_view text, std::string_view name, bool edited) {
  hear_value(HeardRole::field, text, name);
  HeardItem* const item = last_item();
  if (item == nullptr) return;
  item->lines = true;
  item->focused |= edited;
}

void hear_help(std::string_view help) {
  Heard* const heard = listener();
  if (heard == nullptr || heard->deaf) return;
  if (HeardItem* const item = last_item()) item->help = help;
}

void hear_explanation(std::string_view help) {
  if (HeardItem* const item = last_item()) {
    item->help = help;
    item->explains = true;
  }
}

void hear_heading(int level) {
  HeardItem* const item = last_item();
  if (item == nullptr) return;
  if (is_text(item->role)) item->role = HeardRole::heading;
  item->level = level;
}

void hear_title(std::string_view title, int level) {
  Heard* const heard = listener();
  if (heard == nullptr) return;
  const ImVec2 at = ::ImGui::GetCursorScreenPos();
  heard->add_block(HeardRole::heading, title, at, {at.x + 1, at.y + 1}, level);
}

HeardGroup::HeardGroup(HeardRole role, std::string_view name) : heard(listener()) {
  if (heard != nullptr) before = heard->begin_group(role, name);
}
HeardGroup::~HeardGroup() {
  if (heard != nullptr) heard->end_group(before);
}

void hear_inside(std::string_view text, ImVec2 min, ImVec2 max) {
  Heard* const heard = listener();
  if (heard != nullptr) heard->name_inside(text, min, max);
}

void hear_nothing() {
  if (HeardItem* const item = last_item()) item->role = HeardRole::none;
}

void hear_text(std::string_view text, HeardRole role) {
  if (Heard* const heard = listener())
    heard->add_text(role, text, ::ImGui::GetItemRectMin(), ::ImGui::GetItemRectMax());
}

void hear_window(HeardRole role, std::string_view name) {
  if (Heard* const heard = listener()) heard->name_window(role, name);
}

Unheard::Unheard() : heard(listener()), before(heard != nullptr && heard->deaf) {
  if (heard != nullptr) heard->deaf = true;
}
Unheard::~Unheard() {
  if (heard != nullptr) heard->deaf = before;
}

namespace ImGui {
namespace {

HeardItem* hear(HeardRole role, const char* label) {
  Heard* const heard = listener();
  return heard == nullptr ? nullptr
                          : heard->add(role, ::ImGui::GetID(label), label, ::ImGui::GetItemRectMin(),
                                       ::ImGui::GetItemRectMax());
}

/// Of what opens a window, after which its own place is no longer known.
HeardItem* hear_opener(HeardRole role, const char* label, float width, float height) {
  Heard* const heard = listener();
  if (heard == nullptr) return nullptr;
  const ImVec2 at = ::ImGui::GetCursorScreenPos();
  return heard->add(role, ::ImGui::GetID(label), label, at, {at.x + width, at.y + height});
}

template <typename T>
void hear_slider(const char* label, T value, T low, T high) {
  HeardItem* const item = hear(HeardRole::slider, label);
  if (item == nullptr) return;
  item->now = static_cast<double>(value);
  item->low = static_cast<double>(low);
  item->high = static_cast<double>(high);
  item->whole = std::is_integral_v<T>;
}

void hear_field(const char* label, std::string_view value, ImGuiInputTextFlags flags = 0) {
  // A keyboard on the screen takes half of the window: what it writes in stays in sight.
  const WidgetMemory* const memory = widget_memory();
  if (memory != nullptr && memory->resized > 0 && ::ImGui::IsItemActive())
    ::ImGui::ScrollToRect(GImGui->CurrentWindow, {::ImGui::GetItemRectMin(), ::ImGui::GetItemRectMax()});
  HeardItem* const item = hear(HeardRole::field, label);
  if (item == nullptr) return;
  item->value = value;
  item->disabled |= (flags & ImGuiInputTextFlags_ReadOnly) != 0;
}

template <typename T>
bool slide(const char* label, ImGuiDataType type, void* value, const void* low, const void* high,
           const char* format, ImGuiSliderFlags flags) {
  bool changed = ::ImGui::SliderScalar(label, type, value, low, high, format, flags);
  T& number = *static_cast<T*>(value);
  const T least = *static_cast<const T*>(low), most = *static_cast<const T*>(high);
  Heard* const heard = listener();
  if (heard == nullptr) return changed;
  if (const auto asked = heard->take_value(::ImGui::GetID(label))) {
    number = static_cast<T>(std::clamp(*asked, static_cast<double>(least), static_cast<double>(most)));
    changed = true;
  }
  hear_slider(label, number, least, most);
  return changed;
}

}  // namespace

bool Button(const char* label, const ImVec2& size) {
  const bool pressed = ::ImGui::Button(label, size);
  hear(HeardRole::button, label);
  return pressed;
}
bool SmallButton(const char* label) {
  const bool pressed = ::ImGui::SmallButton(label);
  hear(HeardRole::button, label);
  return pressed;
}
bool ButtonEx(const char* label, const ImVec2& size, ImGuiButtonFlags flags) {
  const bool pressed = ::ImGui::ButtonEx(label, size, flags);
  hear(HeardRole::button, label);
  return pressed;
}
bool ArrowButton(const char* id, ImGuiDir direction) {
  const bool pressed = ::ImGui::ArrowButton(id, direction);
  hear(HeardRole::button, id);
  return pressed;
}
bool InvisibleButton(const char* id, const ImVec2& size, ImGuiButtonFlags flags) {
  const bool pressed = ::ImGui::InvisibleButton(id, size, flags);
  if (HeardItem* const item = hear(HeardRole::button, id)) item->name.clear();  // an id, no text
  return pressed;
}
bool Checkbox(const char* label, bool* on) {
  const bool changed = ::ImGui::Checkbox(label, on);
  if (HeardItem* const item = hear(HeardRole::check, label)) item->on = *on;
  return changed;
}
bool RadioButton(const char* label, bool on) {
  const bool pressed = ::ImGui::RadioButton(label, on);
  if (HeardItem* const item = hear(HeardRole::radio, label)) item->on = on;
  return pressed;
}
bool Selectable(const char* label, bool on, ImGuiSelectableFlags flags, const ImVec2& size) {
  const bool pressed = ::ImGui::Selectable(label, on, flags, size);
  if (HeardItem* const item = hear(HeardRole::option, label)) {
    item->on = on;
    while (item->name.starts_with(' ')) item->name.erase(0, 1);  // room for a drawing
  }
  return pressed;
}
bool BeginCombo(const char* label, const char* preview, ImGuiComboFlags flags) {
  if (HeardItem* const item =
          hear_opener(HeardRole::list, label, ::ImGui::CalcItemWidth(), ::ImGui::GetFrameHeight())) {
    item->value = preview != nullptr ? preview : "";
    item->open = false;
  }
  Heard* const heard = listener();
  const std::size_t place = heard != nullptr ? heard->place() : 0;
  const bool open = ::ImGui::BeginCombo(label, preview, flags);
  if (open && heard != nullptr) heard->opened(place);
  return open;
}
bool MenuItem(const char* label, const char* keys, bool on, bool enabled) {
  const bool pressed = ::ImGui::MenuItem(label, keys, on, enabled);
  if (HeardItem* const item = hear(HeardRole::menu_item, label)) {
    if (on) item->on = on;
    item->value = keys != nullptr ? keys : "";
    item->disabled |= !enabled;
  }
  return pressed;
}
bool BeginMenu(const char* label, bool enabled) {
  if (HeardItem* const item =
          hear_opener(HeardRole::menu_item, label, ::ImGui::CalcTextSize(label, nullptr, true).x,
                      ::ImGui::GetFrameHeight())) {
    item->open = false;
    item->disabled |= !enabled;
  }
  Heard* const heard = listener();
  const std::size_t place = heard != nullptr ? heard->place() : 0;
  const bool open = ::ImGui::BeginMenu(label, enabled);
  if (open && heard != nullptr) heard->opened(place);
  return open;
}
bool CollapsingHeader(const char* label, ImGuiTreeNodeFlags flags) {
  const bool open = ::ImGui::CollapsingHeader(label, flags);
  if (HeardItem* const item = hear(HeardRole::button, label)) item->open = open;
  return open;
}
bool TreeNodeEx(const char* label, ImGuiTreeNodeFlags flags) {
  // What is in it has its id behind the node's.
  const unsigned id = ::ImGui::GetID(label);
  const bool open = ::ImGui::TreeNodeEx(label, flags);
  if (Heard* const heard = listener())
    heard->add(HeardRole::button, id, label, ::ImGui::GetItemRectMin(), ::ImGui::GetItemRectMax())->open =
        open;
  return open;
}
bool SliderInt(const char* label, int* value, int low, int high, const char* format, ImGuiSliderFlags flags) {
  return slide<int>(label, ImGuiDataType_S32, value, &low, &high, format, flags);
}
bool SliderScalar(const char* label, ImGuiDataType type, void* value, const void* low, const void* high,
                  const char* format, ImGuiSliderFlags flags) {
  return type == ImGuiDataType_S32     ? slide<int>(label, type, value, low, high, format, flags)
         : type == ImGuiDataType_Float ? slide<float>(label, type, value, low, high, format, flags)
                                       : slide<double>(label, type, value, low, high, format, flags);
}
bool InputInt(const char* label, int* value, int step, int fast, ImGuiInputTextFlags flags) {
  const bool changed = ::ImGui::InputInt(label, value, step, fast, flags);
  hear_field(label, std::to_string(*value));
  return changed;
}
bool InputDouble(const char* label, double* value, double step, double fast, const char* format,
                 ImGuiInputTextFlags flags) {
  const bool changed = ::ImGui::InputDouble(label, value, step, fast, format, flags);
  std::array<char, 64> text{};
  ImFormatString(text.data(), text.size(), format, *value);
  hear_field(label, text.data());
  return changed;
}
bool InputScalar(const char* label, ImGuiDataType type, void* value, const void* step, const void* fast,
                 const char* format, ImGuiInputTextFlags flags) {
  const bool changed = ::ImGui::InputScalar(label, type, value, step, fast, format, flags);
  std::array<char, 64> text{};
  ::ImGui::DataTypeFormatString(text.data(), static_cast<int>(text.size()), type, value, format);
  hear_field(label, text.data());
  return changed;
}
bool InputText(const char* label, std::string* text, ImGuiInputTextFlags flags,
               ImGuiInputTextCallback callback, void* data) {
  const bool changed = ::ImGui::InputText(label, text, flags, callback, data);
  hear_field(label, *text, flags);
  return changed;
}
bool InputTextWithHint(const char* label, const char* hint, std::string* text, ImGuiInputTextFlags flags,
                       ImGuiInputTextCallback callback, void* data) {
  const bool changed = ::ImGui::InputTextWithHint(label, hint, text, flags, callback, data);
  hear_field(label, *text, flags);
  if (HeardItem* const item = last_item(); item != nullptr && item->name.empty()) item->name = hint;
  return changed;
}
bool InputTextMultiline(const char* label, std::string* text, const ImVec2& size, ImGuiInputTextFlags flags) {
  const bool changed = ::ImGui::InputTextMultiline(label, text, size, flags);
  hear_field(label, *text, flags);
  if (HeardItem* const item = last_item()) item->lines = true;
  return changed;
}
void ProgressBar(float share, const ImVec2& size, const char* overlay) {
  ::ImGui::ProgressBar(share, size, overlay);
  Heard* const heard = listener();
  if (heard == nullptr) return;
  HeardItem* const item =
      heard->add_text(HeardRole::progress, overlay != nullptr && *overlay != 0 ? overlay : "%",
                      ::ImGui::GetItemRectMin(), ::ImGui::GetItemRectMax());
  if (item == nullptr) return;
  item->now = static_cast<double>(share);
  item->high = 1;
}
void TextUnformatted(const char* text, const char* end) {
  ::ImGui::TextUnformatted(text, end);
  hear_text(end != nullptr ? std::string_view(text, static_cast<std::size_t>(end - text)) : text);
}
void TextWrapped(const char* /*format*/, const char* text) {
  ::ImGui::TextWrapped("%s", text);
  hear_text(text);
}
void TextDisabled(const char* /*format*/, const char* text) {
  ::ImGui::TextDisabled("%s", text);
  hear_text(text);
}
void TableHeader(const char* label) {
  ::ImGui::TableHeader(label);
  hear(HeardRole::button, label);
}
void TableHeadersRow() {
  ::ImGui::TableHeadersRow();
  std::string titles;
  for (int i = 0; i < ::ImGui::TableGetColumnCount(); ++i) append(titles, ::ImGui::TableGetColumnName(i));
  hear_text(titles);
}
}  // namespace ImGui

bool invisible_button(const char* id, ImVec2 size, ImGuiButtonFlags flags) {
  return ImGui::InvisibleButton(id, size, flags | ImGuiButtonFlags_EnableNav);
}

}  // namespace headscope
