#pragma once
#include <pango/pangocairo.h>

#include <memory>

namespace headscope {

template <typename T>
struct UnrefObject {
  void operator()(T* object) const { g_object_unref(object); }
};
template <typename T>
using PangoObject = std::unique_ptr<T, UnrefObject<T>>;

/// For text of that size in points, without hinting: then widths are proportional to it.
PangoObject<PangoContext> pango_text_context(double size);

}  // namespace headscope
