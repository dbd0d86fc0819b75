// In place of handout_pdf.cpp where there is no Pango.
#include "core/base/error.h"
#include "core/teach/handout.h"

namespace headscope {

std::string handout_pdf(const Handout&, Paper, const HandoutWatch&) {
  throw unable_error(
      "this headscope was built without Cairo and Pango; it writes handouts as web pages only");
}

}  // namespace headscope
