#pragma once
#include <imgui.h>

namespace headscope {

/// While it exists, ImGui takes back what an interrupted frame has left open without a word.
class Recovery {
 public:
  explicit Recovery(ImGuiContext& context);
  ~Recovery();
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  /// What is open within the current window.
  void take_back_window();
  /// What is open beside windows.
  void take_back_rest();

 private:
  ImGuiContext& context_;
};

}  // namespace headscope
