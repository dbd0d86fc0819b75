#include "app/window/portal.h"

#include <dbus/dbus.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/utf8.h"

namespace headscope {
namespace {

constexpr const char* portal_name = "org.freedesktop.portal.Desktop";
constexpr const char* portal_path = "/org/freedesktop/portal/desktop";

struct CloseConnection {
  void operator()(DBusConnection* connection) const {
    dbus_connection_close(connection);
    dbus_connection_unref(connection);
  }
};
struct FreeMessage {
  void operator()(DBusMessage* message) const { dbus_message_unref(message); }
};
using Connection = std::unique_ptr<DBusConnection, CloseConnection>;
using Clock = std::chrono::steady_clock;
using Message = std::unique_ptr<DBusMessage, FreeMessage>;

// Where libdbus would look for the session bus; empty where there is none. Without an address libdbus would
// launch its own bus, which has no portal on it.
std::string session_bus() {
  if (const char* address = std::getenv("DBUS_SESSION_BUS_ADDRESS"); address != nullptr && *address != '\0')
    return address;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime == nullptr) return {};
  const std::string bus = std::string(runtime) + "/bus";
  std::error_code ignored;
  return std::filesystem::exists(bus, ignored) ? "unix:path=" + bus : std::string();
}

Connection connect() {
  DBusError error;
  dbus_error_init(&error);
  DBusConnection* connection = dbus_connection_open_private(session_bus().c_str(), &error);
  dbus_error_free(&error);
  if (connection == nullptr) return nullptr;
  dbus_connection_set_exit_on_disconnect(connection, 0);
  return Connection(connection);
}

// The options of a request are a dictionary of strings to variants: a{sv}.
class Options {
 public:
  explicit Options(DBusMessageIter* message) : message_(message) {
    dbus_message_iter_open_container(message_, DBUS_TYPE_ARRAY, "{sv}", &array_);
  }
  ~Options() { dbus_message_iter_close_container(message_, &array_); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  void text(const char* key, const std::string& value) {
    add(key, "s", [&](DBusMessageIter* variant) {
      const char* data = value.c_str();
      dbus_message_iter_append_basic(variant, DBUS_TYPE_STRING, &data);
    });
  }

  // A path is sent as bytes with its terminating NUL, since file names need not be UTF-8.
  void path(const char* key, const std::string& value) {
    add(key, "ay", [&](DBusMessageIter* variant) {
      DBusMessageIter bytes;
      const char* data = value.c_str();
      dbus_message_iter_open_container(variant, DBUS_TYPE_ARRAY, "y", &bytes);
      dbus_message_iter_append_fixed_array(&bytes, DBUS_TYPE_BYTE, &data, static_cast<int>(value.size()) + 1);
      dbus_message_iter_close_container(variant, &bytes);
    });
  }

  void flag(const char* key, bool value) {
    add(key, "b", [&](DBusMessageIter* variant) {
      const dbus_bool_t data = value ? 1 : 0;
      dbus_message_iter_append_basic(variant, DBUS_TYPE_BOOLEAN, &data);
    });
  }

  void filters(const std::vector<FileRequest::Filter>& filters) {
    if (filters.empty()) return;
    add("filters", "a(sa(us))", [&](DBusMessageIter* variant) {
      DBusMessageIter array;
      dbus_message_iter_open_container(variant, DBUS_TYPE_ARRAY, "(sa(us))", &array);
      for (const FileRequest::Filter& filter : filters) append_filter(&array, filter);
      dbus_message_iter_close_container(variant, &array);
    });
  }

 private:
  template <typename Append>
  void add(const char* key, const char* type, Append append) {
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(&array_, DBUS_TYPE_DICT_ENTRY, nullptr, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant);
    append(&variant);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&array_, &entry);
  }

  static void append_filter(DBusMessageIter* array, const FileRequest::Filter& filter) {
    DBusMessageIter pair, patterns;
    const char* name = filter.name.c_str();
    dbus_message_iter_open_container(array, DBUS_TYPE_STRUCT, nullptr, &pair);
    dbus_message_iter_append_basic(&pair, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&pair, DBUS_TYPE_ARRAY, "(us)", &patterns);
    for (const std::string& text : filter.patterns) {
      DBusMessageIter pattern;
      const dbus_uint32_t glob = 0;
      const char* data = text.c_str();
      dbus_message_iter_open_container(&patterns, DBUS_TYPE_STRUCT, nullptr, &pattern);
      dbus_message_iter_append_basic(&pattern, DBUS_TYPE_UINT32, &glob);
      dbus_message_iter_append_basic(&pattern, DBUS_TYPE_STRING, &data);
      dbus_message_iter_close_container(&patterns, &pattern);
    }
    dbus_message_iter_close_container(&pair, &patterns);
    dbus_message_iter_close_container(array, &pair);
  }

