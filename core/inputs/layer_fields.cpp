#include "core/inputs/layer_fields.h"

#include <algorithm>

namespace headscope {
namespace {

constexpr InputField::Member of_seeded_layer[] = {
    &Inputs::d_model,  &Inputs::heads,      &Inputs::kv_heads,     &Inputs::layers,       &Inputs::seed,
    &Inputs::weights,  &Inputs::sigma,      &Inputs::typed,        &Inputs::vectors,      &Inputs::positions,
    &Inputs::residual, &Inputs::layer_norm, &Inputs::share_layers, &Inputs::feed_forward, &Inputs::splits,
    &Inputs::joins,    &Inputs::key_splits, &Inputs::key_joins,
};

}  // namespace

bool is_of_seeded_layer(const InputField& field) {
  return std::ranges::find(of_seeded_layer, field.member) != std::end(of_seeded_layer);
}

}  // namespace headscope
