// In place of portal.cpp in a page: the browser's file chooser gives copies of files, and what is saved is a
// download.
#include <cstdlib>
#include <filesystem>

#include "app/window/portal.h"

// Of app/window/page/browser.js.
extern "C" {
void page_choose(int folders, const char* patterns);
char* page_chosen();
}

namespace headscope {
namespace {

/// As an <input> takes them: ".json,.headscope".
std::string endings_of(const FileRequest& request) {
  std::string endings;
  if (request.filters.empty()) return endings;
  for (const std::string& pattern : request.filters.front().patterns)
    if (pattern.starts_with("*.")) endings += (endings.empty() ? "" : ",") + pattern.substr(1);
  return endings;
}

}  // namespace

bool PortalChooser::possible() {
  return true;
}

PortalChooser::PortalChooser(FileRequest request, unsigned long, std::function<void()> wake) {
  if (request.save) {
    // In the folder of downloads, where the program is.
    answer_ = {State::chosen, std::filesystem::path(request.name).filename().string()};
    wake();
  } else {
    page_choose(request.folders ? 1 : 0, endings_of(request).c_str());
  }
}

const PortalChooser::Answer& PortalChooser::answer() const {
  if (answer_.state != State::waiting) return answer_;
  if (char* const chosen = page_chosen()) {
    answer_ = {*chosen != 0 ? State::chosen : State::cancelled, chosen};
    std::free(chosen);
  }
  return answer_;
}

}  // namespace headscope
