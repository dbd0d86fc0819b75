#include "core/analysis/cause_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/analysis/expectations.h"
#include "core/inputs/head_places.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

Json token_json(const Predictions& predictions, Index id) {
  return {{"token", predictions.token(id)}, {"token_id", id}};
}

/// The question and what was measured, for the file.
Json about(const CauseRequest& wanted, const Causes& causes, const HeadPaths* paths, const Trace& a,
           const Trace* b, bool keep_sentences) {
  const Predictions& predictions = *a.predictions;
  const bool patch = is_patch(wanted.change);
  Json question{{"position", wanted.question.position},
                {"at", predicting_block(a).tokens[wanted.question.position].text},
                {"answer", token_json(predictions, wanted.question.answer)}};
  if (wanted.question.against) question["against"] = token_json(predictions, *wanted.question.against);
  Json json{{"model", a.inputs.model},
            {"question", std::move(question)},
            {"measure", wanted.question.against ? "logit difference" : "logit"},
            {patch ? "patch" : "knock_out", to_name(wanted.change)}};
  if (keep_sentences) {
    json["sentence"] = a.inputs.sentence;
    if (b != nullptr) json["other_sentence"] = b->inputs.sentence;
  }
  if (patch) json["direction"] = wanted.noise ? "noise" : "denoise";
  json["clean"] = causes.clean;
  if (causes.corrupted) json["corrupted"] = *causes.corrupted;
  json["probability"] = causes.probability;
  if (wanted.head) json["head"] = to_string(std::set<HeadPlace>{*wanted.head});
  if (paths != nullptr)
    for (const HeadPlace& head : paths->heads) json["heads"].push_back(to_string(std::set<HeadPlace>{head}));
  return json;
}

std::string array_name(const Causes& causes, const CauseMap& map, const std::string& name) {
  return causes.maps.size() > 1 ? std::string(to_name(map.kind)) + "_" + name : name;
}

/// Whether a value is of a head that its layer has: others may have more.
bool is_of_a_head(const CauseMap& map, Index value, const CauseRequest& wanted, const Trace& trace) {
  if (!is_of_heads(wanted.change) || wanted.head) return true;
  const Index heads = map.shape[1], number = value / (map.count() / (map.shape[0] * heads));
  const auto block =
      std::ranges::find(trace.blocks, map.kind, [](const BlockTrace& one) { return one.shape.kind; });
  return number % heads < block->heads_of(static_cast<int>(number / heads));
}

/// NaN for heads that a layer does not have.
TraceArrays arrays_of(const Causes& causes, const CauseRequest& wanted, const Trace& trace,
                      const char* value_name) {
  TraceArrays arrays;
  for (const CauseMap& map : causes.maps) {
    const auto add = [&](const char* name, std::vector<double> values) {
      for (std::size_t i = 0; i < values.size(); ++i)
        if (!is_of_a_head(map, i, wanted, trace)) values[i] = std::numeric_limits<double>::quiet_NaN();
      arrays.add(array_name(causes, map, name), map.shape, values);
    };
    add(value_name, map.values);
    add("probability", map.probabilities);
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
void write_table(std::ostream& out, const Causes& causes, const CauseRequest& wanted, const Trace& trace,
                 const char* value_name) {
  const bool blocks = causes.maps.size() > 1;
  out << (blocks ? "block," : "");
  for (const char* axis : axes_of(wanted)) out << axis << ',';
  out << value_name << ",probability\n";
  for (const CauseMap& map : causes.maps)
    for (std::size_t i = 0; i < map.values.size(); ++i) {
      if (!is_of_a_head(map, i, wanted, trace)) continue;
      if (blocks) out << to_name(map.kind) << ',';
      std::size_t rest = i, size = map.values.size();
      for (const Index axis : map.shape) {
        size /= axis;
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
  const Index size = count;
  arrays.add("heads", std::move(heads));
  arrays.arrays.back().shape = {size, 2};
  arrays.add("change", {size}, paths.changes);
  arrays.add("paths", {size, size}, between);
  arrays.add("direct", {size}, direct);
  return arrays;
}

void write_table(std::ostream& out, const HeadPaths& paths) {
  const bool blocks =
      std::ranges::any_of(paths.heads, [](const HeadPlace& head) { return head.block != BlockKind::self; });
  const auto block = [&](const HeadPlace& head) {
    return blocks ? fmt::format("{},", to_name(head.block)) : "";
  };
  out << (blocks ? "block,layer,head,into_block,into_layer,into_head,change\n"
                 : "layer,head,into_layer,into_head,change\n");
  for (const HeadPath& path : paths.paths) {
    const std::string into =
        path.into ? fmt::format("{}{},{}", block(*path.into), path.into->layer, path.into->head)
        : blocks  ? "logits,,"
                  : "logits,";
    out << fmt::format("{}{},{},{},{}\n", block(path.from), path.from.layer, path.from.head, into,
                       path.change);
  }
}

}  // namespace

ArrayExport cause_file(const CauseRequest& asked, const Causes& causes, const HeadPaths* paths,
                       const Trace& a, const Trace* b, bool keep_sentences) {
  const char* const value_name = is_patch(asked.change) ? "recovered" : "change";
  std::ostringstream table;
  if (paths != nullptr)
    write_table(table, *paths);
  else
    write_table(table, causes, asked, a, value_name);
  return {paths != nullptr ? arrays_of(*paths) : arrays_of(causes, asked, a, value_name), table.str(),
          about(asked, causes, paths, a, b, keep_sentences).dump()};
}

}  // namespace headscope
