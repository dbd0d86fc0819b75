// In place of presenter_window.cpp in a browser, whose page is one window.
#include "app/window/presenter_window.h"

namespace headscope {

PresenterWindow::~PresenterWindow() = default;

void PresenterWindow::follow(App&, GLFWwindow*, WindowEvents&, double) {}

}  // namespace headscope
