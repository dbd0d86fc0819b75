#include "app/cli/cli.h"
#include "core/session/session_figure.h"

#if defined(HEADSCOPE_HAS_WINDOW)
#include "app/window/window.h"
#endif

int main(int argc, char** argv) {
  headscope::WindowLauncher launch;
#if defined(HEADSCOPE_HAS_WINDOW)
  launch = [](const headscope::CommandRequest& request) {
    headscope::WindowRequest window;
    const bool session = !request.lesson && !request.file.empty();
    if (request.inputs_given || session) window.session = request.session;
    if (session && !headscope::is_figure(request.file)) window.path = request.file;
    if (request.lesson) window.lesson = request.file;
    window.explicit_inputs = request.inputs_given;
    window.language = request.language;
    window.time_first_frame = request.time_first_frame;
    return headscope::run_window(window);
  };
#endif
  return headscope::run_cli(argc, argv, launch);
}
