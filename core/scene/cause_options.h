#pragma once
#include "core/model/causes.h"
#include "core/model/circuits.h"

namespace headscope {

/// What the view of causes changes in a run; PredictionOptions say for which answer.
struct CauseOptions {
  CauseChange change = CauseChange::zero;
  CausePlaces places = CausePlaces::all;
  bool noise = false;
  bool operator==(const CauseOptions&) const = default;
};

/// What the view of circuits shows; PredictionOptions say of which token.
struct CircuitOptions {
  Composition composition = Composition::k;
  bool operator==(const CircuitOptions&) const = default;
};

}  // namespace headscope
