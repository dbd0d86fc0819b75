#include "core/source/trace_arrays.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace headscope {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

std::string_view bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()),
          static_cast<std::size_t>(tensor.size()) * sizeof(float)};
}

TraceArray layered(const char* name, const Trace& trace, LayerRange range, std::vector<Index> shape,
                   const Tensor LayerTrace::*member) {
  TraceArray array{name, false, {range.count()}, {}};
  array.shape.insert(array.shape.end(), shape.begin(), shape.end());
  // Without tokens there are no layers, and nothing to write.
  for (int i = range.begin; i < range.end && !trace.layers.empty(); ++i)
    array.parts.push_back(bytes_of(trace.layers[static_cast<std::size_t>(i)].*member));
  return array;
}

void require_maps(const Trace& trace, LayerRange range) {
  if (trace.n_q() == 0 || trace.n_k() == 0 || trace.layers.empty()) return;
  for (int i = range.begin; i < range.end; ++i)
    if (!trace.layers[static_cast<std::size_t>(i)].has_maps())
      throw unable_error("The maps of all {} layers do not fit into memory; --layer writes one",
                         range.count());
}

}  // namespace

std::size_t TraceArray::bytes() const {
  std::size_t sum = 0;
  for (const std::string_view part : parts) sum += part.size();
  return sum;
}

LayerRange layer_range(const Trace& trace, int layer) {
  const int layers = trace.inputs.layers;
  if (layer >= layers) throw input_error("layer is {}; expected {} to {}", layer, 0, layers - 1);
  return layer < 0 ? LayerRange{0, layers} : LayerRange{layer, layer + 1};
}

std::string tokens_json(const std::vector<Token>& tokens) {
  nlohmann::json list = nlohmann::json::array();
  for (const Token& token : tokens) list.push_back(token.text);
  return list.dump();
}

TraceArrays trace_arrays(const Trace& trace, int layer) {
  const LayerRange range = layer_range(trace, layer);
  require_maps(trace, range);
  TraceArrays result;
  result.texts = {tokens_json(trace.tokens), tokens_json(trace.key_tokens)};
  // Where one of the sentences has no tokens nothing was computed: no rows, also of the other one.
  const Index n_q = trace.layers.empty() ? 0 : trace.n_q(), n_k = trace.layers.empty() ? 0 : trace.n_k();
  const Index d_model = trace.inputs.d_model, d_k = trace.d_k();
  const Index heads = trace.inputs.heads, kv_heads = trace.inputs.key_value_heads();
  auto& arrays = result.arrays;
  arrays.push_back({"x", false, {n_q, d_model}, {bytes_of(trace.x)}});
  if (trace.inputs.cross()) arrays.push_back({"key_x", false, {n_k, d_model}, {bytes_of(trace.key_x)}});
  arrays.push_back(layered("q", trace, range, {heads, n_q, d_k}, &LayerTrace::q));
  arrays.push_back(layered("k", trace, range, {kv_heads, n_k, d_k}, &LayerTrace::k));
  arrays.push_back(layered("v", trace, range, {kv_heads, n_k, d_k}, &LayerTrace::v));
  arrays.push_back(layered("scores", trace, range, {heads, n_q, n_k}, &LayerTrace::scores));
  arrays.push_back(layered("attention", trace, range, {heads, n_q, n_k}, &LayerTrace::weights));
  arrays.push_back(layered("context", trace, range, {n_q, d_model}, &LayerTrace::context));
  arrays.push_back(layered("output", trace, range, {n_q, d_model}, &LayerTrace::output));
  const char* names[] = {"tokens", "key_tokens"};
  for (std::size_t i = 0; i < 2; ++i)
    arrays.push_back({names[i], true, {static_cast<Index>(result.texts[i].size())}, {result.texts[i]}});
  return result;
}

}  // namespace headscope
