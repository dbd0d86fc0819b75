#pragma once
#include <memory>

using PangoContext = struct _PangoContext;

namespace headscope {

void unref_object(void* object);

template <typename T>
struct UnrefObject {
  void operator()(T* object) const { unref_object(object); }
};
template <typename T>
using PangoObject = std::unique_ptr<T, UnrefObject<T>>;

/// For text of that size in points, without hinting: then widths are proportional to it.
PangoObject<PangoContext> pango_text_context(double size);

}  // namespace headscope
