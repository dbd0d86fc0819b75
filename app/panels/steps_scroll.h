#pragma once
#include "app/panels/ui.h"

namespace headscope {

/// What of a page the present step shows, from its upper edge. `result`: where what it is about ends.
struct PagePart {
  double top = 0, bottom = 0, result = 0;
};

/// Brings it into view in the present window where it is `anew`: whole; where it is higher than the room, its
/// beginning for who goes through the steps by hand, else its result. Else scrolls as keys have asked.
void follow_part(Ui& ui, const PagePart& part, bool anew);

}  // namespace headscope
