#pragma once

namespace headscope {

/// On a machine without any font, gives fontconfig the one in the program: DejaVu Sans with Latin, Greek and
/// Cyrillic letters and symbols, so that figures and window have letters. Does nothing where there is a font.
void ensure_font();

}  // namespace headscope
