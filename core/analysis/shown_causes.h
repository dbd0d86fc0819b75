#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/error.h"
#include "core/model/effects/head_paths.h"
#include "core/source/trace.h"

namespace headscope {

/// A question to a model, with its tokens as texts.
struct CauseChoice {
  std::string answer, against;  ///< as named_token(); answer "": the likeliest; against "": none
  std::optional<int> position;  ///< the query, from 0; none: default_query()
  CauseChange change = CauseChange::zero;
  CausePlaces places = CausePlaces::all;
  bool noise = false;
  HeadPlace head;  ///< of edges and keys
  bool operator==(const CauseChoice&) const = default;
};

/// What was measured for it.
struct ShownCauses {
  CauseRequest request;                    ///< without `progress` and `stop`
  std::shared_ptr<const Causes> causes;    ///< nullptr: `refusal` says why
  std::shared_ptr<const HeadPaths> paths;  ///< with CausePlaces::path
  std::optional<Error> refusal;
};

/// Of an encoder–decoder, where parts of a run are taken into another: B's decoder reads the target that A's
/// has, unless it was given one; it is the source that differs.
void read_same_target(const Trace& a, Inputs& b);

/// In a trace with predictions; `b`: the other text's trace, or nullptr. Tokens that do not exist are left
/// out; places that the change cannot have are replaced. nullptr if stopped. `found` is called with maps that
/// are not whole; not of paths, which are shown together.
std::shared_ptr<const ShownCauses> shown_causes(
    const Trace& a, const Trace* b, const CauseChoice& choice, const std::stop_token& stop = {},
    const std::function<void(double share)>& progress = {},
    const std::function<void(const CauseRequest& request, const Causes& so_far)>& found = {});

}  // namespace headscope
