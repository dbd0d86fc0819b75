#include "tests/e2e/desktop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>

namespace headscope::tests {
namespace {

bool on_path(const std::string& tool) {
  std::istringstream folders(getenv("PATH") ? getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + tool).c_str(), X_OK) == 0) return true;
  return false;
}

// The number of the display that Xvfb chose, which it writes when it is ready for clients.
std::string read_display(int pipe) {
  std::string number;
  for (char byte = 0; byte != '\n';) {
    pollfd ready{pipe, POLLIN, 0};
    if (poll(&ready, 1, 20'000) != 1 || read(pipe, &byte, 1) != 1)
      throw std::runtime_error("Xvfb did not start");
    if (byte != '\n') number += byte;
  }
  return ":" + number;
}

Picture parse_ppm(const std::string& bytes) {
  std::istringstream in(bytes);
  std::string magic;
  int depth = 0;
  Picture picture;
  in >> magic >> picture.width >> picture.height >> depth;
  in.get();
  if (magic != "P6" || depth != 255) throw std::runtime_error("no picture of the window");
  picture.pixels.resize(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
  in.read(reinterpret_cast<char*>(picture.pixels.data()),
          static_cast<std::streamsize>(picture.pixels.size() * 3));
  return picture;
}

}  // namespace

bool eventually(const std::function<bool()>& condition, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

std::string Desktop::missing_tools() {
  std::string missing;
  for (const char* tool : {"Xvfb", "openbox", "xdotool", "xclip", "import", "wmctrl"})
    if (!on_path(tool)) missing += (missing.empty() ? "" : " ") + std::string(tool);
  return missing;
}

Desktop::Desktop(const std::string& screen, Manager manager) {
  fs::create_directory(home_.path / "runtime");
  fs::permissions(home_.path / "runtime", fs::perms::owner_all);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  server_ = std::make_unique<Process>(
      std::vector<std::string>{"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", screen + "x24",
                               "-nolisten", "tcp", "-noreset",
                               "-r"},  // no auto-repeat: a busy machine may keep a key down for long
      Process::Environment{}, home_.at("xvfb.log"), ends[1]);
  ::close(ends[1]);
  display_ = read_display(ends[0]);
  ::close(ends[0]);
  if (manager == Manager::openbox) start_manager();
}

void Desktop::start_manager() {
  manager_ =
      std::make_unique<Process>(std::vector<std::string>{"openbox"}, environment(), home_.at("openbox.log"));
  if (!eventually([&] { return run_process({"wmctrl", "-m"}, environment()).status == 0; }))
    throw std::runtime_error("openbox did not start");
}

Desktop::~Desktop() {
  program_.reset();
  clip_owner_.reset();
  manager_.reset();
  server_.reset();
}

Process::Environment Desktop::environment() const {
  // No session bus: the window's own file chooser is tested, not the desktop's.
  return {{"DISPLAY", display_},
          {"WAYLAND_DISPLAY", ""},
          {"DBUS_SESSION_BUS_ADDRESS", ""},
          {"HOME", home_.path.string()},
          {"XDG_CONFIG_HOME", home_.at("config")},
          {"XDG_STATE_HOME", home_.at("state")},
          {"XDG_CACHE_HOME", home_.at("cache")},
          {"XDG_RUNTIME_DIR", home_.at("runtime")},
          {"HEADSCOPE_STATE_DUMP", home_.at("dump.json")},
          {"LANG", "C.UTF-8"},
          {"LC_ALL", "C.UTF-8"},
          {"LANGUAGE", ""}};
}

void Desktop::launch(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{HEADSCOPE_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  program_ = std::make_unique<Process>(command, environment(), home_.at("headscope.log"));
}

void Desktop::start(const std::vector<std::string>& arguments) {
  launch(arguments);
  const std::string pid = std::to_string(program_->pid());
  const bool shown = eventually(
      [&] {
        const Finished found =
            run_process({"xdotool", "search", "--onlyvisible", "--pid", pid}, environment());
        window_ = found.output.substr(0, found.output.find('\n'));
        return found.status == 0 && !window_.empty();
      },
      60);  // fonts are looked for, in a new system for the first time
  if (!shown) throw std::runtime_error("no window appeared: " + log());
  xdotool({"windowactivate", "--sync", window_});
}

void Desktop::xdotool(const std::vector<std::string>& words) {
  std::vector<std::string> command{"xdotool"};
  command.insert(command.end(), words.begin(), words.end());
  const Finished done = run_process(command, environment());
  if (done.status != 0) throw std::runtime_error("xdotool " + words.front() + ": " + done.output);
}

void Desktop::move(int x, int y) {
  // Two steps: a pointer that jumps to its current position sends no event.
  xdotool({"mousemove", "--window", window_, std::to_string(x + 1), std::to_string(y), "sleep", "0.05",
           "mousemove", "--window", window_, std::to_string(x), std::to_string(y), "sleep", "0.1"});
}

void Desktop::click(int x, int y, int button) {
  move(x, y);
  const std::string number = std::to_string(button);
  xdotool({"mousedown", number, "sleep", "0.06", "mouseup", number, "sleep", "0.1"});
}

void Desktop::drag(int from_x, int from_y, int to_x, int to_y) {
  move(from_x, from_y);
  std::vector<std::string> words{"mousedown", "1", "sleep", "0.1"};
  constexpr int steps = 10;
  for (int i = 1; i <= steps; ++i)
    words.insert(words.end(),
                 {"mousemove", "--window", window_, std::to_string(from_x + (to_x - from_x) * i / steps),
                  std::to_string(from_y + (to_y - from_y) * i / steps), "sleep", "0.04"});
  words.insert(words.end(), {"sleep", "0.1", "mouseup", "1", "sleep", "0.1"});
  xdotool(words);
}

void Desktop::paste(const std::string& text) {
  const fs::path file = home_.path / "clip";
  std::ofstream(file, std::ios::binary) << text;
  clip_owner_ = std::make_unique<Process>(
      std::vector<std::string>{"xclip", "-quiet", "-selection", "clipboard", "-in", file.string()},
      environment(), home_.at("xclip.log"));
  eventually([&] { return clipboard() == text; }, 5);
  key("ctrl+v");
}

std::string Desktop::clipboard() {
  return run_process({"xclip", "-selection", "clipboard", "-out"}, environment(), 3).output;
}

void Desktop::resize(std::pair<int, int> small, std::pair<int, int> large, int times) {
  std::vector<std::string> words;
  for (int i = 0; i < times; ++i)
    for (const auto& [width, height] : {small, large})
      words.insert(words.end(),
                   {"windowsize", window_, std::to_string(width), std::to_string(height), "sleep", "0.07"});
  xdotool(words);
}

Picture Desktop::picture() {
  const fs::path file = home_.path / "window.ppm";
  run_process({"import", "-silent", "-window", window_, "-depth", "8", "ppm:" + file.string()},
              environment());
  return parse_ppm(read_file(file.string()));
}

int Desktop::close() {
  run_process({"wmctrl", "-i", "-c", window_}, environment());
  return program_->wait(20).value_or(-1);
}

void Desktop::kill() {
  program_->signal(SIGKILL);
  program_->wait(10);
}

}  // namespace headscope::tests
