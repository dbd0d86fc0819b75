#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "app/cli/run_inputs.h"
#include "app/cli/token_option.h"
#include "core/analysis/circuit_file.h"
#include "core/base/error.h"
#include "core/io/formats.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"
#include "core/source/write/write_arrays.h"

namespace headscope {
void run_circuits(const CommandRequest& request, const Translator& tr) {
  std::vector<std::string> known = endings(array_writers());
  for (const std::string& each : endings(figure_formats())) known.push_back(each);
  const Output output(request.output, "circuits", known);
  const Inputs& inputs = request.session.inputs;
  if (!inputs.about().predicts)
    throw input_error("--model is missing; expected the folder of a trained model");
  const View& view = request.session.view;
  const bool composition = request.is_given("--composition");
  if (!view.predictions.token.empty() && !request.head_given) throw input_error("--token needs --head");
  if (request.is_given("--distance") && view.predictions.token.empty())
    throw input_error("--distance needs --token");
  if (composition && request.head_given)
    throw input_error("--composition is given with --head; expected one of them");
  if (is_figure(request.output)) {
    CommandRequest figure = request;
    if (composition) figure.session.view.circuits.part = CircuitPart::composition;
    return run_export(figure, tr);
  }
  Engine engine;
  const auto model = engine.open_model(inputs.model);
  const Progress progress(tr, TR("Reading what the heads can do"));
  const Circuits circuits(model->model(), view.circuits.center_logits);
  const CircuitOrigin origin{inputs.model, view.circuits.center_logits};
  const auto write = [&](const ArrayExport& file) {
    output.write([&](const std::string& path) { file.write(path); });
  };
  if (composition) return write(composition_file(circuits, view.circuits.composition, origin));
  if (!request.head_given) return write(circuit_file(circuits, origin));
  const HeadPlace head{BlockKind::self, view.layer, view.head.value_or(0)};
  expect_head(request, view, circuits.layers(), circuits.heads());
  if (view.circuits.distance > 0 && !circuits.rotary(head.layer))
    throw input_error("--distance needs rotary positions, which layer {} of this model does not have",
                      head.layer);
  // The vocabulary's texts come from a run, however short.
  RunOptions options;
  options.map_budget = 0;
  const auto trace = engine.run(inputs, options);
  const auto token = view.predictions.token.empty()
                         ? std::nullopt
                         : std::optional(one_token("--token", view.predictions.token, *trace->predictions));
  write(circuit_file(circuits, {head, token, view.circuits.distance}, *trace->predictions, origin));
}

}  // namespace headscope
