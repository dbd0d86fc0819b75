#include "core/attention/forward.h"

#include <array>

#include "core/attention/equation.h"
#include "core/base/matrix.h"

namespace headscope {

PackedLayer pack_layer(const LayerWeights& weights, const ComputeContext& context) {
  PackedLayer layer;
  if (context.engine == ComputeEngine::eigen) layer.unpacked = weights;
  layer.q = packed(weights.q, context);
  layer.k = packed(weights.k, context);
  layer.v = packed(weights.v, context);
  layer.o = packed(weights.o, context);
  if (weights.up) layer.up = packed(*weights.up, context);
  if (weights.down) layer.down = packed(*weights.down, context);
  layer.growth = as_matrix(weights.o.weight).cwiseAbs().rowwise().sum().maxCoeff();
  layer.offset = RowView(weights.o.bias.data(), layer.o.out).abs().maxCoeff();
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
    const float *x = request.x.data(), *key_x = request.key_x.data();
    const std::array<DenseProduct, 3> products{
        {{&layer.q, x, n_q, layer.q.in, trace.q.data(), d_k, request.heads, n_q * d_k, request.gain_q},
         {&layer.k, key_x, n_k, layer.k.in, trace.k.data(), d_k, request.kv_heads, n_k * d_k, request.gain_k},
         {&layer.v, key_x, n_k, layer.v.in, trace.v.data(), d_k, request.kv_heads, n_k * d_k, 1}}};
    multiply(products, context, request.stop);
  }
  attend_heads(HeadRows(trace.q), HeadRows(trace.k), HeadRows(trace.v), request, request, trace, context,
               request.stop);
  if (request.maps_alone) return trace;
  switch_off(request.ablated, request.heads, as_matrix(trace.context));
  trace.output = multiply(layer.o, trace.context, context, request.stop);
  return trace;
}

}  // namespace headscope
