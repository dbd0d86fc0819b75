#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/messages.h"
#include "app/cli/notes.h"
#include "app/cli/output.h"
#include "app/cli/run_inputs.h"
#include "app/cli/token_option.h"
#include "core/analysis/expectations.h"
#include "core/base/error.h"
#include "core/inputs/head_places.h"
#include "core/io/csv.h"
#include "core/io/formats.h"
#include "core/model/head_paths.h"
#include "core/session/session_figure.h"
#include "core/source/engine.h"
#include "core/source/maps/work_forecast.h"
#include "core/source/model/model_source.h"
#include "core/source/write/write_arrays.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

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

Json token_json(const Predictions& predictions, Index id) {
  return {{"token", predictions.token(id)}, {"token_id", id}};
}

/// The question and what was measured, for the file.
Json about(const CommandRequest& request, const CauseRequest& wanted, const Causes& causes, const Trace& a,
           const Trace* b) {
  const Predictions& predictions = *a.predictions;
  const bool patch = is_patch(wanted.change);
  Json question{{"position", wanted.question.position},
                {"at", predicting_block(a).tokens[static_cast<std::size_t>(wanted.question.position)].text},
                {"answer", token_json(predictions, wanted.question.answer)}};
  if (wanted.question.against) question["against"] = token_json(predictions, *wanted.question.against);
  Json json{{"model", request.session.inputs.model},
            {"question", std::move(question)},
            {"measure", wanted.question.against ? "logit difference" : "logit"},
            {patch ? "patch" : "knock_out", to_name(wanted.change)}};
  if (request.keep_session) {
    json["sentence"] = a.inputs.sentence;
    if (b != nullptr) json["other_sentence"] = b->inputs.sentence;
  }
  if (patch) json["direction"] = wanted.noise ? "noise" : "denoise";
  json["clean"] = causes.clean;
  if (causes.corrupted) json["corrupted"] = *causes.corrupted;
  json["probability"] = causes.probability;
  if (wanted.head) json["head"] = to_string(std::set<HeadPlace>{*wanted.head});
  return json;
}

std::string array_name(const Causes& causes, const CauseMap& map, const std::string& name) {
  return causes.maps.size() > 1 ? std::string(to_name(map.kind)) + "_" + name : name;
}

TraceArrays arrays_of(const Causes& causes, const char* value_name) {
  TraceArrays arrays;
  for (const CauseMap& map : causes.maps) {
    arrays.add(array_name(causes, map, value_name), map.shape, map.values);
    arrays.add(array_name(causes, map, "probability"), map.shape, map.probabilities);
  }
  return arrays;
}

/// The names of a map's axes.
std::vector<const char*> axes_of(const CauseRequest& wanted) {
  if (wanted.places == CausePlaces::edge) return {"query", "key"};
  if (wanted.places == CausePlaces::key) return {"key"};
  std::vector<const char*> axes{"layer"};
  if (is_of_heads(wanted.change)) axes.push_back("head");
  if (wanted.places == CausePlaces::position || wanted.change == CauseChange::stream)
    axes.push_back("position");
  return axes;
}

/// A line for each change.
void write_table(std::ostream& out, const Causes& causes, const CauseRequest& wanted,
                 const char* value_name) {
  const bool blocks = causes.maps.size() > 1;
  out << (blocks ? "block," : "");
  for (const char* axis : axes_of(wanted)) out << axis << ',';
  out << value_name << ",probability\n";
  for (const CauseMap& map : causes.maps)
    for (std::size_t i = 0; i < map.values.size(); ++i) {
      if (blocks) out << to_name(map.kind) << ',';
      std::size_t rest = i, size = map.values.size();
      for (const Index axis : map.shape) {
        size /= static_cast<std::size_t>(axis);
        out << rest / size << ',';
        rest %= size;
      }
      out << fmt::format("{},{}\n", map.values[i], map.probabilities[i]);
    }
}

/// The graph of the heads that matter: [heads, heads] from one into another, [heads] directly.
TraceArrays arrays_of(const HeadPaths& paths) {
  const std::size_t count = paths.heads.size();
  const auto number = [&](const HeadPlace& head) {
    return static_cast<std::size_t>(std::ranges::find(paths.heads, head) - paths.heads.begin());
  };
  std::vector<std::int64_t> heads;
  for (const HeadPlace& head : paths.heads) heads.insert(heads.end(), {head.layer, head.head});
  std::vector<double> between(count * count), direct(count);
  for (const HeadPath& path : paths.paths)
    (path.into ? between[number(path.from) * count + number(*path.into)] : direct[number(path.from)]) =
        path.change;
  TraceArrays arrays;
  const auto size = static_cast<Index>(count);
  arrays.add("heads", std::move(heads));
  arrays.arrays.back().shape = {size, 2};
  arrays.add("change", {size}, paths.changes);
  arrays.add("paths", {size, size}, between);
  arrays.add("direct", {size}, direct);
  return arrays;
}

void write_table(std::ostream& out, const HeadPaths& paths) {
  out << "layer,head,into_layer,into_head,change\n";
  for (const HeadPath& path : paths.paths)
    out << fmt::format("{},{},{},{},{}\n", path.from.layer, path.from.head,
                       path.into ? std::to_string(path.into->layer) : "logits",
                       path.into ? std::to_string(path.into->head) : "", path.change);
}

}  // namespace

void run_causes(const CommandRequest& request, const Translator& tr) {
  std::vector<std::string> known = endings(array_writers());
  for (const std::string& each : endings(figure_formats())) known.push_back(each);
  const Output output(request.output, "causes", known);
  if (!request.session.inputs.trained())
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
  wanted.question.position = question.position ? Index{*question.position} : asked_query(*a.trace);
  if (wanted.head) wanted.head->block = block_of(a.trace, wanted.head->block)->shape.kind;
  const auto causes = [&] {
    Progress progress(tr, TR("Changing one part after another"));
    wanted.forecast = [&](double products) { progress.report(forecast_of_products(products)); };
    wanted.progress = [&](double share) { progress.show(share); };
    return predictions.causes(b ? b->trace->run.get() : nullptr, wanted);
  }();
  if (wanted.places == CausePlaces::path) {
    const auto paths = predictions.paths(wanted.question, heads_that_matter(causes->maps.front()));
    const std::string metadata = about(request, wanted, *causes, *a.trace, nullptr).dump();
    output.write([&](const std::string& path) {
      write_arrays(
          path, arrays_of(*paths), [&](std::ostream& out) { write_table(out, *paths); }, metadata);
    });
    return print_notes(a.notes);
  }
  const char* const value_name = is_patch(wanted.change) ? "recovered" : "change";
  const std::string metadata = about(request, wanted, *causes, *a.trace, b ? b->trace.get() : nullptr).dump();
  const TraceArrays arrays = arrays_of(*causes, value_name);
  output.write([&](const std::string& path) {
    write_arrays(
        path, arrays, [&](std::ostream& out) { write_table(out, *causes, wanted, value_name); }, metadata);
  });
  print_notes(a.notes);
}

}  // namespace headscope