  DBusMessageIter* message_;
  DBusMessageIter array_{};
};

Message make_call(const FileRequest& request, unsigned long parent, const std::string& token) {
  Message call(dbus_message_new_method_call(portal_name, portal_path, "org.freedesktop.portal.FileChooser",
                                            request.save ? "SaveFile" : "OpenFile"));
  DBusMessageIter arguments;
  dbus_message_iter_init_append(call.get(), &arguments);
  char window[32] = "";
  if (parent != 0) std::snprintf(window, sizeof window, "x11:%lx", parent);
  const char* window_text = window;
  const char* title = request.title.c_str();
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &window_text);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &title);
  Options options(&arguments);
  options.text("handle_token", token);
  // libdbus aborts the program on text that is not UTF-8.
  if (request.save && !request.name.empty() && find_invalid_utf8(request.name) == std::string::npos)
    options.text("current_name", request.name);
  if (!request.folder.empty()) options.path("current_folder", request.folder);
  if (request.folders) options.flag("directory", true);
  options.filters(request.filters);
  return call;
}

std::string from_file_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return {};
  uri.remove_prefix(scheme.size());
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      path += static_cast<char>(std::strtol(std::string(uri.substr(i + 1, 2)).c_str(), nullptr, 16));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

// The first of the "uris" among the results, as a path.
std::string first_path(DBusMessageIter* results) {
  DBusMessageIter entry;
  for (dbus_message_iter_recurse(results, &entry);
       dbus_message_iter_get_arg_type(&entry) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&entry)) {
    DBusMessageIter pair, variant, uris;
    const char* key = nullptr;
    dbus_message_iter_recurse(&entry, &pair);
    dbus_message_iter_get_basic(&pair, &key);
    if (std::strcmp(key, "uris") != 0) continue;
    dbus_message_iter_next(&pair);
    dbus_message_iter_recurse(&pair, &variant);
    if (dbus_message_iter_get_arg_type(&variant) != DBUS_TYPE_ARRAY) continue;
    dbus_message_iter_recurse(&variant, &uris);
    if (dbus_message_iter_get_arg_type(&uris) != DBUS_TYPE_STRING) continue;
    const char* uri = nullptr;
    dbus_message_iter_get_basic(&uris, &uri);
    return from_file_uri(uri);
  }
  return {};
}

struct Answer {
  PortalChooser::State state = PortalChooser::State::failed;
  std::string path;
};

Answer read_response(DBusMessage* message) {
  DBusMessageIter arguments;
  if (!dbus_message_has_signature(message, "ua{sv}") || dbus_message_iter_init(message, &arguments) == 0)
    return {};
  dbus_uint32_t response = 2;
  dbus_message_iter_get_basic(&arguments, &response);
  if (response == 1) return {PortalChooser::State::cancelled, {}};
  dbus_message_iter_next(&arguments);
  std::string path = response == 0 ? first_path(&arguments) : std::string();
  if (path.empty()) return {};
  return {PortalChooser::State::chosen, std::move(path)};
}

// The object path of the portal's response: it follows from the sender's name and the token, so that
// listening can start before the request is sent and no response is missed.
std::string request_path(const std::string& unique_name, const std::string& token) {
  std::string sender = unique_name.substr(1);
  std::ranges::replace(sender, '.', '_');
  return "/org/freedesktop/portal/desktop/request/" + sender + "/" + token;
}

