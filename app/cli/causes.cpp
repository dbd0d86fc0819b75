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
#include "core/source/engine.h"
#include "core/source/model/model_source.h"
#include "core/source/write/write_arrays.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

CauseRequest cause_request(const CommandRequest& request) {
  const CausesRequest& given = request.causes;
  if (given.answer.empty()) throw input_error("--answer is missing; expected one token of this model");
  if (given.knock_out.has_value() == given.patch.has_value())
    throw input_error("expected either --knock-out or --patch");
  CauseRequest wanted;
  wanted.change = given.knock_out ? *given.knock_out : *given.patch;
  wanted.places = given.places;
  wanted.head = request.one_head;
  wanted.noise = given.noise;
  if (needs_other(wanted.change) && !given.other_sentence)
    throw input_error("--other-sentence is missing; expected another sentence of as many tokens");
  if (given.noise && !given.patch) throw input_error("--noise is given without --patch; expected both");
  const bool of_one_head =
      given.places == CauseRequest::Places::edge || given.places == CauseRequest::Places::key;
  if (of_one_head && !given.knock_out)
    throw input_error("--by-edge and --by-key are given with --patch; expected --knock-out");
  if (of_one_head != request.one_head.has_value())
    throw input_error("--head goes with --by-edge or --by-key; expected both or neither");
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
            {"sentence", a.inputs.sentence},
            {"question", std::move(question)},
            {"measure", wanted.question.against ? "logit difference" : "logit"},
            {patch ? "patch" : "knock_out", to_name(wanted.change)}};
  if (b != nullptr) json["other_sentence"] = b->inputs.sentence;
  if (patch) json["direction"] = wanted.noise ? "noise" : "denoise";
  json["clean"] = causes.clean;
  if (causes.corrupted) json["corrupted"] = *causes.corrupted;
  json["probability"] = causes.probability;
  if (request.one_head) json["head"] = to_string(std::set<HeadPlace>{*request.one_head});
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
  if (wanted.places == CauseRequest::Places::edge) return {"query", "key"};
  if (wanted.places == CauseRequest::Places::key) return {"key"};
  std::vector<const char*> axes{"layer"};
  if (is_of_heads(wanted.change)) axes.push_back("head");
  if (wanted.places == CauseRequest::Places::position || wanted.change == CauseChange::stream)
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

}  // namespace

void run_causes(const CommandRequest& request, const Translator& tr) {
  const Output output(request.output, "causes", endings(array_writers()));
  if (!request.session.inputs.trained())
    throw input_error("--model is missing; expected the folder of a trained model");
  CauseRequest wanted = cause_request(request);
  RunOptions options;
  options.map_budget = 0;
  options.compared = true;
  Engine engine;
  const Ran a = run(engine, request, request.session.inputs, 0, tr, options);
  expect_tokens(*a.trace);
  if (!a.trace->predictions)
    throw input_error("this model has no output for tokens (no language modelling head)");
  std::optional<Ran> b;
  if (needs_other(wanted.change)) {
    Inputs other = a.trace->inputs;
    other.sentence = *request.causes.other_sentence;
    // Both decoders read the same target: it is the source that differs.
    if (a.trace->source->reads_target() && !other.target)
      other.target = a.trace->source->decoder_text(*a.trace);
    b = run(engine, request, other, 0, tr, options);
  }
  const Predictions& predictions = *a.trace->predictions;
  wanted.question.answer = one_token("--answer", request.causes.answer, predictions);
  if (!request.causes.against.empty())
    wanted.question.against = one_token("--against", request.causes.against, predictions);
  const Index n = predicting_block(*a.trace).n_q();
  wanted.question.position = request.position ? Index{*request.position} : n - 1;
  const auto causes = [&] {
    Progress progress(tr, TR("Changing one part after another"));
    wanted.progress = [&](double share) { progress.show(share); };
    return find_causes(*a.trace->run, b ? b->trace->run.get() : nullptr, wanted, engine.context());
  }();
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
