#include <dbus/dbus.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>

#include "app/window/portal.h"
#include "tests/support/testing.h"

extern char** environ;

namespace headscope::tests {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using State = PortalChooser::State;

/// Its own folder for the bus, and nothing else by which one could be found.
class Portal : public testing::Test {
 protected:
  Portal() {
    char name[] = "/tmp/headscope-bus-XXXXXX";
    folder = mkdtemp(name);
    unsetenv("XDG_RUNTIME_DIR");
    set_bus(folder / "bus");
  }
  ~Portal() override { std::filesystem::remove_all(folder); }

  static void set_bus(const std::filesystem::path& socket) {
    setenv("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + socket.string()).c_str(), 1);
  }
  static State answer_of(const PortalChooser& chooser) {
    const Clock::time_point give_up = Clock::now() + 10s;
    while (chooser.state() == State::waiting && Clock::now() < give_up) std::this_thread::sleep_for(5ms);
    return chooser.state();
  }

  std::filesystem::path folder;
};

TEST_F(Portal, wakes_nobody_once_it_is_gone) {
  for (int i = 0; i < 5; ++i) {
    std::atomic<bool> waking = false, gone = false, woke_after = false;
    std::optional<PortalChooser> chooser;
    chooser.emplace(FileRequest{}, 0, [&] {  // there is no such bus: fails at once
      waking = true;
      std::this_thread::sleep_for(20ms);
      woke_after = gone.load();
    });
    while (!waking) std::this_thread::yield();
    EXPECT_EQ(chooser->state(), State::failed);
    chooser.reset();
    gone = true;
    std::this_thread::sleep_for(30ms);
    EXPECT_FALSE(woke_after);
  }
}

TEST_F(Portal, does_not_wait_for_a_bus_that_never_answers) {
  const int silent = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "bus").c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(silent, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(silent, 4), 0);
  int woken = 0;
  const Clock::time_point begin = Clock::now();
  {
    const PortalChooser chooser({}, 0, [&] { ++woken; });
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(chooser.state(), State::waiting);
  }
  EXPECT_LT(Clock::now() - begin, 1s);
  EXPECT_EQ(woken, 0);
  close(silent);
}

/// A real bus, with a desktop portal on it that answers every request with one file.
class Desktop : public Portal {
 protected:
  void SetUp() override {
    const std::string address = "--address=unix:path=" + (folder / "bus").string();
    const char* const arguments[] = {"dbus-daemon", "--session",     "--nofork",
                                     "--nopidfile", address.c_str(), nullptr};
    if (posix_spawnp(&daemon_, "dbus-daemon", nullptr, nullptr, const_cast<char* const*>(arguments),
                     environ) != 0)
      GTEST_SKIP() << "no dbus-daemon";
    // The socket exists before it listens.
    DBusConnection* bus = nullptr;
    for (int i = 0; i < 500 && (bus = open_bus()) == nullptr; ++i) std::this_thread::sleep_for(10ms);
    if (bus == nullptr) return;
    dbus_connection_close(bus);
    dbus_connection_unref(bus);
  }
  void TearDown() override {
    if (daemon_ <= 0) return;
    kill(daemon_, SIGTERM);
    waitpid(daemon_, nullptr, 0);
  }

  /// libdbus itself looks for the session bus only once. nullptr if nothing listens.
  DBusConnection* open_bus() const {
    return dbus_connection_open_private(("unix:path=" + (folder / "bus").string()).c_str(), nullptr);
  }

  /// Takes the portal's name, and answers in a thread until `stop`.
  std::jthread start_portal(const std::string& uri) {
    DBusConnection* bus = open_bus();
    if (bus == nullptr) throw std::runtime_error("no bus to stand on");
    dbus_bus_register(bus, nullptr);
    dbus_connection_set_exit_on_disconnect(bus, 0);
    dbus_bus_request_name(bus, "org.freedesktop.portal.Desktop", 0, nullptr);
    return std::jthread([this, bus, uri](const std::stop_token& stop) {
      while (!stop.stop_requested() && dbus_connection_read_write(bus, 20) != 0)
        while (DBusMessage* message = dbus_connection_pop_message(bus)) {
          if (dbus_message_is_method_call(message, "org.freedesktop.portal.FileChooser", "OpenFile") != 0)
            answer(bus, message, uri);
          if (dbus_message_is_method_call(message, "org.freedesktop.portal.Request", "Close") != 0)
            closed = true;
          dbus_message_unref(message);
        }
      dbus_connection_close(bus);
      dbus_connection_unref(bus);
    });
  }

  std::atomic<bool> asked = false, closed = false;

 private:
  void answer(DBusConnection* bus, DBusMessage* question, const std::string& uri) {
    std::string sender = dbus_message_get_sender(question) + 1;
    for (char& c : sender)
      if (c == '.') c = '_';
    const std::string path =
        "/org/freedesktop/portal/desktop/request/" + sender + "/headscope" + std::to_string(getpid());
    const char* handle = path.c_str();
    DBusMessage* reply = dbus_message_new_method_return(question);
    dbus_message_append_args(reply, DBUS_TYPE_OBJECT_PATH, &handle, DBUS_TYPE_INVALID);
    dbus_connection_send(bus, reply, nullptr);
    dbus_message_unref(reply);
    asked = true;
    if (uri.empty()) return;
    DBusMessage* response = dbus_message_new_signal(handle, "org.freedesktop.portal.Request", "Response");
    DBusMessageIter arguments, results, entry, variant, uris;
    const dbus_uint32_t chosen = 0;
    const char *key = "uris", *text = uri.c_str();
    dbus_message_iter_init_append(response, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &chosen);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &results);
    dbus_message_iter_open_container(&results, DBUS_TYPE_DICT_ENTRY, nullptr, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &uris);
    dbus_message_iter_append_basic(&uris, DBUS_TYPE_STRING, &text);
    dbus_message_iter_close_container(&variant, &uris);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&results, &entry);
    dbus_message_iter_close_container(&arguments, &results);
    dbus_connection_send(bus, response, nullptr);
    dbus_connection_flush(bus);
    dbus_message_unref(response);
  }

  pid_t daemon_ = -1;
};

TEST_F(Desktop, gives_the_file_that_was_chosen) {
  const std::jthread portal = start_portal("file:///tmp/%E8%AF%BE%20one.json");
  std::atomic<int> woken = 0;
  FileRequest request;
  request.title = "Open";
  request.folder = "/tmp";
  request.filters = {{"Sessions", {"*.json"}}};
  const PortalChooser chooser(request, 0, [&] { ++woken; });
  EXPECT_EQ(answer_of(chooser), State::chosen);
  EXPECT_EQ(chooser.path(), "/tmp/课 one.json");
  while (woken == 0) std::this_thread::yield();
  EXPECT_EQ(woken, 1);
}

TEST_F(Desktop, without_a_portal_it_fails_at_once) {
  const Clock::time_point begin = Clock::now();
  const PortalChooser chooser({}, 0, [] {});
  EXPECT_EQ(answer_of(chooser), State::failed);
  EXPECT_LT(Clock::now() - begin, 2s);
}

TEST_F(Desktop, takes_the_dialog_away_when_nobody_waits_for_it) {
  const std::jthread portal = start_portal("");
  {
    const PortalChooser chooser({}, 0, [] { ADD_FAILURE() << "nobody is there to be woken"; });
    while (!asked) std::this_thread::sleep_for(5ms);
    EXPECT_EQ(chooser.state(), State::waiting);
  }
  for (int i = 0; i < 400 && !closed; ++i) std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(closed);
}

}  // namespace headscope::tests
