#include "app/cli/progress.h"

#include <unistd.h>

#include <cstdio>

namespace headscope {

Progress::Progress(const Translator& tr, const char* text)
    : tr_(tr), text_(text), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  constexpr const char* cleared = "\r\x1b[K";
  if (percent_ >= 0) std::fputs(cleared, stderr);
}

void Progress::show(int done, int all) {
  const int percent = static_cast<int>(100LL * done / all);
  if (!terminal_ || percent == percent_) return;
  percent_ = percent;
  std::fputs(("\r" + tr_.format(text_, percent)).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace headscope
