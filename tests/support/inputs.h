#pragma once
#include "core/session/session.h"
#include "tests/support/testing.h"

namespace headscope::tests {

/// The notebook's inputs except for these fields of a session file: R"("heads": 4, "mask": "causal")".
inline Inputs inputs_of(const std::string& fields) {
  return session_from_json("{" + fields + (fields.empty() ? "" : ", ") + R"("version": 1})", "test").inputs;
}

/// The notebook's session except for these fields: session_with(&Inputs::heads, 4, &View::rows, 2).
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

/// The textbook's worked example: two tokens, two heads of two columns, its X and W_Q and the correct Q.
inline nlohmann::json worked_example() {
  std::ifstream file(fmt::format("{}/worked_example.json", TEST_DATA_DIR));
  return nlohmann::json::parse(file);
}
/// W_Q typed as the textbook writes it, x W, and the same for the matrices that it leaves out.
inline Inputs inputs_of_worked_example(const nlohmann::json& example) {
  Inputs inputs = sized(2, 4, 2);
  inputs.vectors = VectorKind::typed;
  inputs.weights = WeightKind::manual;
  inputs.typed.order = MatrixOrder::in_out;
  for (const auto& row : example["x"])
    for (const double value : row) inputs.typed.x.push_back(value);
  for (std::size_t i = 0; i < 4; ++i)
    for (const char* head : {"w_q_head1", "w_q_head2"})
      for (const double value : example[head][i]) inputs.typed.w_q.push_back(value);
  inputs.typed.w_k = inputs.typed.w_v = inputs.typed.w_o = inputs.typed.w_q;
  return inputs;
}

}  // namespace headscope::tests
