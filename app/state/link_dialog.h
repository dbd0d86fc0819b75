#pragma once
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/figure/canvas/qr_code.h"

namespace headscope {

/// The link to what is shown, and the question for one to open.
struct LinkDialog {
  bool open = false;
  std::string address;                   ///< of the page, as typed or as the page knows it
  std::string part;                      ///< the link behind the address; empty: there is none
  std::string link;                      ///< the whole; empty: there is none
  std::shared_ptr<const QrCode> code{};  ///< of the whole link; nullptr: there is none
  std::optional<Error> problem{};        ///< why something is missing

  bool asks = false;               ///< for a link to open
  std::string typed;               ///< the answer
  std::optional<Error> refused{};  ///< why that cannot be opened
  bool again = false;              ///< the field has the keyboard once more
  std::string chosen;              ///< to be opened after this frame; empty: none
};

}  // namespace headscope
