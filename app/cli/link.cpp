#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/figure/canvas/qr_code.h"
#include "core/io/file.h"
#include "core/session/session_link.h"

namespace headscope {

void run_link(const CommandRequest& request, const Translator& /*tr*/) {
  const bool writes = request.is_given("-o,--output");
  if (writes && request.address.empty())
    throw input_error("--address is missing; a QR code needs the whole link");
  const std::string link = request.address + link_to_session(request.session);
  if (writes) {
    const QrCode code = qr_code(link);
    Output(request.output, "link", qr_endings()).write([&](const std::string& path) {
      write_file(path, qr_file(code, path));
    });
  }
  print_text(link);
}

}  // namespace headscope
