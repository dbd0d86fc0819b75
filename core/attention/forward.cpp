#include "core/attention/forward.h"

#include <array>

#include "core/attention/equation.h"

namespace headscope {

PackedLayer pack_layer(const LayerWeights& weights, const ComputeContext& context) {
  PackedLayer layer;
  if (context.engine == ComputeEngine::eigen) layer.unpacked = weights;
  layer.q = pack_linear(weights.q, context);
  layer.k = pack_linear(weights.k, context);
  layer.v = pack_linear(weights.v, context);
  layer.o = pack_linear(weights.o, context);
  if (weights.up) layer.up = pack_linear(*weights.up, context);
  if (weights.down) layer.down = pack_linear(*weights.down, context);
  return layer;
}

LayerTrace attend(const PackedLayer& layer, const AttentionRequest& request, const ComputeContext& context) {
  if (layer.unpacked) return attend_by_equation(*layer.unpacked, request);
  LayerTrace trace;
  trace.x = request.x;
  if (request.projected) {
    trace.q = request.projected->q;
    trace.k = request.projected->k;
    trace.v = request.projected->v;
  } else {
    const Index n_q = request.x.dim(0), n_k = request.key_x.dim(0), d_k = layer.q.out / request.heads;
    trace.q = context.memory.take({request.heads, n_q, d_k});
    trace.k = context.memory.take({request.kv_heads, n_k, d_k});
    trace.v = context.memory.take({request.kv_heads, n_k, d_k});
    const std::array<Projection, 3> projections{
        {{&layer.q, request.x.data(), trace.q.data(), n_q, request.heads, request.gain_q},
         {&layer.k, request.key_x.data(), trace.k.data(), n_k, request.kv_heads, request.gain_k},
         {&layer.v, request.key_x.data(), trace.v.data(), n_k, request.kv_heads, 1}}};
    project(projections, context, request.stop);
  }
  attend_heads(HeadRows(trace.q), HeadRows(trace.k), HeadRows(trace.v), request, request, trace, context,
               request.stop);
  if (!request.maps_alone) trace.output = apply_linear(layer.o, trace.context, context, request.stop);
  return trace;
}

}  // namespace headscope
