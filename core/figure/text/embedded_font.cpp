#include "core/figure/text/embedded_font.h"

#include <fontconfig/fontconfig.h>

#include <mutex>
#include <string>
#include <string_view>

#include "core/system/files.h"

namespace headscope {

namespace fonts {
std::string_view find(std::string_view file_name);
}

namespace {

bool has_fonts(FcConfig* config, FcSetName set) {
  const FcFontSet* const found = FcConfigGetFonts(config, set);
  return found != nullptr && found->nfont > 0;
}

}  // namespace

void ensure_font() {
  static std::mutex adding;
  const std::lock_guard alone(adding);
  FcConfig* const config = FcConfigGetCurrent();
  if (config == nullptr || has_fonts(config, FcSetSystem) || has_fonts(config, FcSetApplication)) return;
  // Fontconfig reads files only.
  const std::string path = path_of_content(fonts::find("DejaVuSans.ttf"));
  if (!path.empty()) FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8*>(path.c_str()));
}

}  // namespace headscope
