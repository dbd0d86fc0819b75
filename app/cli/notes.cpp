#include "app/cli/notes.h"

#include <algorithm>
#include <set>

#include "app/cli/messages.h"
#include "core/inputs/fields.h"
#include "core/scene/view_kinds.h"
#include "core/session/session_figure.h"
#include "core/source/source.h"

namespace headscope {
namespace {

std::string empty_queries_note(const Interventions& interventions, int heads, std::span<const Token> queries,
                               const Mask& mask, const Translator& tr) {
  std::set<Index> empty;
  for (int h = 0; mask.any() && h < heads; ++h)
    for (const Index query : mask.empty_queries(h)) empty.insert(query);
  if (empty.empty()) return "";
  const Index first = *empty.begin();
  const std::string& token = queries[first].text;
  if (interventions.mask_fill == MaskFill::minus_infinity)
    return empty.size() == 1
               ? tr("query {} \"{}\" has no key to attend to: all keys are blocked and its weights are 0",
                    first, token)
               : tr("{} queries have no key to attend to, the first is {} \"{}\": all keys are blocked and "
                    "their weights are 0",
                    empty.size(), first, token);
  return empty.size() == 1
             ? tr("query {} \"{}\" has every key blocked: with -1e9 its weights are uniform", first, token)
             : tr("{} queries have every key blocked, the first is {} \"{}\": with -1e9 their weights are "
                  "uniform",
                  empty.size(), first, token);
}

/// One value of a sweep that meets the condition is enough.
bool met(const FieldCondition& condition, const CommandRequest& request) {
  if (condition.met(request.session.inputs)) return true;
  if (!request.sweep) return false;
  Inputs inputs = request.session.inputs;
  for (const double end : {request.sweep->from, request.sweep->to}) {
    set_number(inputs, *request.sweep, end);
    if (condition.met(inputs)) return true;
  }
  return false;
}

}  // namespace

std::string mask_notes(const Interventions& interventions, int heads, std::span<const Token> queries,
                       const Mask& mask, const Translator& tr) {
  std::string notes;
  const auto add = [&](const std::string& note) { notes = joined(notes, note, tr); };
  for (const MaskPart& part : interventions.mask)
    if (const auto found = oversize(part, mask.n_q(), mask.n_k()))
      add(tr(found->note, to_string(part), found->tokens));
  add(empty_queries_note(interventions, heads, queries, mask, tr));
  return notes;
}

std::string unused_options(const CommandRequest& request, const Translator& tr) {
  const Inputs& inputs = request.session.inputs;
  const ViewKindRow& view = request.session.view.row();
  std::string notes;
  const auto report = [&](const std::string& option, const char* needs) {
    if (request.is_given(option))
      notes = joined(notes, tr("{} has no effect; it needs {}", option, needs), tr);
  };
  const auto report_of_view = [&](std::initializer_list<const char*> options, const char* needs) {
    for (const char* option : options)
      if (!view.has_option(option)) report(option, needs);
  };
  for (const FieldCondition& condition : field_conditions()) {
    if (met(condition, request)) continue;
    if (request.sweep && request.sweep->field->member == condition.member)
      notes = joined(notes, tr("{} has no effect; it needs {}", "--sweep", condition.needs), tr);
    const bool changed =
        std::visit([&](auto member) { return !(inputs.*member == Inputs{}.*member); }, condition.member);
    std::string option = "--" + std::string(input_field(condition.member).name);
    std::ranges::replace(option, '_', '-');
    if (changed) {
      report(option, condition.needs);
      report("--no-" + option.substr(2), condition.needs);
    }
    if (condition.part != nullptr) report(condition.part, condition.needs);
  }
  if (request.sampling.temperature <= 0)
    for (const char* option : {"--top-k", "--top-p", "--sample-seed"}) report(option, "--sample-temperature");
  const bool of_logits = request.session.view.cells == CellValue::logit;
  if (!of_logits && !request.contributions && !view.predicts) report("--position", "--contributions");
  if (!of_logits) report_of_view({"--token"}, "--view contributions");
  report_of_view({"--composition", "--distance", "--center-logits"}, "--view circuits");
  if (!of_logits && !request.contributions) report_of_view({"--against"}, "--view causes or --contributions");
  report_of_view({"--noise", "--by-position", "--by-edge", "--by-key", "--by-path"}, "--view causes");
  report_of_view({"--other-sentence"}, "--view causes or compare");
  if (!wants_rollout(request)) report("--no-residual-in-rollout", "--rollout");
  if (!request.sweep) report("--delay", "--sweep");
  report_of_view({"--rows", "--columns"}, "--view grid");
  report_of_view({"--page"}, "--view steps");
  // Where all heads are shown, it is the head of the marked cell.
  if (is_figure(request.output) && !request.query && !request.key)
    report_of_view({"--head"}, "--view grid, head, lines, compare or arithmetic");
  return notes;
}

std::string changed_weights_note(const std::string& model, const Translator& tr) {
  return tr("{}: the weights are not those that the session was saved with; the numbers may differ", model);
}

std::string joined(const std::string& one, const std::string& other, const Translator& tr) {
  return one.empty() || other.empty() ? one + other : one + tr("; ") + other;
}

std::vector<Mask> count_masks(const Inputs& inputs, const InputTokens& tokens) {
  const BlockShape shape = shape_of(inputs, inputs);
  check_mask_places(inputs.mask, std::span(&shape, 1));
  const int layers = differ_by_layer(inputs.mask, shape.kind) ? shape.layers : 1;
  std::vector<Mask> masks;
  for (int layer = 0; layer < layers; ++layer)
    masks.push_back(
        count_mask(parts_of(inputs.mask, shape.kind, layer), tokens.queries, tokens.keys, inputs.heads));
  return masks;
}

void check_session_masks(const CommandRequest& request, const Inputs& inputs) {
  if (request.file.empty() || request.mask_given || inputs.mask.empty() || !inputs.about().known_ahead)
    return;
  const InputTokens tokens = tokens_of(inputs);
  if (tokens.empty()) return;
  try {
    count_masks(inputs, tokens);
  } catch (const Error& error) {
    throw error.at(request.file);
  }
}

void print_notes(const std::string& notes) {
  if (!notes.empty()) print_message(notes);
}

}  // namespace headscope
