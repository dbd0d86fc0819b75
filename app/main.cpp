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
    if (request.inputs_given || !request.file.empty()) window.session = request.session;
    if (!headscope::is_figure(request.file)) window.path = request.file;
    window.explicit_inputs = request.inputs_given;
    window.language = request.language;
    window.time_first_frame = request.time_first_frame;
    return headscope::run_window(window);
  };
#endif
  return headscope::run_cli(argc, argv, launch);
}
