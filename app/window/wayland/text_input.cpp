#include "app/window/wayland/text_input.h"

#include <algorithm>
#include <utility>

#include "core/base/utf8.h"
#include "text-input-unstable-v3-client-protocol.h"

namespace headscope::wayland {

void DestroyTextInput::operator()(zwp_text_input_v3* input) const {
  zwp_text_input_v3_destroy(input);
}
void DestroyTextInput::operator()(zwp_text_input_manager_v3* manager) const {
  zwp_text_input_manager_v3_destroy(manager);
}

TextInput::TextInput(zwp_text_input_manager_v3& manager, wl_seat& seat,
                     std::function<void(const std::string& text)> commit)
    : input_(zwp_text_input_manager_v3_get_text_input(&manager, &seat)), commit_(std::move(commit)) {
  static constexpr zwp_text_input_v3_listener listener = [] {
    zwp_text_input_v3_listener table{};  // of the first version: later ones have more events
    table.enter = forward<&TextInput::on_enter>;
    table.leave = forward<&TextInput::on_leave>;
    table.preedit_string = forward<&TextInput::on_preedit>;
    table.commit_string = forward<&TextInput::on_commit>;
    table.delete_surrounding_text = ignore;  // the text around the caret is not sent to it
    table.done = forward<&TextInput::on_done>;
    return table;
  }();
  zwp_text_input_v3_add_listener(input_.get(), &listener, this);
}

void TextInput::set_editing(bool editing) {
  editing_ = editing;
  agree();
}

void TextInput::agree() {
  const bool wanted = entered_ && editing_;
  if (!entered_ || wanted == enabled_) return;
  enabled_ = wanted;
  composition_ = coming_ = {};
  committed_.clear();
  if (wanted) {
    zwp_text_input_v3_enable(input_.get());
    zwp_text_input_v3_set_cursor_rectangle(input_.get(), caret_.x, caret_.y, 1, caret_.height);
  } else {
    zwp_text_input_v3_disable(input_.get());
  }
  zwp_text_input_v3_commit(input_.get());
}

void TextInput::place_caret(float x, float y, float height) {
  const Rectangle at{static_cast<int>(x), static_cast<int>(y), std::max(static_cast<int>(height), 1)};
  if (at == std::exchange(caret_, at) || !enabled_) return;
  zwp_text_input_v3_set_cursor_rectangle(input_.get(), at.x, at.y, 1, at.height);
  zwp_text_input_v3_commit(input_.get());
}

void TextInput::on_enter(wl_surface*) {
  entered_ = true;
  agree();
}

void TextInput::on_leave(wl_surface*) {
  const bool listened = std::exchange(enabled_, false);
  entered_ = false;
  composition_ = coming_ = {};
  committed_.clear();
  if (listened) commit_("");
}

void TextInput::on_preedit(const char* text, std::int32_t begin, std::int32_t) {
  coming_.text = text != nullptr && find_invalid_utf8(text) == std::string::npos ? text : "";
  const std::size_t end = coming_.text.size();
  coming_.caret = begin < 0 ? end : std::min(static_cast<std::size_t>(begin), end);
}

void TextInput::on_commit(const char* text) {
  committed_ = text != nullptr ? text : "";
}

void TextInput::on_done(std::uint32_t) {
  composition_ = std::exchange(coming_, {});
  const std::string text = std::exchange(committed_, {});
  if (enabled_) commit_(text);
}

}  // namespace headscope::wayland
