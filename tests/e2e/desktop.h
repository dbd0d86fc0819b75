#pragma once

#include "tests/e2e/process.h"

namespace headscope::tests {

/// A picture of the window, row by row.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::array<std::uint8_t, 3>> pixels;
};

/// A private X server with a window manager and a separate home folder, on which Headscope is driven like by
/// a user: every action goes through xdotool as key presses and pointer moves. Positions are pixels from the
/// top left of the window's content.
class Desktop {
 public:
  enum class Manager { openbox, none };

  /// The missing tools, separated by spaces; empty if a desktop can be created.
  static std::string missing_tools();

  /// `screen`: its size in pixels.
  explicit Desktop(const std::string& screen = "1600x1000", Manager manager = Manager::openbox);
  ~Desktop();

  void start(const std::vector<std::string>& arguments =
                 {});  ///< returns when the window has opened and has the focus
  /// Returns at once.
  void launch(const std::vector<std::string>& arguments = {});
  /// ASCII, as fast as a quick typist.
  void type(const std::string& text) { xdotool({"type", "--delay", "40", "--", text}); }
  void paste(const std::string& text);  ///< through the clipboard and Ctrl+V
  void key(const std::string& keys) { xdotool({"key", "--delay", "60", keys}); }  ///< "ctrl+e", "Escape"
  void move(int x, int y);
  void click(int x, int y, int button = 1);
  void drag(int from_x, int from_y, int to_x, int to_y);
  /// Switches between two sizes that many times, as quickly as a window manager may.
  void resize(std::pair<int, int> small, std::pair<int, int> large, int times);
  Picture picture();
  std::string clipboard();
  int close();  ///< as by the window's close button; the exit status, or -1 if it does not end
  void kill();  ///< as by kill -9

  Process& program() { return *program_; }
  const std::string& display() const { return display_; }
  const fs::path& home() const { return home_.path; }
  std::string log() const { return read_file(home_.at("headscope.log")); }  ///< what the program printed
  Process::Environment environment() const;

 private:
  void xdotool(const std::vector<std::string>& words);
  void start_manager();

  const TempFolder home_;
  std::string display_, window_;
  std::unique_ptr<Process> server_, manager_, clip_owner_, program_;
};

/// True as soon as `condition` holds; false if it does not within `seconds`. Generous: a busy machine is no
/// failure.
bool eventually(const std::function<bool()>& condition, double seconds = 20);

}  // namespace headscope::tests
