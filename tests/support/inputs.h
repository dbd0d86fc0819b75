#pragma once
#include "core/session/session.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// The notebook's inputs but for these fields of a session file: R"("heads": 4, "mask": "causal")".
inline Inputs inputs_of(const std::string& fields) {
  return session_from_json("{" + fields + (fields.empty() ? "" : ", ") + R"("version": 1})", "test").inputs;
}

/// The notebook's session but for these fields: session_with(&Inputs::heads, 4, &View::rows, 2).
inline Session session_with() {
  return {};
}
template <typename Part, typename Value, typename... Others>
Session session_with(Value Part::*field, std::type_identity_t<Value> value, const Others&... others) {
  Session session = session_with(others...);
  if constexpr (std::is_same_v<Part, View>)
    session.view.*field = value;
  else
    session.inputs.*field = value;
  return session;
}

/// inputs_of() for n distinct words.
inline Inputs sized(std::int64_t n, int d_model, int heads, const std::string& fields = "") {
  Inputs inputs = inputs_of(fmt::format(R"("d_model": {}, "heads": {})", d_model, heads) +
                            (fields.empty() ? "" : ", ") + fields);
  inputs.sentence = sentence_of(n);
  return inputs;
}

}  // namespace headscope::tests
