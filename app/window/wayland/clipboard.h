#pragma once
#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/window/wayland/listener.h"

namespace headscope::wayland {

/// A selection or a drag of another program, or of GLFW, and the types that it has.
struct Offer {
  explicit Offer(wl_data_offer* offered);
  void add_type(const char* type) { types.emplace_back(type); }
  bool has(std::string_view type) const { return std::ranges::find(types, type) != types.end(); }

  DataOffer proxy;
  std::vector<std::string> types;
};

/// Pictures on the clipboard, beside GLFW's texts on it.
class Clipboard {
 public:
  Clipboard(wl_display& display, wl_data_device_manager& manager, wl_seat& seat);

  /// `serial`: of the last key or button.
  void offer(std::string png, std::uint32_t serial);
  std::optional<std::string> picture();

 private:
  void on_offer(wl_data_offer* offered);
  void on_selection(wl_data_offer* offered);
  void on_enter(std::uint32_t serial, wl_surface* surface, wl_fixed_t x, wl_fixed_t y,
                wl_data_offer* offered);
  void on_send(const char* type, std::int32_t file);
  void on_cancelled();
  /// Of the offers that were announced.
  std::unique_ptr<Offer> take(wl_data_offer* offered);
  std::optional<std::string> read(const std::string& type);

  wl_display& display_;
  wl_data_device_manager& manager_;
  DataDevice device_;
  std::list<std::unique_ptr<Offer>> announced_;
  std::unique_ptr<Offer> selection_;
  /// GLFW reads what is dropped from its own offer; destroying this one could end the transfer.
  std::unique_ptr<Offer> dragged_;
  DataSource source_;
  std::shared_ptr<const std::string> png_;  ///< while this window owns the clipboard
  std::vector<std::jthread> transfers_;
};

}  // namespace headscope::wayland