/// Whether the portal has left the bus: then no response will come.
bool portal_left(DBusMessage* message) {
  if (dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged") == 0) return false;
  const char *name = nullptr, *before = nullptr, *after = nullptr;
  return dbus_message_get_args(message, nullptr, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &before,
                               DBUS_TYPE_STRING, &after, DBUS_TYPE_INVALID) != 0 &&
         std::strcmp(name, portal_name) == 0 && *after == '\0';
}

/// Closes the desktop's dialog.
void close_request(DBusConnection* connection, const std::string& handle) {
  const Message call(
      dbus_message_new_method_call(portal_name, handle.c_str(), "org.freedesktop.portal.Request", "Close"));
  dbus_connection_send(connection, call.get(), nullptr);
  dbus_connection_read_write(connection, 0);
}

/// A connection to the bus that closes promptly when requested: nothing in it blocks on the bus, which may
/// never answer.
class Conversation {
 public:
  Conversation(DBusConnection* connection, std::stop_token stop)
      : connection_(connection), stop_(std::move(stop)) {}

  bool stopped() const { return stop_.stop_requested(); }
  dbus_uint32_t send(const Message& message) {
    dbus_uint32_t serial = 0;
    dbus_connection_send(connection_, message.get(), &serial);
    return serial;
  }
  /// The next message; nullptr when the connection is closed, or at the deadline.
  Message next(std::optional<Clock::time_point> deadline = {}) {
    constexpr int look_every_ms = 50;
    while (!stopped() && (!deadline || Clock::now() < *deadline)) {
      if (Message message{dbus_connection_pop_message(connection_)}) return message;
      if (dbus_connection_read_write(connection_, look_every_ms) == 0) break;
    }
    return nullptr;
  }

 private:
  DBusConnection* connection_;
  std::stop_token stop_;
};

Message bus_call(const char* method) {
  return Message(
      dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, method));
}

/// Our name on the bus, requested first on every connection; "" if there is none.
std::string say_hello(Conversation& bus, Clock::time_point deadline) {
  const dbus_uint32_t hello = bus.send(bus_call("Hello"));
  while (const Message message = bus.next(deadline)) {
    const char* name = nullptr;
    if (dbus_message_get_reply_serial(message.get()) == hello)
      return dbus_message_get_args(message.get(), nullptr, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID) != 0
                 ? name
                 : "";
  }
  return {};
}

void listen_to(Conversation& bus, const std::string& rule) {
  const Message call = bus_call("AddMatch");
  const char* text = rule.c_str();
  dbus_message_append_args(call.get(), DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
  bus.send(call);
}

Answer ask(const FileRequest& request, unsigned long parent, const std::stop_token& stop) {
  const Connection connection = connect();
  if (connection == nullptr) return {};
  Conversation bus(connection.get(), stop);
  constexpr std::chrono::seconds patience{3};
  const std::string name = say_hello(bus, Clock::now() + patience);
  if (name.empty()) return {};
  const std::string token = "headscope" + std::to_string(getpid());
  const std::string handle = request_path(name, token);
  listen_to(bus, "type='signal',interface='org.freedesktop.portal.Request',path='" + handle + "'");
  listen_to(bus, std::string("type='signal',member='NameOwnerChanged',arg0='") + portal_name + "'");
  const dbus_uint32_t call = bus.send(make_call(request, parent, token));
  // The portal confirms the request at once; the user's answer may take any time.
  std::optional<Clock::time_point> deadline = Clock::now() + patience;
  while (const Message message = bus.next(deadline)) {
    if (dbus_message_get_reply_serial(message.get()) == call) {
      if (dbus_message_get_type(message.get()) == DBUS_MESSAGE_TYPE_ERROR) return {};
      deadline.reset();
    }
    if (dbus_message_is_signal(message.get(), "org.freedesktop.portal.Request", "Response") != 0)
      return read_response(message.get());
    if (portal_left(message.get())) return {};
  }
  if (!bus.stopped()) return {};
  close_request(connection.get(), handle);
  return {PortalChooser::State::cancelled, {}};
}

}  // namespace

bool PortalChooser::possible() {
  return !session_bus().empty();
}

PortalChooser::PortalChooser(FileRequest request, unsigned long parent, std::function<void()> wake) {
  dbus_threads_init_default();
  thread_ = std::jthread(
      [this, request = std::move(request), parent, wake = std::move(wake)](const std::stop_token& stop) {
        Answer answer;
        try {
          if (possible()) answer = ask(request, parent, stop);
        } catch (const std::exception&) {
          answer = {};  // the window opens its own chooser
        }
        {
          const std::lock_guard lock(mutex_);
          state_ = answer.state;
          path_ = std::move(answer.path);
        }
        if (!stop.stop_requested()) wake();
      });
}

PortalChooser::State PortalChooser::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

std::string PortalChooser::path() const {
  const std::lock_guard lock(mutex_);
  return path_;
}

}  // namespace headscope
