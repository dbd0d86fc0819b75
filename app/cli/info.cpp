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

void print_arrays(const std::map<std::string, NamedArray>& arrays) {
  for (const auto& [name, array] : arrays) {
    std::string shape;
    for (Index n : array.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ", ", n);
    line(name, fmt::format("{} [{}]", array.dtype, shape));
  }
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
  line("weights", to_name(inputs.weights));
  line(tr("parameters"), fmt::format("{}", parameter_count(inputs)));
  line(tr("multiplications"),
       fmt::format("{}", multiply_count(inputs, static_cast<Index>(n_q), static_cast<Index>(n_k))));
}

void print_session(const std::string& path, const Session& session, const Translator& tr) {
  line(tr("session"), path);
  print_inputs(session.inputs, tr);
  line("colormap", to_name(session.view.colormap));
  line("range", to_name(session.view.range));
  if (!session.bookmarks.empty()) line(tr("bookmarks"), fmt::format("{}", session.bookmarks.size()));
}

}  // namespace

void run_info(const CommandRequest& request, const Translator& tr) {
  if (request.file.empty())
    throw input_error("PATH is missing; expected a session, a figure or an array file");
  const std::string kind = ending(request.file);
  if (kind == ".npz") return print_arrays(read_npz(request.file));
  if (kind == ".safetensors") return print_arrays(read_safetensors(request.file));
  if (kind == ".npy") return print_arrays({{"", read_npy(request.file)}});
  print_session(request.file, open_session(request.file), tr);
}

}  // namespace headscope
