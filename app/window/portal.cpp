#include "app/window/portal.h"

#include <fmt/format.h>
#include <gio/gio.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/utf8.h"
#include "core/system/process.h"

namespace headscope {
namespace {

constexpr const char* portal_name = "org.freedesktop.portal.Desktop";
constexpr const char* portal_path = "/org/freedesktop/portal/desktop";
constexpr const char* portal_request = "org.freedesktop.portal.Request";

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* object) const {
    release(object);
  }
};
template <typename T>
using Object = std::unique_ptr<T, Release<g_object_unref>>;
using Variant = std::unique_ptr<GVariant, Release<g_variant_unref>>;
using State = PortalChooser::State;
using Answer = PortalChooser::Answer;
using Clock = std::chrono::steady_clock;

// Where the session bus is; empty where there is none. GLib would launch one, which has no portal on it.
std::string session_bus() {
  if (std::string address = environment("DBUS_SESSION_BUS_ADDRESS"); !address.empty()) return address;
  const std::string runtime = environment("XDG_RUNTIME_DIR"), bus = runtime + "/bus";
  if (runtime.empty()) return {};
  std::error_code ignored;
  return std::filesystem::exists(bus, ignored) ? "unix:path=" + bus : std::string();
}

/// The arguments of OpenFile and SaveFile: (ssa{sv}).
GVariant* arguments_of(const FileRequest& request, unsigned long parent, const std::string& token) {
  GVariantBuilder options, filters;
  g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
  const auto add = [&](const char* key, GVariant* value) {
    g_variant_builder_add(&options, "{sv}", key, value);
  };
  add("handle_token", g_variant_new_string(token.c_str()));
  // Text that is not UTF-8 cannot be sent.
  if (request.save && !request.name.empty() && find_invalid_utf8(request.name) == std::string::npos)
    add("current_name", g_variant_new_string(request.name.c_str()));
  // A path is sent as bytes with its terminating NUL, since file names need not be UTF-8.
  if (!request.folder.empty()) add("current_folder", g_variant_new_bytestring(request.folder.c_str()));
  if (request.folders) add("directory", g_variant_new_boolean(TRUE));
  g_variant_builder_init(&filters, G_VARIANT_TYPE("a(sa(us))"));
  for (const FileRequest::Filter& filter : request.filters) {
    GVariantBuilder patterns;
    g_variant_builder_init(&patterns, G_VARIANT_TYPE("a(us)"));
    constexpr guint32 glob = 0;
    for (const std::string& pattern : filter.patterns)
      g_variant_builder_add(&patterns, "(us)", glob, pattern.c_str());
    g_variant_builder_add(&filters, "(sa(us))", filter.name.c_str(), &patterns);
  }
  if (request.filters.empty())
    g_variant_builder_clear(&filters);
  else
    add("filters", g_variant_builder_end(&filters));
  const std::string window = parent != 0 ? fmt::format("x11:{:x}", parent) : std::string();
  return g_variant_new("(ssa{sv})", window.c_str(), request.title.c_str(), &options);
}

/// The first of the "uris" in a response, as a path.
Answer read_response(GVariant* response) {
  if (!g_variant_is_of_type(response, G_VARIANT_TYPE("(ua{sv})"))) return {};
  guint32 code = 2;
  GVariant* list = nullptr;
  g_variant_get(response, "(u@a{sv})", &code, &list);
  const Variant results(list);
  if (code == 1) return {State::cancelled, {}};
  const char** uris = nullptr;
  if (code != 0 || g_variant_lookup(results.get(), "uris", "^a&s", &uris) == FALSE) return {};
  const std::unique_ptr<const char*, Release<g_free>> owned(uris);
  const std::unique_ptr<char, Release<g_free>> path(
      uris[0] != nullptr ? g_filename_from_uri(uris[0], nullptr, nullptr) : nullptr);
  return path ? Answer{State::chosen, path.get()} : Answer{};
}

