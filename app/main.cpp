#include "app/cli/cli.h"
#include "core/session/session_figure.h"
#include "core/session/session_link.h"
#include "core/system/error_stream.h"

#if defined(HEADSCOPE_HAS_WINDOW)
#include "app/window/libraries.h"
#include "app/window/window.h"
#include "core/system/process.h"
#endif

int main(int argc, char** argv) {
  headscope::silence_libraries();
  headscope::WindowLauncher launch;
  headscope::ListLibraries of_window = nullptr;
#if defined(HEADSCOPE_HAS_WINDOW)
  of_window = headscope::window_libraries;
  launch = [](const headscope::CommandRequest& request) {
    if (request.failed && !headscope::has_display()) throw headscope::Error(*request.failed);
    headscope::WindowRequest window;
    window.failed = request.failed;
    const bool link = headscope::is_link(request.file);
    if (link && !request.inputs_given) window.link = request.file;
    const bool session = !request.lesson && !link && !request.file.empty();
    if (request.inputs_given || session) window.session = request.session;
    if (session && !headscope::is_figure(request.file)) window.path = request.file;
    if (request.lesson) window.lesson = request.file;
    window.explicit_inputs = request.inputs_given;
    window.language = request.language;
    window.time_first_frame = request.time_first_frame;
    return headscope::run_window(window);
  };
#endif
  return headscope::run_cli(argc, argv, launch, of_window);
}
