// In a page PDF is what the browser prints (app/window/page/print.js): the web page, on pages.
#include "core/teach/handout.h"

namespace headscope {

std::string handout_pdf(const Handout& handout, Paper paper, const HandoutWatch& watch) {
  return handout_html(handout, paper, watch);
}

}  // namespace headscope
