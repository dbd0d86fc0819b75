#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "app/cli/run_inputs.h"
#include "app/cli/token_option.h"
#include "core/analysis/cause_file.h"
#include "core/analysis/expectations.h"
#include "core/analysis/shown_causes.h"
#include "core/base/error.h"
#include "core/io/formats.h"
#include "core/model/effects/head_paths.h"
#include "core/session/session_figure.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/model/model_source.h"
#include "core/source/write/write_arrays.h"

namespace headscope {
namespace {

CauseRequest cause_request(const CommandRequest& request) {
  const View& view = request.session.view;
  const CauseOptions& given = view.causes;
  if (view.predictions.token.empty())
    throw input_error("--answer is missing; expected one token of this model");
  if (request.is_given("--layer"))
    throw input_error("--layer has no meaning here: parts of every layer are changed; expected --head L.H");
  if (request.is_given("--block") && !request.head_given) throw input_error("--block needs --head");
  if (request.is_given("--knock-out") == request.is_given("--patch"))
    throw input_error("expected either --knock-out or --patch");
  CauseRequest wanted;
  wanted.change = given.change;
  wanted.places = given.places;
  wanted.noise = given.noise;
  if (needs_other(wanted.change) && !request.session.compare)
    throw input_error(
        "--other-sentence is missing; expected another sentence with the same number of tokens");
  if (!needs_other(wanted.change) && request.is_given("--other-sentence"))
    throw input_error("--other-sentence needs --patch or --knock-out other");
  if (given.noise && !is_patch(wanted.change)) throw input_error("--noise needs --patch");
  if (given.places == CausePlaces::path && wanted.change != CauseChange::zero)
    throw input_error("--by-path needs --knock-out zero");
  const bool of_one_head = given.places == CausePlaces::edge || given.places == CausePlaces::key;
  if (of_one_head && is_patch(wanted.change)) throw input_error("--by-edge and --by-key need --knock-out");
  if (of_one_head != request.head_given)
    throw of_one_head ? input_error("--by-edge and --by-key need --head")
                      : input_error("--head needs --by-edge or --by-key");
  if (of_one_head) wanted.head = {view.block, view.layer, view.head.value_or(0)};
  return wanted;
}

}  // namespace

void run_causes(const CommandRequest& request, const Translator& tr) {
  std::vector<std::string> known = endings(array_writers());
  for (const std::string& each : endings(figure_formats())) known.push_back(each);
  const Output output(request.output, "causes", known);
  if (!request.session.inputs.about().predicts)
    throw input_error("--model is missing; expected the folder of a trained model");
  CauseRequest wanted = cause_request(request);
  if (is_figure(request.output)) return run_export(request, tr);
  RunOptions options;
  options.map_budget = 0;
  options.compared = true;
  Engine engine;
  const Ran a = run(engine, request, request.session.inputs, 0, tr, options);
  expect_tokens(*a.trace);
  if (!a.trace->predictions) throw no_output_for_tokens();
  std::optional<Ran> b;
  if (needs_other(wanted.change)) {
    Inputs other = *request.session.compare;
    read_same_target(*a.trace, other);
    b = run(engine, request, other, 0, tr, options);
  }
  const PredictionOptions& question = request.session.view.predictions;
  const Predictions& predictions = *a.trace->predictions;
  wanted.question.answer = one_token("--answer", question.token, predictions);
  if (!question.against.empty())
    wanted.question.against = one_token("--against", question.against, predictions);
  wanted.question.position = question.position ? Index{*question.position} : default_query(*a.trace);
  if (wanted.head) wanted.head->block = block_of(a.trace, wanted.head->block)->shape.kind;
  const auto causes = [&] {
    Progress progress(tr, TR("Changing one part after another"));
    wanted.forecast = [&](double products) { progress.report(forecast_of_products(products)); };
    wanted.progress = [&](double share) { progress.show(share); };
    return predictions.causes(b ? b->trace->run.get() : nullptr, wanted);
  }();
  const auto paths = wanted.places == CausePlaces::path
                         ? predictions.paths(wanted.question, heads_that_matter(causes->maps))
                         : nullptr;
  const ArrayExport file =
      cause_file(wanted, *causes, paths.get(), *a.trace, b ? b->trace.get() : nullptr, request.keep_session);
  output.write([&](const std::string& path) { file.write(path); });
  print_notes(a.notes);
}

}  // namespace headscope
