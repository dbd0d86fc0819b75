#pragma once
#include <string>

namespace headscope {

/// Where the browser's input method shows what is composed: at the caret.
void place_input_in_browser(float x, float y, float height);
/// For screen readers, which see nothing of a canvas.
void describe_in_browser(const std::string& language, const std::string& text);
/// The loop: the browser calls the step before it shows the next picture, until that returns 0.
void run_in_browser(int (*step)(void* window), void* window);
/// Shown in place of the window once it has ended: why, empty if it was closed.
void end_in_browser(const std::string& why);

}  // namespace headscope