/// A conversation with the portal that ends promptly when requested: nothing in it blocks on the bus, which
/// may never answer.
class Conversation {
 public:
  explicit Conversation(std::stop_token stop) : stop_(std::move(stop)) {
    g_main_context_push_thread_default(context_.get());
    constexpr guint look_every_ms = 50;  // how soon a stop is noticed
    timer_.reset(g_timeout_source_new(look_every_ms));
    g_source_set_callback(
        timer_.get(), [](gpointer) -> gboolean { return G_SOURCE_CONTINUE; }, nullptr, nullptr);
    g_source_attach(timer_.get(), context_.get());
  }
  ~Conversation() {
    g_cancellable_cancel(cancel_.get());
    while (pending_) g_main_context_iteration(context_.get(), TRUE);
    g_source_destroy(timer_.get());
    g_main_context_pop_thread_default(context_.get());
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  Answer ask(const FileRequest& request, unsigned long parent) {
    if (!connect()) return {};
    // The path of the response follows from our name and the token, so that listening can start before the
    // request is sent and no response is missed.
    const std::string token = "headscope" + std::to_string(process_id());
    std::string sender = g_dbus_connection_get_unique_name(connection_.get()) + 1;
    std::ranges::replace(sender, '.', '_');
    const std::string handle = std::string(portal_path) + "/request/" + sender + "/" + token;
    listen(portal_request, "Response", handle.c_str(), nullptr);
    listen("org.freedesktop.DBus", "NameOwnerChanged", nullptr, portal_name);
    g_dbus_connection_call(connection_.get(), portal_name, portal_path, "org.freedesktop.portal.FileChooser",
                           request.save ? "SaveFile" : "OpenFile", arguments_of(request, parent, token),
                           nullptr, G_DBUS_CALL_FLAGS_NONE, -1, cancel_.get(), keep_result, this);
    pending_ = true;
    // The portal confirms the request at once; the user's answer may take any time.
    wait(Clock::now() + patience, [this] { return answer_ || !pending_; });
    if (!answer_ && !pending_) {
      const Variant reply(g_dbus_connection_call_finish(connection_.get(), result_.get(), nullptr));
      if (reply) wait({}, [this] { return answer_.has_value(); });
    }
    if (answer_ || !stop_.stop_requested()) return answer_.value_or(Answer{});
    close_dialog(handle);
    return {State::cancelled, {}};
  }

 private:
  static constexpr std::chrono::seconds patience{3};

  bool connect() {
    constexpr auto flags = static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                             G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
    g_dbus_connection_new_for_address(session_bus().c_str(), flags, nullptr, cancel_.get(), keep_result,
                                      this);
    pending_ = true;
    if (!wait(Clock::now() + patience, [this] { return !pending_; })) return false;
    connection_.reset(g_dbus_connection_new_for_address_finish(result_.get(), nullptr));
    return connection_ != nullptr;
  }

  /// Handles events until `done`; false: stopped, or the deadline has passed.
  template <typename Done>
  bool wait(std::optional<Clock::time_point> deadline, const Done& done) {
    while (!done()) {
      if (stop_.stop_requested() || (deadline && Clock::now() >= *deadline)) return false;
      g_main_context_iteration(context_.get(), TRUE);
    }
    return true;
  }

  void listen(const char* interface, const char* signal, const char* path, const char* argument) {
    g_dbus_connection_signal_subscribe(connection_.get(), nullptr, interface, signal, path, argument,
                                       G_DBUS_SIGNAL_FLAGS_NONE, on_signal, this, nullptr);
  }

  /// Closes the desktop's dialog.
  void close_dialog(const std::string& handle) {
    const Object<GDBusMessage> call(
        g_dbus_message_new_method_call(portal_name, handle.c_str(), portal_request, "Close"));
    g_dbus_message_set_flags(call.get(), G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED);
    g_dbus_connection_send_message(connection_.get(), call.get(), G_DBUS_SEND_MESSAGE_FLAGS_NONE, nullptr,
                                   nullptr);
    g_dbus_connection_flush_sync(connection_.get(), cancel_.get(), nullptr);
  }

  static void keep_result(GObject*, GAsyncResult* result, gpointer self) {
    auto& conversation = *static_cast<Conversation*>(self);
    conversation.result_.reset(static_cast<GAsyncResult*>(g_object_ref(result)));
    conversation.pending_ = false;
  }

  static void on_signal(GDBusConnection*, const char*, const char*, const char*, const char* signal,
                        GVariant* arguments, gpointer self) {
    auto& conversation = *static_cast<Conversation*>(self);
    if (std::string_view(signal) == "Response") {
      conversation.answer_ = read_response(arguments);
      return;
    }
    // If the portal has left the bus, no response will come.
    const char* owner = nullptr;
    if (g_variant_is_of_type(arguments, G_VARIANT_TYPE("(sss)")))
      g_variant_get(arguments, "(&s&s&s)", nullptr, nullptr, &owner);
    if (owner != nullptr && *owner == '\0') conversation.answer_ = Answer{};
  }

  const std::stop_token stop_;
  const std::unique_ptr<GMainContext, Release<g_main_context_unref>> context_{g_main_context_new()};
  const Object<GCancellable> cancel_{g_cancellable_new()};
  std::unique_ptr<GSource, Release<g_source_unref>> timer_;
  bool pending_ = false;  // keep_result is still to be called
  Object<GAsyncResult> result_;
  Object<GDBusConnection> connection_;
  std::optional<Answer> answer_;
};

}  // namespace

bool PortalChooser::possible() {
  return !session_bus().empty();
}

PortalChooser::PortalChooser(FileRequest request, unsigned long parent, std::function<void()> wake) {
  // Once the chooser is gone, nobody is to be woken.
  auto stopped = std::make_shared<std::stop_token>();
  job_.start(
      [request = std::move(request), parent, stopped](const std::stop_token& stop) {
        *stopped = stop;
        return possible() ? Conversation(stop).ask(request, parent) : Answer{};
      },
      [stopped, wake = std::move(wake)] {
        if (!stopped->stop_requested()) wake();
      });
}

const PortalChooser::Answer& PortalChooser::answer() const {
  if (job_.done()) try {
      answer_ = job_.take();
    } catch (const std::exception&) {
      answer_ = {};  // the window opens its own chooser
    }
  return answer_;
}

}  // namespace headscope
