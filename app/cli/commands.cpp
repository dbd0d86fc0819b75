#include "app/cli/commands.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>

#include "core/analysis/population.h"
#include "core/attention/engine.h"
#include "core/error.h"
#include "core/io/arrays.h"
#include "core/io/file.h"

namespace headscope {
namespace {

// Rows of zeros look like a fault unless one is told why they are there.
void tell_empty_queries(const Trace& trace, const Translator& tr) {
  if (trace.inputs.mask_fill != MaskFill::minus_infinity || !trace.mask.any()) return;
  std::set<Index> queries;
  for (int h = 0; h < trace.inputs.heads; ++h)
    for (Index query : trace.mask.empty_queries(h)) queries.insert(query);
  if (queries.empty()) return;
  const Index first = *queries.begin();
  const std::string& token = trace.tokens[static_cast<std::size_t>(first)].text;
  const std::string message =
      queries.size() == 1
          ? tr.format("query {} \"{}\" has no key to attend to: all keys are blocked, its weights are 0",
                      first, token)
          : tr.format(
                "{} queries have no key to attend to, the first is {} \"{}\": all keys are blocked, their "
                "weights "
                "are 0",
                queries.size(), first, token);
  std::fprintf(stderr, "headscope: %s\n", message.c_str());
}

std::shared_ptr<const Trace> run(const CommandRequest& request, const Translator& tr,
                                 std::size_t map_budget) {
  const Inputs& inputs = request.session.inputs;
  validate(inputs);
  const View& view = request.session.view;
  if (view.layer >= inputs.layers)
    throw input_error("--layer is {}; expected 0 to {}", view.layer, inputs.layers - 1);
  if (view.head && *view.head >= inputs.heads)
    throw input_error("--head is {}; expected 0 to {}", *view.head, inputs.heads - 1);
  Engine engine;
  auto trace = engine.run(inputs, {view.layer, map_budget});
  tell_empty_queries(*trace, tr);
  return trace;
}

void need_output(const CommandRequest& request, const char* example) {
  if (request.output.empty()) throw input_error("-o is missing; expected a file such as {}", example);
}

}  // namespace

void run_export(const CommandRequest& request, const Translator& tr) {
  need_output(request, "figure.png, figure.svg, figure.pdf");
  const auto trace = run(request, tr, std::size_t{1} << 30);
  FigureOptions options = request.figure;
  options.language = tr.language();
  const Session& session = request.session;
  std::shared_ptr<const Trace> other;
  if (session.view.kind == ViewKind::compare && session.compare)
    other = Engine().run(*session.compare, {session.view.layer, std::size_t{1} << 30});
  export_figure(request.output, *trace, session, options, other.get());
}

void run_tensors(const CommandRequest& request, const Translator& tr) {
  need_output(request, "arrays.npz, arrays.safetensors, arrays.csv, arrays.json");
  const auto trace = run(request, tr, request.layer_given ? 0 : SIZE_MAX);
  write_arrays(request.output, *trace, request.layer_given ? request.session.view.layer : -1);
}

void run_heads(const CommandRequest& request, const Translator& tr) {
  need_output(request, "heads.csv, heads.json");
  const std::string kind = ending(request.output);
  if (kind != ".csv" && kind != ".json")
    throw input_error("{} ends in \"{}\"; expected {}", request.output, kind, ".csv .json");
  const auto trace = run(request, tr, 0);
  write_file(request.output, kind == ".csv" ? heads_csv(*trace) : heads_json(*trace));
}

}  // namespace headscope
