#include "app/panels/map/heatmap_painter.h"

namespace headscope {

MapPart map_part(const HeatmapRequest& request) {
  return {request.values,      request.blocked,   request.n_q,       request.n_k,
          request.query_begin, request.query_end, request.key_begin, request.key_end,
          request.width,       request.height,    request.pooling};
}

bool value_under_pixel(const HeatmapRequest& request, double x, double y, Index& query, Index& key,
                       float& value) {
  return largest_under_pixel(map_part(request), x, y, query, key, value);
}

}  // namespace headscope
