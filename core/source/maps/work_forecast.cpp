#include "core/source/maps/work_forecast.h"

#include <algorithm>

#include "core/inputs/cost.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {
namespace {

// Work per second of two recent cores, measured as processor time of whole commands.
struct Rate {
  static constexpr double products = 75e9, cells = 2e9, draws = 150e6, drawn_cells = 250e6,
                          measured_cells = 250e6, streamed_cells = 1e9, compared_cells = 1.2e9,
                          read_bytes = 35e9, written_bytes = 500e6, spelled_bytes = 40e6;
};

// Computed cells of a head's map: keys blocked for a whole block of queries are skipped.
double allowed_cells(const BlockTrace& block) {
  const BlockTrace& single = block.single ? *block.single : block;
  return static_cast<double>(single.n_q()) * static_cast<double>(single.n_k()) *
         single.mask.density(single.heads());
}

}  // namespace

Forecast forecast_of_products(double multiply_adds) {
  return {multiply_adds / Rate::products, 0};
}

Forecast forecast_of_run(const Inputs& inputs, Index n_q, Index n_k, double allowed, bool draws_weights,
                         double maps) {
  constexpr double of_queries = 4, of_keys = 2;  // x, Q, context and output; K and V
  const double map = static_cast<double>(n_q) * static_cast<double>(n_k);
  const double vectors = static_cast<double>(n_q + n_k) * inputs.d_model;
  const double kept =
      (of_queries * static_cast<double>(n_q) + of_keys * static_cast<double>(n_k)) * inputs.d_model;
  const auto parameters = static_cast<double>(parameter_count(inputs));
  const double scores_and_context = 2 * map * inputs.d_model * inputs.layers;
  Forecast forecast = forecast_of_products(static_cast<double>(multiply_count(inputs, n_q, n_k)) -
                                           (1 - allowed) * scores_and_context);
  forecast.seconds += allowed * map * inputs.heads * inputs.layers / Rate::cells + vectors / Rate::draws;
  if (draws_weights) forecast.seconds += parameters / Rate::draws;
  forecast.bytes = sizeof(float) * (maps * map + inputs.layers * kept + parameters);
  return forecast;
}

Forecast forecast_of_maps(const BlockTrace& block, double heads) {
  const BlockTrace& single = block.single ? *block.single : block;
  const double map = static_cast<double>(single.n_q()) * static_cast<double>(single.n_k());
  const bool pooled = block.pooled() || needs_pooling(block);
  const double computed = heads * allowed_cells(block);
  Forecast forecast = forecast_of_products(computed * std::max(1, single.shape.d_k));
  forecast.seconds += pooled ? computed / Rate::cells : heads * map / Rate::drawn_cells;
  forecast.bytes = pooled ? 0 : sizeof(float) * heads * map;
  return forecast;
}

Forecast forecast_of_statistics(const BlockTrace& block, double heads) {
  const BlockTrace& single = block.single ? *block.single : block;
  const double computed = heads * allowed_cells(block);
  // Rows of maps in memory, or in a file, are read one by one; others are measured while they are computed.
  const bool streamed = single.shape.d_k > 0 && single.maps != nullptr && single.maps->resident(0, 0).empty();
  if (!streamed) return {computed / Rate::measured_cells, 0};
  Forecast forecast = forecast_of_products(computed * single.shape.d_k);
  forecast.seconds += computed / Rate::streamed_cells;
  return forecast;
}

Forecast forecast_of_similarity(const BlockTrace& block) {
  const double heads = static_cast<double>(block.heads()) * block.layer_count();
  const double map = static_cast<double>(block.n_q()) * static_cast<double>(block.n_k());
  Forecast forecast = forecast_of_maps(block, heads);
  forecast.bytes = 0;  // some rows at once
  forecast.seconds += heads * (heads - 1) / 2 * map / Rate::compared_cells;
  return forecast;
}

Forecast forecast_of_reading(double bytes) {
  return {bytes / Rate::read_bytes, 0};
}

Forecast forecast_of_arrays(double bytes, bool as_text) {
  return {bytes / (as_text ? Rate::spelled_bytes : Rate::written_bytes), bytes};
}

}  // namespace headscope
