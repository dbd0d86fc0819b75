#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/info_text.h"
#include "app/cli/messages.h"
#include "app/cli/notes.h"
#include "core/attention/mask.h"
#include "core/base/error.h"
#include "core/inputs/cost.h"
#include "core/inputs/fields.h"
#include "core/inputs/head_places.h"
#include "core/io/array_file.h"
#include "core/io/file.h"
#include "core/io/formats.h"
#include "core/io/gguf_metadata.h"
#include "core/io/path_in_folder.h"
#include "core/model/seeded/seeded_layer.h"
#include "core/model/weights/built_in_models.h"
#include "core/model/weights/fingerprint.h"
#include "core/model/weights/model_folder.h"
#include "core/scene/view_kinds.h"
#include "core/source/capture/capture.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

/// Formats the inputs' values as text.
class InfoText : public InfoLines {
 public:
  using InfoLines::InfoLines;

  template <typename Value>
  std::string value(const Value& value) const {
    if constexpr (std::is_enum_v<Value>)
      return named(to_name(value), to_label(value));
    else if constexpr (std::is_same_v<Value, bool>)
      return value ? tr_("true") : tr_("false");
    else
      return fmt::format("{}", value);
  }
  std::string value(const std::vector<MaskPart>& parts) const {
    std::string text;
    for (const MaskPart& part : parts)
      text += (text.empty() ? "" : " ") + (part.on ? to_string(part) : tr_("{} (off)", to_string(part)));
    return text.empty() ? tr_("none") : text;
  }
  std::string value(const std::set<int>& places) const { return fmt::format("{}", fmt::join(places, ",")); }
  // Fields that are printed elsewhere, or not at all.
  std::string value(const std::set<HeadPlace>& places) const {
    return places.empty() ? tr_("none") : to_string(places);
  }
  std::string value(const std::optional<std::string>& text) const { return text.value_or(""); }
  std::string value(const TypedMatrices&) const { return ""; }
};

/// The inputs and what is built from them.
struct Built {
  InputTokens tokens;
  std::vector<Mask> masks;  ///< one, or one for each layer where they differ
  double density(int heads) const {
    double sum = 0;
    for (const Mask& mask : masks) sum += mask.density(heads);
    return sum / static_cast<double>(masks.size());
  }
  std::int64_t blocked_cells(int heads) const {
    std::int64_t sum = 0;
    for (const Mask& mask : masks) sum += mask.blocked_cells(heads);
    return sum;
  }
};

Built build(const CommandRequest& request) try {
  const Inputs& inputs = request.session.inputs;
  validate(inputs);
  check_parameter_count(inputs);
  Built built{tokens_of(inputs), {}};
  built.masks = count_masks(inputs, built.tokens);
  return built;
} catch (const Error& error) {
  check_session_masks(request, request.session.inputs);
  if (comes_from_file(request)) throw error.at(request.file);
  throw;
}

std::int64_t cell_count(const Inputs& inputs, const Built& built) {
  return std::int64_t{inputs.heads} * built.masks.front().n_q() * built.masks.front().n_k() *
         std::ssize(built.masks);
}

void print_density(const Inputs& inputs, const Built& built, const InfoText& text) {
  const std::int64_t all = cell_count(inputs, built);
  if (all == 0) return;
  const double density = built.density(inputs.heads);
  text.line("density", TR("density"), fmt::format("{:.6g}", density));
  text.line("scores saved", TR("scores saved"),
            fmt::format("{} / {} ({:.1f}%, {}{} x {} x {})", built.blocked_cells(inputs.heads), all,
                        100 * (1 - density),
                        built.masks.size() > 1 ? fmt::format("{} x ", built.masks.size()) : std::string(),
                        inputs.heads, built.masks.front().n_q(), built.masks.front().n_k()));
}

std::int64_t multiplications(const Inputs& inputs, const Built& built) {
  return multiply_count(inputs, std::ssize(built.tokens.queries), std::ssize(built.tokens.keys));
}

