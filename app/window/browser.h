#pragma once
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Where the browser's input method shows what is composed: at the caret.
void place_input_in_browser(float x, float y, float height);
/// For screen readers, which see nothing of a canvas.
void describe_in_browser(const std::string& language, const std::string& text);
/// What is asked by those who hear the page: of an item by its id (HeardItem).
struct HeardRequest {
  enum class Kind { press, value, text, focus, table } kind = Kind::press;
  unsigned id = 0;
  double value = 0;
  std::string text = {};
};
/// Returns each once.
std::optional<HeardRequest> take_heard_request_in_browser();
/// The page has them as elements.
void tell_items_in_browser(const std::string& json);
void tell_table_in_browser(const std::string& title, const std::string& text);
/// The loop: the browser calls the step, which returns in how many seconds it is to be called again if
/// nothing happens before; negative: not at all. `keep` is called when the page is hidden or left, perhaps
/// for good.
void run_in_browser(double (*step)(void* window), void (*keep)(void* window), void* window);
/// The work that the browser's address leads to, among those beside the window's own. Returns each once.
std::optional<std::string> take_work_in_browser();
/// The link in the browser's address, if it leads elsewhere. Returns each once.
std::optional<std::string> take_link_in_browser();
/// The address leads to the window's own work; "": there is no link to it.
void show_link_in_browser(const std::string& link);
/// Whether the works beside the window's own have changed since the last call.
bool take_works_in_browser();
/// The files of the page's own fonts that came since the last call.
std::vector<std::string> take_fonts_in_browser();
/// That of the page, without what follows a '#'.
std::string address_in_browser();
/// Keeps a font for the next visits; returns where it is now.
std::string keep_font_in_browser(const std::string& path);
/// Files that were not read into the page's memory.
struct RefusedFiles {
  std::string name;
  double bytes = 0, room = 0;  ///< they do not fit; no bytes: the browser does not let the page read them
};
/// Returns each once.
std::optional<RefusedFiles> take_refused_in_browser();
/// In the order of their numbers in app/window/page/browser.js.
enum class BrowserWarning { work_not_kept, storage_full };
/// Returns each once.
std::optional<BrowserWarning> take_warning_in_browser();
/// What the user has asked of all pages on this device: dark colours, less motion.
struct DeviceWishes {
  bool dark = false, still = false;
};
DeviceWishes wishes_in_browser();
/// Around the canvas, beside a notch: a colour in CSS.
void set_background_in_browser(const std::string& color);
/// Shown in place of the window once it has ended: why, empty if it was closed.
void end_in_browser(const std::string& why);

}  // namespace headscope
