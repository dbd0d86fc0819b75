#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/scene/scene.h"

namespace headscope {

/// How a window has arranged a view where its session leaves that open; figures "as on screen" take it over,
/// their sessions do not: they may be reopened in a window of another size.
struct Arrangement {
  int rows = 0, columns = 0;  ///< of maps; 0: chosen to fit
  std::optional<TableHalf> half = {};
  std::optional<bool> beside = {};  ///< Scene::table_beside
  bool operator==(const Arrangement&) const = default;
};

void arrange(Scene& scene, const Arrangement& as);

/// "2x4", "numbers", "beside", "numbers,beside"; "": nothing is said.
std::string to_text(const Arrangement& arrangement);
/// Nothing if that is no such text.
std::optional<Arrangement> arrangement_from(std::string_view text);

}  // namespace headscope
