#include "app/window/clipboard_picture.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

#include "app/window/xcb_pointers.h"

namespace headscope {
namespace {

xcb_atom_t intern(xcb_connection_t* connection, const char* name) {
  const auto cookie = xcb_intern_atom(connection, 0, static_cast<std::uint16_t>(std::strlen(name)), name);
  const std::unique_ptr<xcb_intern_atom_reply_t, Free> reply(
      xcb_intern_atom_reply(connection, cookie, nullptr));
  return reply == nullptr ? xcb_atom_t{XCB_ATOM_NONE} : reply->atom;
}

}  // namespace

// Uses xcb rather than Xlib: a requestor that disappears before it is served is an event here and does not
// end the program.
class ClipboardPicture::Owner {
 public:
  explicit Owner(std::string png) : png_(std::move(png)), connection_(xcb_connect(nullptr, nullptr)) {
    if (xcb_connection_has_error(connection_.get()) == 0 && take() && pipe(wake_.data()) == 0)
      thread_ = std::thread([this] {
        try {
          serve();
        } catch (const std::exception&) {
          // Requests for the picture get no data from here on.
        }
      });
  }

  ~Owner() {
    if (!thread_.joinable()) return;
    close(wake_[1]);
    thread_.join();
    close(wake_[0]);
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  bool owns() const { return thread_.joinable(); }

 private:
  using Transfer = std::pair<xcb_window_t, xcb_atom_t>;  // requestor, property

  bool take() {
    xcb_connection_t* c = connection_.get();
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    if (screen == nullptr) return false;
    window_ = xcb_generate_id(c);
    xcb_create_window(c, XCB_COPY_FROM_PARENT, window_, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, nullptr);
    clipboard_ = intern(c, "CLIPBOARD");
    targets_ = intern(c, "TARGETS");
    png_type_ = intern(c, "image/png");
    incr_ = intern(c, "INCR");
    xcb_set_selection_owner(c, window_, clipboard_, XCB_CURRENT_TIME);
    const std::unique_ptr<xcb_get_selection_owner_reply_t, Free> reply(
        xcb_get_selection_owner_reply(c, xcb_get_selection_owner(c, clipboard_), nullptr));
    return reply != nullptr && reply->owner == window_;
  }

  void serve() {
    std::array<pollfd, 2> sources{
        {{xcb_get_file_descriptor(connection_.get()), POLLIN, 0}, {wake_[0], POLLIN, 0}}};
    while (xcb_connection_has_error(connection_.get()) == 0) {
      while (std::unique_ptr<xcb_generic_event_t, Free> event{xcb_poll_for_event(connection_.get())})
        if (!handle(*event)) return;
      xcb_flush(connection_.get());
      if (poll(sources.data(), sources.size(), -1) < 0 || sources[1].revents != 0) return;
    }
  }

  // False once another program owns the clipboard.
  bool handle(const xcb_generic_event_t& event) {
    switch (event.response_type & 0x7f) {
      case XCB_SELECTION_CLEAR:
        return false;
      case XCB_SELECTION_REQUEST:
        answer(reinterpret_cast<const xcb_selection_request_event_t&>(event));
        break;
      case XCB_PROPERTY_NOTIFY: {
        const auto& notify = reinterpret_cast<const xcb_property_notify_event_t&>(event);
        if (notify.state == XCB_PROPERTY_DELETE) send_piece({notify.window, notify.atom});
        break;
      }
      default:
        break;
    }
    return true;
  }

  void answer(const xcb_selection_request_event_t& request) {
    const Transfer transfer{request.requestor,
                            request.property != XCB_ATOM_NONE ? request.property : request.target};
    bool served = true;
    if (request.target == targets_) {
      const std::array<xcb_atom_t, 2> offered{targets_, png_type_};
      put(transfer, XCB_ATOM_ATOM, 32, offered.size(), offered.data());
    } else if (request.target == png_type_) {
      send_picture(transfer);
    } else {
      served = false;
    }
    // An event on the wire always has 32 bytes.
    union {
      xcb_selection_notify_event_t notify;
      char bytes[32];
    } reply{};
    reply.notify.response_type = XCB_SELECTION_NOTIFY;
    reply.notify.time = request.time;
    reply.notify.requestor = request.requestor;
    reply.notify.selection = request.selection;
    reply.notify.target = request.target;
    reply.notify.property = served ? transfer.second : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
    xcb_send_event(connection_.get(), 0, request.requestor, XCB_EVENT_MASK_NO_EVENT, reply.bytes);
  }

  std::size_t largest_piece() const {
    const std::size_t words = xcb_get_maximum_request_length(connection_.get());
    return std::max<std::size_t>(1024, words * 4 - 256);
  }

  void send_picture(const Transfer& transfer) {
    if (png_.size() <= largest_piece()) {
      put(transfer, png_type_, 8, png_.size(), png_.data());
      return;
    }
    const std::uint32_t watch = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_change_window_attributes(connection_.get(), transfer.first, XCB_CW_EVENT_MASK, &watch);
    const auto size = static_cast<std::uint32_t>(png_.size());
    put(transfer, incr_, 32, 1, &size);
    transfers_[transfer] = 0;
  }

  // The requestor deletes the property once it has read it, which requests the next piece; an empty piece
  // marks the end.
  void send_piece(const Transfer& transfer) {
    const auto found = transfers_.find(transfer);
    if (found == transfers_.end()) return;
    const std::size_t size = std::min(largest_piece(), png_.size() - found->second);
    put(transfer, png_type_, 8, size, png_.data() + found->second);
    found->second += size;
    if (size == 0) transfers_.erase(found);
  }

  void put(const Transfer& transfer, xcb_atom_t type, std::uint8_t bits, std::size_t count,
           const void* data) {
    xcb_change_property(connection_.get(), XCB_PROP_MODE_REPLACE, transfer.first, transfer.second, type, bits,
                        static_cast<std::uint32_t>(count), data);
  }

  std::string png_;
  XcbConnection connection_;
  xcb_window_t window_ = 0;
  xcb_atom_t clipboard_ = 0, targets_ = 0, png_type_ = 0, incr_ = 0;
  std::map<Transfer, std::size_t> transfers_;
  std::array<int, 2> wake_{-1, -1};
  std::thread thread_;
};

ClipboardPicture::ClipboardPicture() = default;
ClipboardPicture::~ClipboardPicture() = default;

bool ClipboardPicture::offer(std::string png) {
  owner_.reset();
  owner_ = std::make_unique<Owner>(std::move(png));
  if (!owner_->owns()) owner_.reset();
  return owner_ != nullptr;
}

namespace {

/// Asks the owner of the clipboard for a picture, on a connection of its own: the window's must not wait.
class PictureRequest {
 public:
  PictureRequest() : connection_(xcb_connect(nullptr, nullptr)) {
    xcb_connection_t* c = connection_.get();
    if (xcb_connection_has_error(c) != 0) return;
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    if (screen == nullptr) return;
    window_ = xcb_generate_id(c);
    const std::uint32_t watch = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(c, XCB_COPY_FROM_PARENT, window_, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, XCB_CW_EVENT_MASK, &watch);
    property_ = intern(c, "HEADSCOPE_PICTURE");
    incr_ = intern(c, "INCR");
  }

