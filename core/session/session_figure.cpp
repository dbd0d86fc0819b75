#include "core/session/session_figure.h"

#include <utility>

#include "core/figure/metadata.h"
#include "core/io/file.h"

namespace headscope {

Scene scene_of(const Session& session, std::shared_ptr<const Trace> trace,
               std::shared_ptr<const Trace> other) {
  const BlockKind kind = session.view.block;
  const auto block = block_of(std::move(trace), kind);
  return make_scene(block, other ? block_of(std::move(other), kind) : nullptr, session.view, session.labels,
                    head_order(*block, session.view, session.labels));
}

Session session_from_figure(const std::string& path) {
  Session session =
      session_from_json(session_json_in_figure(read_file(path, std::size_t{1} << 30), path), path);
  find_mask_files(session, path);
  return session;
}

}  // namespace headscope
