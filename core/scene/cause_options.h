#pragma once
#include <span>
#include <string>

#include "core/inputs/names.h"
#include "core/model/effects/causes.h"
#include "core/model/effects/circuits.h"

namespace headscope {

/// What the view of causes changes in a run; PredictionOptions say for which answer.
struct CauseOptions {
  CauseChange change = CauseChange::zero;
  CausePlaces places = CausePlaces::all;
  bool noise = false;
  bool operator==(const CauseOptions&) const = default;
};

/// Which part of the view of circuits is shown.
enum class CircuitPart { all, tokens, composition, directions };
std::span<const EnumName<CircuitPart>> enum_names(CircuitPart);

/// What the view of circuits shows.
struct CircuitOptions {
  CircuitPart part = CircuitPart::all;
  std::string token;  ///< as named_token(); empty: that of PredictionOptions
  Composition composition = Composition::k;
  int distance = 0;            ///< at which keys are matched, for rotary positions
  bool center_logits = false;  ///< minus their mean over the vocabulary
  bool operator==(const CircuitOptions&) const = default;
};

}  // namespace headscope