void print_inputs(const Inputs& inputs, const Built& built, const InfoText& text) {
  // The shape with what follows from it, then the other fields. Fields of trained models are not printed
  // here.
  constexpr std::array<std::string_view, 13> stated{
      "sentence", "key_sentence", "d_model",   "heads",        "kv_heads", "layers",  "typed",
      "model",    "target",       "heads_off", "heads_off_by", "capture",  "sequence"};
  const auto field = [&](InputField::Member member, const std::string& value) {
    text.line(input_field(member).name, input_field(member).label, value);
  };
  const std::size_t n_q = built.tokens.queries.size(), n_k = built.tokens.keys.size();
  field(&Inputs::sentence, inputs.sentence);
  if (inputs.cross()) text.line("key_sentence", TR("Second sentence"), *inputs.key_sentence);
  text.line("tokens", TR("tokens"),
            inputs.cross() ? fmt::format("{} x {}", n_q, n_k) : fmt::format("{}", n_q));
  field(&Inputs::d_model, text.value(inputs.d_model));
  field(&Inputs::heads, text.value(inputs.heads));
  field(&Inputs::kv_heads, text.value(inputs.key_value_heads()));
  text.line("d_k", text.value(inputs.d_model / inputs.heads));
  field(&Inputs::layers, text.value(inputs.layers));
  for_each_input(inputs, [&](const InputField& row, const auto& value) {
    if (std::ranges::find(stated, std::string_view(row.name)) != stated.end()) return;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::set<int>>)
      if (value.empty()) return;
    text.line(row.name, row.label, text.value(value));
    if (std::string_view(row.name) == "mask") print_density(inputs, built, text);
  });
  text.line("parameters", TR("parameters"), text.value(parameter_count(inputs)));
  text.line("multiplications", TR("multiply–adds"), text.value(multiplications(inputs, built)));
}

void print_view(const Session& session, const InfoText& text, const Translator& tr) {
  const View& view = session.view;
  text.line("view", TR("View"), text.named(to_name(view.kind), view_kind(view.kind).tab));
  text.line("colormap", TR("Colours"), to_name(view.colormap));
  text.line("range", TR("Range"),
            view.range.kind == Range::fixed ? tr("{} to {}", view.range.limits.low, view.range.limits.high)
                                            : text.value(view.range.kind));
  if (!view.show_title)
    text.line("title", TR("Title"), tr("none"));
  else if (!view.title.empty())
    text.line("title", TR("Title"), view.title);
  if (session.compare) text.line("compare", TR("Compare"), session.compare->sentence);
  if (!session.labels.empty()) text.line("labels", TR("labels"), text.value(session.labels.size()));
  if (!session.marks.empty()) text.line("marks", TR("Marks"), text.value(session.marks.size()));
  if (!session.bookmarks.empty())
    text.line("bookmarks", TR("Bookmarks"), text.value(session.bookmarks.size()));
}

/// For scripts: the session with every field, its inputs flat under their names, and their cost.
void print_json(const Session& session, const Built& built) {
  const Inputs& inputs = session.inputs;
  Json json = Json::parse(to_json(session, false));
  json["n_q"] = built.tokens.queries.size();
  json["n_k"] = built.tokens.keys.size();
  json["d_k"] = inputs.d_model / inputs.heads;
  json["parameters"] = parameter_count(inputs);
  json["multiplications"] = multiplications(inputs, built);
  const bool cells = cell_count(inputs, built) > 0;
  json["density"] = cells ? Json(built.density(inputs.heads)) : Json(nullptr);
  json["scores_saved"] = cells ? built.blocked_cells(inputs.heads) : 0;
  dump_json(json);
}

