#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/notes.h"
#include "core/attention/mask.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/cost.h"
#include "core/inputs/fields.h"
#include "core/io/arrays.h"
#include "core/io/formats.h"
#include "core/model/seeded_layer.h"
#include "core/scene/view_names.h"

namespace headscope {
namespace {

void line(const std::string& name, const std::string& value) {
  fmt::print("{:<16} {}\n", printable(name), printable(value));
}

template <typename Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_enum_v<Value>)
    return to_name(value);
  else
    return fmt::format("{}", value);
}
std::string value_text(const std::vector<MaskPart>& parts) {
  std::string text;
  for (const MaskPart& part : parts)
    text += (text.empty() ? "" : " ") + to_string(part) + (part.on ? "" : " (off)");
  return text.empty() ? "none" : text;
}
// Fields that stand elsewhere, or nowhere, in what is printed.
std::string value_text(const std::optional<std::string>&) {
  return "";
}
std::string value_text(const ManualWeights&) {
  return "";
}

/// The inputs with what building them gives.
struct Built {
  InputTokens tokens;
  Mask mask;
};

Built build(const CommandRequest& request) try {
  const Inputs& inputs = request.session.inputs;
  validate(inputs);
  Built built{tokens_of(inputs), {}};
  built.mask = count_mask(inputs.mask, built.tokens.queries, built.tokens.keys, inputs.heads);
  return built;
} catch (const Error&) {
  check_session_masks(request, request.session.inputs);
  throw;
}

void print_density(const Inputs& inputs, const Built& built, const Translator& tr) {
  const Index n_q = built.mask.n_q(), n_k = built.mask.n_k(), all = inputs.heads * n_q * n_k;
  if (all == 0) return;
  const double density = built.mask.density(inputs.heads);
  const Index saved = built.mask.blocked_cells(inputs.heads);
  line(tr("density"), fmt::format("{:.6g}", density));
  line(tr("scores saved"), fmt::format("{} / {} ({:.1f}%, {} x {} x {})", saved, all, 100 * (1 - density),
                                       inputs.heads, n_q, n_k));
}

void print_inputs(const Inputs& inputs, const Built& built, const Translator& tr) {
  // The shape, with what follows from it; then the other fields.
  constexpr std::array<std::string_view, 7> stated{"sentence", "key_sentence", "d_model", "heads",
                                                   "kv_heads", "layers",       "typed"};
  const std::size_t n_q = built.tokens.queries.size(), n_k = built.tokens.keys.size();
  line("sentence", inputs.sentence);
  if (inputs.cross()) line("key_sentence", *inputs.key_sentence);
  line(tr("tokens"), inputs.cross() ? fmt::format("{} x {}", n_q, n_k) : fmt::format("{}", n_q));
  line("d_model", fmt::format("{}", inputs.d_model));
  line("heads", fmt::format("{}", inputs.heads));
  line("kv_heads", fmt::format("{}", inputs.key_value_heads()));
  line("d_k", fmt::format("{}", inputs.d_model / inputs.heads));
  line("layers", fmt::format("{}", inputs.layers));
  for_each_input(inputs, [&](const InputField& field, const auto& value) {
    if (std::ranges::find(stated, std::string_view(field.name)) != stated.end()) return;
    line(field.name, value_text(value));
    if (std::string_view(field.name) == "mask") print_density(inputs, built, tr);
  });
  line(tr("parameters"), fmt::format("{}", parameter_count(inputs)));
  line(tr("multiplications"),
       fmt::format("{}", multiply_count(inputs, static_cast<Index>(n_q), static_cast<Index>(n_k))));
}

void print_session(const CommandRequest& request, const Translator& tr) {
  const Session& session = request.session;
  const Built built = build(request);
  if (!request.file.empty()) line(tr("session"), request.file);
  print_inputs(session.inputs, built, tr);
  line("view", to_name(session.view.kind));
  line("colormap", to_name(session.view.colormap));
  line("range", to_name(session.view.range));
  if (!session.view.show_title)
    line("title", "none");
  else if (!session.view.title.empty())
    line("title", session.view.title);
  if (session.compare) line("compare", session.compare->sentence);
  if (!session.labels.empty()) line(tr("labels"), fmt::format("{}", session.labels.size()));
  if (!session.bookmarks.empty()) line(tr("bookmarks"), fmt::format("{}", session.bookmarks.size()));
  print_notes(mask_notes(session.inputs, built.tokens.queries, built.mask, tr));
}

}  // namespace

void run_info(const CommandRequest& request, const Translator& tr) {
  if (request.file.empty() && !request.inputs_given)
    throw input_error("PATH is missing; expected a session, a figure or an array file");
  if (!is_array_file(request.file)) return print_session(request, tr);
  if (request.inputs_given)
    throw input_error("{} is an array file; expected a session or a figure for the options to change",
                      request.file);
  for (const ArrayInfo& array : find_format(array_readers(), request.file)->list(request.file))
    line(array.name, fmt::format("{} [{}]", array.dtype, fmt::join(array.shape, ", ")));
}

}  // namespace headscope
