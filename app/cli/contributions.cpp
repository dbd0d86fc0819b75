#include "app/cli/contributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/run_inputs.h"
#include "core/analysis/expectations.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"

namespace headscope {
namespace {

using OrderedJson = nlohmann::ordered_json;

Index id_of(const std::string& token, const Predictions& predictions) {
  if (const std::optional<Index> id = named_token(predictions, token)) return *id;
  throw input_error("--contributions is \"{}\"; expected one token of this model, or id:0 to id:{}", token,
                    predictions.vocabulary() - 1);
}

OrderedJson contributions_json(const LogitContributions& parts) {
  OrderedJson layers = OrderedJson::array();
  for (std::size_t layer = 0; layer < parts.feed_forward.size(); ++layer) {
    OrderedJson entry{{"layer", layer}};
    for (const LogitContributions::Attention& block : parts.attention)
      entry[to_name(block.kind)] = {{"heads", block.heads[layer]}, {"bias", block.bias[layer]}};
    entry["feed_forward"] = parts.feed_forward[layer];
    entry["feed_forward_bias"] = parts.feed_forward_bias[layer];
    layers.push_back(std::move(entry));
  }
  return {{"embedding", parts.embedding},     {"position", parts.position},
          {"layers", std::move(layers)},      {"last_norm_bias", parts.norm_bias},
          {"output_bias", parts.output_bias}, {"sum", parts.sum()}};
}

void print_table(const LogitContributions& parts, const Translator& tr) {
  const auto line = [](const std::string& name, double value) { fmt::print("{:+10.4f}  {}\n", value, name); };
  line(tr("embedding of the token"), parts.embedding);
  if (parts.position != 0) line(tr("position"), parts.position);
  for (std::size_t layer = 0; layer < parts.feed_forward.size(); ++layer) {
    for (const LogitContributions::Attention& block : parts.attention) {
      const bool cross = block.kind == BlockKind::cross;
      for (std::size_t head = 0; head < block.heads[layer].size(); ++head)
        line(cross ? tr.format("layer {}, cross-attention, head {}", layer, head)
                   : tr.format("layer {}, head {}", layer, head),
             block.heads[layer][head]);
      if (block.bias[layer] != 0)
        line(cross ? tr.format("layer {}, bias of cross-attention's W_O", layer)
                   : tr.format("layer {}, bias of W_O", layer),
             block.bias[layer]);
    }
    line(tr.format("layer {}, feed-forward network", layer), parts.feed_forward[layer]);
    if (parts.feed_forward_bias[layer] != 0)
      line(tr.format("layer {}, bias of the feed-forward network", layer), parts.feed_forward_bias[layer]);
  }
  if (parts.norm_bias != 0) line(tr("bias of the last norm"), parts.norm_bias);
  if (parts.output_bias != 0) line(tr("bias of the output"), parts.output_bias);
  line(tr("sum, which is the logit"), parts.sum());
}

}  // namespace

void print_contributions(const Trace& trace, const CommandRequest& request, const Translator& tr) {
  const Predictions& predictions = *trace.predictions;
  if (!predictions.has_contributions())
    throw input_error(
        "--contributions is not defined for this model: its norms come after the sums, or before its output, "
        "so its parts do not add up to a logit");
  const auto block = std::ranges::find(trace.blocks, predictions.block(),
                                       [](const BlockTrace& found) { return found.shape.kind; });
  const Index n = block->n_q(), position = request.position.value_or(static_cast<int>(n) - 1);
  if (position >= n) throw input_error("{} is {}; expected {} to {}", "--position", position, 0, n - 1);
  const Index id = id_of(*request.contributions, predictions);
  const LogitContributions parts = *predictions.contributions(position, id);
  check_read(trace);
  const Token& token = block->tokens[static_cast<std::size_t>(position)];
  if (!request.json) {
    fmt::print("{}\n", tr.format("What adds to the logit of \"{}\" ({}) at position {}, \"{}\"",
                                 printable(predictions.token(id)), id, position, printable(token.text)));
    return print_table(parts, tr);
  }
  const OrderedJson json{{"model", request.session.inputs.model},
                         {"position", position},
                         {"at", token.text},
                         {"token", predictions.token(id)},
                         {"token_id", id},
                         {"logit", parts.logit},
                         {"contributions", contributions_json(parts)}};
  fmt::print("{}\n", json.dump(2, ' ', false, OrderedJson::error_handler_t::replace));
}

}  // namespace headscope