  std::optional<std::string> of_type(const char* type) {
    if (window_ == 0) return {};
    xcb_connection_t* c = connection_.get();
    xcb_convert_selection(c, window_, intern(c, "CLIPBOARD"), intern(c, type), property_, XCB_CURRENT_TIME);
    xcb_flush(c);
    const auto answer = wait([](const xcb_generic_event_t& event) {
      return (event.response_type & 0x7f) == XCB_SELECTION_NOTIFY;
    });
    if (!answer || reinterpret_cast<const xcb_selection_notify_event_t&>(*answer).property == XCB_ATOM_NONE)
      return {};
    auto [found, bytes] = take_property();
    if (found != incr_) return found == XCB_ATOM_NONE ? std::nullopt : std::optional(std::move(bytes));
    // In pieces, the last of which is empty.
    std::string all;
    while (all.size() <= most_) {
      const auto put = wait([](const xcb_generic_event_t& event) {
        return (event.response_type & 0x7f) == XCB_PROPERTY_NOTIFY &&
               reinterpret_cast<const xcb_property_notify_event_t&>(event).state == XCB_PROPERTY_NEW_VALUE;
      });
      if (!put) return {};
      const std::string piece = take_property().second;
      if (piece.empty()) return all;
      all += piece;
    }
    return {};
  }

 private:
  using Event = std::unique_ptr<xcb_generic_event_t, Free>;

  template <typename IsWanted>
  Event wait(const IsWanted& is_wanted) {
    constexpr int longest_ms = 2000;
    pollfd source{xcb_get_file_descriptor(connection_.get()), POLLIN, 0};
    do
      while (Event event{xcb_poll_for_event(connection_.get())})
        if (is_wanted(*event)) return event;
    while (xcb_connection_has_error(connection_.get()) == 0 && poll(&source, 1, longest_ms) > 0);
    return {};
  }

  /// Its type and bytes; reading deletes it, which asks for the next piece.
  std::pair<xcb_atom_t, std::string> take_property() {
    xcb_connection_t* c = connection_.get();
    const auto words = static_cast<std::uint32_t>(most_ / 4);
    const std::unique_ptr<xcb_get_property_reply_t, Free> reply(xcb_get_property_reply(
        c, xcb_get_property(c, 1, window_, property_, XCB_ATOM_ANY, 0, words), nullptr));
    xcb_flush(c);
    if (reply == nullptr || reply->bytes_after > 0) return {XCB_ATOM_NONE, {}};
    return {reply->type,
            {static_cast<const char*>(xcb_get_property_value(reply.get())),
             static_cast<std::size_t>(xcb_get_property_value_length(reply.get()))}};
  }

  static constexpr std::size_t most_ = std::size_t{256} << 20;
  XcbConnection connection_;
  xcb_window_t window_ = 0;
  xcb_atom_t property_ = 0, incr_ = 0;
};

}  // namespace

std::optional<std::string> read_clipboard_picture() {
  PictureRequest request;
  for (const char* type : {"image/png", "image/jpeg"})
    if (auto bytes = request.of_type(type); bytes && !bytes->empty()) return bytes;
  return {};
}

}  // namespace headscope
