#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands.h"
#include "core/attention/mask.h"
#include "core/error.h"
#include "core/io/arrays.h"
#include "core/io/file.h"
#include "core/model/layer_weights.h"
#include "core/session/names.h"

namespace headscope {
namespace {

void line(const std::string& name, const std::string& value) {
  fmt::print("{:<16} {}\n", name, value);
}

std::string masks(const Inputs& inputs) {
  std::string text;
  for (const MaskPart& part : inputs.mask)
    text += (text.empty() ? "" : " ") + to_string(part) + (part.on ? "" : " (off)");
  return text.empty() ? "none" : text;
}

void print_arrays(const std::vector<ArrayInfo>& arrays) {
  for (const ArrayInfo& array : arrays)
    line(array.name, fmt::format("{} [{}]", array.dtype, fmt::join(array.shape, ", ")));
}

const char* yes_no(bool value) {
  return value ? "true" : "false";
}

void print_inputs(const Inputs& inputs, const Translator& tr) {
  const std::size_t n_q = words(inputs.sentence).size();
  line("sentence", inputs.sentence);
  std::size_t n_k = n_q;
  if (inputs.cross()) {
    line("key_sentence", *inputs.key_sentence);
    n_k = words(*inputs.key_sentence).size();
  }
  line(tr("tokens"), inputs.cross() ? fmt::format("{} x {}", n_q, n_k) : fmt::format("{}", n_q));
  line("d_model", fmt::format("{}", inputs.d_model));
  line("heads", fmt::format("{}", inputs.heads));
  line("kv_heads", fmt::format("{}", inputs.key_value_heads()));
  line("d_k", fmt::format("{}", inputs.d_model / inputs.heads));
  line("layers", fmt::format("{}", inputs.layers));
  line("seed", fmt::format("{}", inputs.seed));
  line("inputs", to_name(inputs.inputs));
  line("positions", to_name(inputs.positions));
  line("mask", masks(inputs));
  line("mask_fill", to_name(inputs.mask_fill));
  line("temperature", fmt::format("{}", inputs.temperature));
  line("scale", yes_no(inputs.scale));
  line("dropout", fmt::format("{}", inputs.dropout));
  line("dropout_seed", fmt::format("{}", inputs.dropout_seed));
  line("gain_q", fmt::format("{}", inputs.gain_q));
  line("gain_k", fmt::format("{}", inputs.gain_k));
  line("weights", to_name(inputs.weights));
  line("sigma", fmt::format("{}", inputs.sigma));
  line("share_layers", yes_no(inputs.share_layers));
  line("residual", yes_no(inputs.residual));
  line("layer_norm", yes_no(inputs.layer_norm));
  line("feed_forward", yes_no(inputs.feed_forward));
  line(tr("parameters"), fmt::format("{}", parameter_count(inputs)));
  line(tr("multiplications"),
       fmt::format("{}", multiply_count(inputs, static_cast<Index>(n_q), static_cast<Index>(n_k))));
}

void print_session(const std::string& path, const Session& session, const Translator& tr) {
  line(tr("session"), path);
  print_inputs(session.inputs, tr);
  line("view", to_name(session.view.kind));
  line("colormap", to_name(session.view.colormap));
  line("range", to_name(session.view.range));
  if (!session.view.title.empty()) line("title", session.view.title);
  if (!session.labels.empty()) line(tr("labels"), fmt::format("{}", session.labels.size()));
  if (!session.bookmarks.empty()) line(tr("bookmarks"), fmt::format("{}", session.bookmarks.size()));
}

}  // namespace

void run_info(const CommandRequest& request, const Translator& tr) {
  if (request.file.empty())
    throw input_error("PATH is missing; expected a session, a figure or an array file");
  const std::string kind = ending(request.file);
  if (kind == ".npz") return print_arrays(list_npz(request.file));
  if (kind == ".safetensors") return print_arrays(list_safetensors(request.file));
  if (kind == ".npy") {
    const NamedArray array = read_npy(request.file);
    return print_arrays({{ending(request.file).substr(1), array.dtype, array.shape}});
  }
  print_session(request.file, open_session(request.file), tr);
}

}  // namespace headscope
