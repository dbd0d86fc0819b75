#pragma once
#include <algorithm>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/source/trace.h"

namespace headscope {

/// Throws Error (input) for an ablated head that no block has.
inline void check_ablated_heads(const std::set<HeadPlace>& heads, std::span<const BlockShape> shapes) {
  for (const HeadPlace& place : heads) {
    const auto found = std::ranges::find(shapes, place.block, &BlockShape::kind);
    if (found == shapes.end())
      throw input_error("heads_off: this model has no {} attention", to_name(place.block));
    const auto expect = [](const char* name, int number, int count) {
      if (number >= count) throw out_of_range(name, number, count).at("heads_off");
    };
    expect("layer", place.layer, found->layers);
    if (found->heads_of(place.layer) == 0)
      throw input_error("layer {} has no heads; expected another one", place.layer).at("heads_off");
    expect("head", place.head, found->heads_of(place.layer));
  }
}

}  // namespace headscope
