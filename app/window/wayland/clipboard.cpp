#include "app/window/wayland/clipboard.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "core/system/descriptor.h"

namespace headscope::wayland {
namespace {

constexpr const char* png_type = "image/png";

/// A program that closes its end before it has everything is no reason to end this one.
void ignore_broken_pipes() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void send_all(const std::stop_token& stop, int number, const std::string& bytes) {
  const Descriptor file(number);
  ignore_broken_pipes();
  fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK);
  constexpr int look_for_stop_ms = 100;
  for (std::size_t sent = 0; sent < bytes.size() && !stop.stop_requested();) {
    pollfd target{number, POLLOUT, 0};
    if (poll(&target, 1, look_for_stop_ms) <= 0) continue;
    const ssize_t count = write(number, bytes.data() + sent, bytes.size() - sent);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return;
    sent += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
}

}  // namespace

Offer::Offer(wl_data_offer* offered) : proxy(offered) {
  static constexpr wl_data_offer_listener listener{forward<&Offer::add_type>, ignore, ignore};
  wl_data_offer_add_listener(offered, &listener, this);
}

Clipboard::Clipboard(wl_display& display, wl_data_device_manager& manager, wl_seat& seat)
    : display_(display), manager_(manager), device_(wl_data_device_manager_get_data_device(&manager, &seat)) {
  static constexpr wl_data_device_listener listener{
      forward<&Clipboard::on_offer>,    forward<&Clipboard::on_enter>, ignore, ignore, ignore,
      forward<&Clipboard::on_selection>};
  wl_data_device_add_listener(device_.get(), &listener, this);
}

void Clipboard::offer(std::string png, std::uint32_t serial) {
  static constexpr wl_data_source_listener listener{
      ignore, forward<&Clipboard::on_send>, forward<&Clipboard::on_cancelled>, ignore, ignore, ignore};
  source_.reset(wl_data_device_manager_create_data_source(&manager_));
  wl_data_source_add_listener(source_.get(), &listener, this);
  wl_data_source_offer(source_.get(), png_type);
  png_ = std::make_shared<const std::string>(std::move(png));
  wl_data_device_set_selection(device_.get(), source_.get(), serial);
  wl_display_flush(&display_);
}

std::optional<std::string> Clipboard::picture() {
  if (png_ != nullptr) return *png_;  // this thread could not both send and receive
  for (const char* type : {png_type, "image/jpeg"})
    if (selection_ != nullptr && selection_->has(type)) return read(type);
  return {};
}

void Clipboard::on_offer(wl_data_offer* offered) {
  announced_.push_back(std::make_unique<Offer>(offered));
}

void Clipboard::on_selection(wl_data_offer* offered) {
  selection_ = take(offered);
}

void Clipboard::on_enter(std::uint32_t, wl_surface*, wl_fixed_t, wl_fixed_t, wl_data_offer* offered) {
  dragged_ = take(offered);
}

std::unique_ptr<Offer> Clipboard::take(wl_data_offer* offered) {
  const auto found = std::ranges::find_if(
      announced_, [offered](const std::unique_ptr<Offer>& offer) { return offer->proxy.get() == offered; });
  if (found == announced_.end()) return nullptr;
  std::unique_ptr<Offer> offer = std::move(*found);
  announced_.erase(found);
  return offer;
}

std::optional<std::string> Clipboard::read(const std::string& type) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  Descriptor from(ends[0]), to(ends[1]);
  wl_data_offer_receive(selection_->proxy.get(), type.c_str(), to);
  wl_display_flush(&display_);
  to.close();
  constexpr int longest_ms = 2000;
  constexpr std::size_t most = std::size_t{256} << 20;
  std::string bytes;
  std::array<char, 65536> piece{};
  pollfd source{from, POLLIN, 0};
  while (bytes.size() <= most && poll(&source, 1, longest_ms) > 0) {
    const ssize_t count = ::read(from, piece.data(), piece.size());
    if (count == 0) return bytes.empty() ? std::nullopt : std::optional(std::move(bytes));
    if (count > 0)
      bytes.append(piece.data(), static_cast<std::size_t>(count));
    else if (errno != EINTR)
      return {};
  }
  return {};
}

void Clipboard::on_send(const char*, std::int32_t file) {
  transfers_.emplace_back([file, png = png_](const std::stop_token& stop) { send_all(stop, file, *png); });
}

/// Another program owns the clipboard now, or GLFW.
void Clipboard::on_cancelled() {
  source_.reset();
  png_.reset();
}

}  // namespace headscope::wayland