/// The session's models whose weights have changed since it was saved.
std::string changed_weights(const Session& session, const Translator& tr) {
  std::string notes;
  for (const auto& [folder, known] : session.model_weights) try {
      if (const auto weights = look_into_model(folder_of_model(folder)).weights;
          weights && fingerprint_of(*weights) != known)
        notes = joined(notes, changed_weights_note(folder, tr), tr);
    } catch (const Error& error) {
      notes = joined(notes, tr(error), tr);
    }
  return notes;
}

/// For a session with a trained model or a capture, which is not opened: `info PATH` describes it.
void print_trained(const CommandRequest& request, const Translator& tr) {
  const Session& session = request.session;
  // A session is described without its model or capture; options name one to be described.
  if (request.file.empty())
    for (const std::string& path : {folder_of_model(session.inputs.model), session.inputs.capture})
      if (!path.empty() && !std::filesystem::exists(path)) throw input_error("{} does not exist", path);
  if (request.json) return dump_json(Json::parse(to_json(session, false)));
  const InfoText text(tr);
  if (!request.file.empty()) text.line("session", TR("session"), request.file);
  const Inputs usual;
  for_each_input(session.inputs, [&](const InputField& row, const auto& value) {
    const bool changed =
        std::visit([&](auto member) { return !(session.inputs.*member == usual.*member); }, row.member);
    if (changed || (session.inputs.about().computes && std::string_view(row.name) == "sentence"))
      text.line(row.name, row.label, text.value(value));
  });
  print_view(session, text, tr);
  // A missing one is reported below.
  const std::string model = folder_of_model(session.inputs.model);
  if (session.inputs.about().computes && (is_gguf(model) || is_in_folder(model, "config.json")))
    print_model(session.inputs.model, tr);
  print_notes(changed_weights(session, tr));
}

void print_session(const CommandRequest& request, const Translator& tr) {
  const Session& session = request.session;
  if (!session.inputs.about().known_ahead) return print_trained(request, tr);
  const Built built = build(request);
  if (request.json) {
    print_json(session, built);
  } else {
    const InfoText text(tr);
    if (!request.file.empty()) text.line("session", TR("session"), request.file);
    print_inputs(session.inputs, built, text);
    print_view(session, text, tr);
  }
  print_notes(
      mask_notes(session.inputs, session.inputs.heads, built.tokens.queries, built.masks.front(), tr));
}

void print_arrays(const CommandRequest& request, const Translator& tr) {
  Json json = Json::object();
  const auto arrays = find_format(array_readers(), request.file)->list(request.file);
  std::vector<std::string> names;
  for (const ArrayInfo& array : arrays) names.push_back(array.name);
  const bool capture = Capture::is_capture(names);
  std::string notes;
  if (capture) notes = describe_capture(request.file, request.json ? &json["capture"] : nullptr, tr);
  for (const ArrayInfo& array : arrays) {
    if (request.json)
      json[array.name] = {{"dtype", array.dtype}, {"shape", array.shape}};
    else
      InfoText(tr).line(array.name, fmt::format("{} [{}]", array.dtype, fmt::join(array.shape, ", ")));
  }
  if (request.json) dump_json(json);
  print_notes(notes);
  // An .npz is opened as a capture; weights are read from .safetensors.
  if (!capture && ending(request.file) == ".npz")
    throw input_error(
        "{}: not a capture: it has no array attention (a trained model is opened by its folder)",
        request.file);
}

}  // namespace

void run_info(const CommandRequest& request, const Translator& tr) {
  if (request.lesson) return run_lesson_info(request, tr);
  if (request.families) return print_families(request, tr);
  if (request.folder) return run_model_info(request, tr);
  if (request.file.empty() && !request.inputs_given)
    throw input_error(
        "PATH is missing; expected a session, a figure, a lesson, the folder of a model or an array file");
  if (!is_array_file(request.file)) return print_session(request, tr);
  if (request.inputs_given)
    throw input_error("{} is an array file; expected a session or a figure when options are given",
                      request.file);
  print_arrays(request, tr);
}

}  // namespace headscope
