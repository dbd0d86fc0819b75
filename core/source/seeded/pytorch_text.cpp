#include "core/source/seeded/pytorch_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/base/utf8.h"
#include "core/source/seeded/pytorch_mask.h"

namespace headscope {
namespace {

/// The data that the lines depend on.
struct Script {
  const Trace& trace;
  const BlockTrace& block;
  const Inputs& inputs;
  const Translator& tr;
  bool grouped, stack;

  std::string comment(const char* text) const { return std::string("  # ") + tr(text); }
};

/// A number in Python syntax, with the shortest exact digits.
std::string number(double value) {
  return fmt::format("{}", value);
}

std::string size_lines(const Script& s) {
  const BlockShape& shape = s.block.shape;
  std::string names = "d_model, heads, n_q, n_k",
              values =
                  fmt::format("{}, {}, {}, {}", shape.d_model, shape.heads, s.block.n_q(), s.block.n_k());
  if (s.grouped) names += ", kv_heads", values += fmt::format(", {}", shape.kv_heads);
  return names + " = " + values + "\nd_k = d_model // heads\n";
}

/// A Python function for initializations other than nn.Linear's own.
std::string linear_function(const Script& s) {
  std::string init;
  if (s.inputs.weights == WeightKind::xavier)
    init = "nn.init.xavier_uniform_(made.weight)";
  else if (s.inputs.weights == WeightKind::normal)
    init = fmt::format("nn.init.normal_(made.weight, 0.0, {})", number(s.inputs.sigma));
  else if (s.inputs.weights == WeightKind::identity || s.inputs.weights == WeightKind::manual)
    return "def fixed(weight):\n"
           "    made = nn.utils.skip_init(nn.Linear, weight.size(1), weight.size(0))\n"
           "    made.weight.data, made.bias.data = weight.clone(), torch.zeros(weight.size(0))\n"
           "    return made\n\n\n";
  else
    return "";
  return "def linear(n_in, n_out):\n"
         "    made = nn.utils.skip_init(nn.Linear, n_in, n_out)\n    " +
         init +
         "\n    nn.init.zeros_(made.bias)\n"
         "    return made\n\n\n";
}

/// [[…], …], one row per line.
template <typename Matrix>
std::string pytorch_rows(const Matrix& matrix) {
  std::string text = "[\n";
  for (Index i = 0; i < matrix.rows(); ++i) {
    text += "    [";
    for (Index j = 0; j < matrix.cols(); ++j) text += (j > 0 ? ", " : "") + fmt::format("{}", matrix(i, j));
    text += "],\n";
  }
  return text + "]";
}

std::string typed_matrix(const std::vector<double>& values, Index d_model, MatrixOrder order) {
  const Index other = std::ssize(values) / d_model;
  const bool in_out = order == MatrixOrder::in_out;
  const Index rows = in_out ? d_model : other, columns = in_out ? other : d_model;
  const Eigen::Map<const MatrixOf<double>> matrix(values.data(), rows, columns);
  return "torch.tensor(" + pytorch_rows(matrix) + ", dtype=torch.float32)" + (in_out ? ".T" : "");
}

/// Statements that create q, k, v, o, and up and down, in the order of the engine's draws.
std::vector<std::string> layer_lines(const Script& s) {
  const Inputs& inputs = s.inputs;
  const std::string make =
      inputs.weights == WeightKind::xavier || inputs.weights == WeightKind::normal ? "linear" : "nn.Linear";
  const std::string wide = make + "(d_model, d_model)";
  const std::string narrow = s.grouped ? make + "(d_model, kv_heads * d_k)" : wide;
  constexpr const char* first_of_groups = ".view(kv_heads, -1, d_k, d_model)[:, 0].reshape(-1, d_model)";
  std::vector<std::string> lines;
  if (inputs.weights == WeightKind::identity) {
    const std::string some =
        s.grouped ? std::string("torch.eye(d_model)") + first_of_groups : "torch.eye(d_model)";
    lines = {"q, o = fixed(torch.eye(d_model)), fixed(torch.eye(d_model))",
             fmt::format("k, v = fixed({0}), fixed({0})", some)};
  } else if (inputs.weights == WeightKind::manual) {
    const auto line = [&](const char* name, const std::vector<double>& values) {
      lines.push_back(
          fmt::format("{} = fixed({})", name, typed_matrix(values, inputs.d_model, inputs.typed.order)));
    };
    line("q", inputs.typed.w_q);
    line("k", inputs.typed.w_k);
    line("v", inputs.typed.w_v);
    line("o", inputs.typed.w_o);
  } else if (inputs.weights == WeightKind::mha) {
    lines = {"mha = nn.MultiheadAttention(d_model, heads)",
             "q, k, v = (nn.utils.skip_init(nn.Linear, d_model, d_model) for _ in range(3))",
             "for part, weight in zip((q, k, v), mha.in_proj_weight.data.chunk(3)):",
             "    part.weight.data, part.bias.data = weight, torch.zeros(d_model)", "o = mha.out_proj"};
  } else if (s.grouped) {
    lines = {"q = " + wide, "k = " + narrow, "v = " + narrow, "o = " + wide};
  } else {
    lines = {"q, k, v, o = (" + wide + " for _ in range(4))"};
  }
  if (inputs.weights == WeightKind::similarity) {
    if (!s.grouped) {
      lines.push_back("k = q" + s.comment(TR("similarity: drawn, then the same as q")));
    } else {
      lines.push_back(std::string("k.weight.data = q.weight.data") + first_of_groups);
      lines.push_back("k.bias.data = q.bias.data.view(kv_heads, -1, d_k)[:, 0].reshape(-1)");
    }
  }
  if (inputs.feed_forward)
    lines.push_back("up, down = " + make + "(d_model, 4 * d_model), " + make + "(4 * d_model, d_model)");
  return lines;
}

std::string parts(const Script& s) {
  return s.inputs.feed_forward ? "q, k, v, o, up, down" : "q, k, v, o";
}

std::string draws(const Script& s) {
  std::string text = linear_function(s);
  const std::vector<std::string> lines = layer_lines(s);
  if (!s.stack) {
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }
  text += "def layer():\n";
  for (const std::string& line : lines) text += "    " + line + "\n";
  text += "    return " + parts(s) + "\n\n\n";
  return text + (s.inputs.share_layers
                     ? fmt::format("stack = [layer()] * {}\n", s.inputs.layers)
                     : fmt::format("stack = [layer() for _ in range({})]\n", s.inputs.layers));
}

std::string projected(const char* layer, const char* of, double gain, const char* heads) {
  const std::string product =
      gain == 1 ? fmt::format("{}({})", layer, of)
                : fmt::format("F.linear({1}, {2} * {0}.weight, {0}.bias)", layer, of, number(gain));
  return fmt::format("split({}, {})", product, heads);
}

/// Whether a row of any head has no key: PyTorch's softmax returns NaN for it.
bool has_empty_rows(const Script& s) {
  if (!s.block.fills_with_infinity()) return false;
  for (int h = 0; h < s.block.heads(); ++h)
    if (!s.block.mask.empty_queries(h).empty()) return true;
  return false;
}

bool ablates(const Script& s) {
  return !s.block.interventions.ablated_heads.empty();
}

/// [1, 3]: the ablated heads of a layer.
std::string ablated_list(const Script& s, int layer) {
  std::string list;
  for (const HeadPlace& place : s.block.interventions.ablated_heads)
    if (place.layer == layer) list += fmt::format("{}{}", list.empty() ? "" : ", ", place.head);
  return "[" + list + "]";
}

/// "off", the ablated heads, of every layer of a stack.
std::string ablated_lines(const Script& s) {
  if (!ablates(s)) return "";
  if (!s.stack) return "off = " + ablated_list(s, 0) + s.comment(TR("the ablated heads")) + "\n";
  std::string lists;
  for (int layer = 0; layer < s.inputs.layers; ++layer)
    lists += (layer > 0 ? ", " : "") + ablated_list(s, layer);
  return "ablated = [" + lists + "]" + s.comment(TR("the heads of each layer")) + "\n";
}

std::vector<std::string> attention_lines(const Script& s) {
  const Inputs& inputs = s.inputs;
  const char* keys = inputs.cross() ? "y" : "x";
  const char* kv_heads = s.grouped ? "kv_heads" : "heads";
  std::vector<std::string> lines;
  lines.push_back("Q = " + projected("q", "x", inputs.gain_q, "heads"));
  lines.push_back("K = " + projected("k", keys, inputs.gain_k, kv_heads));
  lines.push_back("V = " + projected("v", keys, 1, kv_heads));
  if (s.grouped) lines.emplace_back("K, V = (t.repeat_interleave(heads // kv_heads, 1) for t in (K, V))");
  lines.push_back(std::string("scores = Q @ K.transpose(-2, -1)") +
                  (inputs.scale ? " / math.sqrt(d_k)" : ""));
  if (s.block.mask.any())
    lines.push_back(fmt::format("scores = scores.masked_fill(blocked, {})",
                                s.block.fills_with_infinity() ? "-math.inf" : "-1e9"));
  std::string softmax =
      inputs.temperature == 1 ? "scores" : fmt::format("(scores / {})", number(inputs.temperature));
  softmax = "weights = " + softmax + ".softmax(-1)";
  if (has_empty_rows(s)) softmax += ".nan_to_num(0.0)" + s.comment(TR("a query with no key: 0, not NaN"));
  lines.push_back(softmax);
  if (inputs.dropout > 0)
    lines.push_back(fmt::format("weights = F.dropout(weights, {})", number(inputs.dropout)));
  lines.emplace_back("context = (weights @ V).transpose(1, 2).reshape(1, n_q, d_model)");
  if (ablates(s)) {
    lines.emplace_back("each = context.view(1, n_q, heads, d_k)");
    lines.push_back(s.block.interventions.ablation == Ablation::zero
                        ? "each[:, :, off] = 0"
                        : "each[:, :, off] = each[:, :, off].mean(1, keepdim=True)");
  }
  lines.emplace_back("output = o(context)");
  return lines;
}

/// LayerNorm(x + y), each part if enabled.
std::string join_line(const Script& s, const char* added) {
  const std::string sum = s.inputs.residual ? fmt::format("x + {}", added) : std::string(added);
  return s.inputs.layer_norm ? fmt::format("x = F.layer_norm({}, (d_model,))", sum) : "x = " + sum;
}

std::string run(const Script& s) {
  std::string text;
  if (s.inputs.dropout > 0) text += fmt::format("torch.manual_seed({})\n", s.inputs.dropout_seed);
  if (s.stack) text += "maps = []\n";
  text += ablated_lines(s);
  text += "with torch.no_grad():\n";
  if (s.stack)
    text += ablates(s) ? "    for off, (" + parts(s) + ") in zip(ablated, stack):\n"
                       : "    for " + parts(s) + " in stack:\n";
  const std::string indent = s.stack ? "        " : "    ";
  for (const std::string& line : attention_lines(s)) text += indent + line + "\n";
  if (!s.stack) return text;
  text += indent + "maps.append(weights)\n";
  text += indent + join_line(s, "output") + s.comment(TR("what the next layer reads")) + "\n";
  if (s.inputs.feed_forward) text += indent + join_line(s, "down(F.relu(up(x)))") + "\n";
  return text + "weights = torch.cat(maps)\n";
}

/// embed_token() of core/model/seeded/token_vectors.h in Python.
std::string vector_function(const Script& s) {
  return fmt::format(R"(

def mix(state):  # SplitMix64
    z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def vector(token):  # {}
    step, start = 0x9E3779B97F4A7C15, 14695981039346656037
    for byte in token.encode():  # FNV-1a
        start = (start ^ byte) * 1099511628211 % 2**64
    start ^= mix(({} + step) % 2**64)
    count = -(-d_model // 16) * 16
    draws = [mix((start + (i + 1) * step) % 2**64) >> 40 for i in range(count)]
    u = torch.tensor(draws).view(-1, 2, 8) / 2**24  # Box–Muller
    radius, angle = (-2 * (1 - u[:, 0]).log()).sqrt(), 2 * math.pi * u[:, 1]
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1).flatten()[:d_model]


)",
                     s.tr("N(0, 1), of the token's text and the seed alone"), s.inputs.seed);
}

std::string positions_function() {
  return "def positions(n):\n"
         "    column = torch.arange(d_model, dtype=torch.float64)\n"
         "    angle = torch.arange(n)[:, None] / 10000 ** ((column - column % 2) / d_model)\n"
         "    return torch.where(column % 2 == 0, angle.sin(), angle.cos()).float()\n\n\n";
}

std::string token_list(const std::vector<Token>& tokens) {
  std::string list;
  for (const Token& token : tokens)
    // JSON's escapes are Python's.
    list += (list.empty() ? "" : ", ") +
            nlohmann::json(token.text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return "[" + list + "]";
}

std::string embedded_vectors(const Script& s) {
  const bool placed = s.inputs.positions == Positions::sinusoidal;
  std::string text = vector_function(s);
  if (placed) text += positions_function();
  const auto line = [&](const char* name, const std::vector<Token>& tokens, const char* count) {
    text += fmt::format("{} = torch.stack([vector(t) for t in {}])[None]{}\n", name, token_list(tokens),
                        placed ? fmt::format(" + positions({})", count) : "");
  };
  line("x", s.block.tokens, "n_q");
  if (s.inputs.cross()) line("y", s.block.key_tokens, "n_k");
  return text;
}

std::string typed_vectors(const Trace& trace) {
  const bool cross = trace.inputs.cross();
  const Index numbers = trace.x.size() + (cross ? trace.key_x.size() : 0);
  if (numbers > PytorchLimits::max_numbers)
    throw input_error(
        "the token vectors are typed and have {} numbers; expected at most {} to write out: use a smaller "
        "d_model, fewer tokens, randn or embedding",
        numbers, PytorchLimits::max_numbers);
  const auto line = [](const char* name, const Tensor& x) {
    return fmt::format("{} = torch.tensor([{}], dtype=torch.float32)\n", name, pytorch_rows(as_matrix(x)));
  };
  return line("x", trace.x) + (cross ? line("y", trace.key_x) : "");
}

/// The lines that create x [1, n_q, d_model], and in cross-attention y [1, n_k, d_model], of a seeded run:
/// drawn, as embedding draws them, or typed. Throws Error (input) for more typed numbers than
/// PytorchLimits::max_numbers.
std::string vectors(const Script& s) {
  switch (s.inputs.vectors) {
    case VectorKind::embedding:
      return embedded_vectors(s);
    case VectorKind::typed:
      return typed_vectors(s.trace);
    case VectorKind::randn:
      break;
  }
  return s.inputs.cross() ? "x, y = torch.randn(1, n_q, d_model), torch.randn(1, n_k, d_model)\n"
                          : "x = torch.randn(1, n_q, d_model)\n";
}

}  // namespace

std::string pytorch_text(const Trace& trace, const Translator& tr) {
  const BlockTrace& block = trace.blocks.front();
  if (block.tokens.empty() || block.key_tokens.empty())
    throw input_error("the sentence has no tokens; expected at least one");
  const Inputs& inputs = trace.inputs;
  if (inputs.trained())
    throw input_error("{} is a trained model; expected a seeded layer, whose numbers PyTorch draws",
                      inputs.model);
  if (!block.layer_masks.empty())
    throw input_error("masks of single layers are not written as PyTorch; expected masks of all layers");
  if (inputs.captured())
    throw input_error("{} is a capture; expected a seeded layer, whose numbers PyTorch draws",
                      inputs.capture);
  const Script s{trace, block, inputs, tr, block.shape.kv_heads != block.heads(), inputs.layers > 1};
  constexpr std::size_t max_bytes = 80;
  std::string text = "# " + tr("Headscope: {}", cut_off(printable(inputs.sentence), max_bytes)) + "\n";
  const std::string mask = pytorch_mask(block.mask, block.heads());
  text += std::string(
              "import math\n\nimport torch\nfrom torch import nn\nfrom torch.nn import functional as F\n\n") +
          size_lines(s) + fmt::format("torch.manual_seed({})\n", inputs.seed);
  if (!linear_function(s).empty() || s.stack) text += "\n\n";
  text += draws(s) + vectors(s) + mask;
  text += "\n\ndef split(t, heads):" + s.comment(TR("[1, n, heads d_k] to [1, heads, n, d_k]")) +
          "\n    return t.view(1, -1, heads, d_k).transpose(1, 2)\n\n\n";
  text += run(s);
  return text + "print(weights[0, 0])" +
         s.comment(s.stack ? TR("weights: [layers, heads, n_q, n_k]; output is of the last layer")
                           : TR("weights: [1, heads, n_q, n_k]")) +
         "\n";
}

}  // namespace headscope
