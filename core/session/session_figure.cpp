#include "core/session/session_figure.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/figure/animation/animation.h"
#include "core/figure/canvas/formats.h"
#include "core/io/formats.h"
#include "core/scene/shown_block.h"
#include "core/scene/view_kinds.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {

Scene scene_of(const Session& session, std::shared_ptr<const Trace> trace, std::shared_ptr<const Trace> other,
               const std::optional<Locked>& locked, const Translator& tr) {
  const BlockKind kind = session.view.block;
  const auto block = shown_block(trace, kind, session.view, tr);
  std::shared_ptr<const Trace> other_trace = other;
  const auto compared = other ? shown_block(other, kind, session.view, tr) : nullptr;
  const HeadOrder order = head_order(*block, session.view, session.labels);
  const bool grouped = session.view.row().maps() &&
                       (needs_pooling(*block) || (compared != nullptr && needs_pooling(*compared)));
  if (grouped && session.view.filter.on())
    throw input_error("a filter needs every cell of the maps; expected at most {} tokens, or no filter",
                      max_single_tokens);
  Scene scene = make_scene(block, compared, session.view, session.labels, order, locked);
  if (grouped) scene = pooled_scene(std::move(scene));
  scene.marks = session.marks;
  scene.trace = std::move(trace);
  scene.other_trace = std::move(other_trace);
  return scene;
}

std::vector<std::string> figure_endings(const std::string& before) {
  std::vector<std::string> all = endings(figure_formats(), before);
  std::ranges::copy(endings(animation_formats(), before), std::back_inserter(all));
  return all;
}

bool is_figure(const std::string& path) {
  return std::ranges::count(figure_endings(), ending(path)) > 0;
}

Session session_from_figure(const std::string& path) {
  constexpr std::size_t largest = std::size_t{256} << 20;
  const std::string bytes = read_file(path, largest, starts_like_figure);
  Budget budget(path, bytes.size());
  Session session = session_from_json(session_json_in_figure(bytes, path, budget), path, budget);
  find_files(session, path);
  return session;
}

}  // namespace headscope
