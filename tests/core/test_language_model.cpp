#include "core/base/matrix.h"
#include "core/inputs/names.h"
#include "core/model/effects/logit_contributions.h"
#include "core/model/effects/measure_model.h"
#include "core/model/layer/state_mixer.h"
#include "core/model/run/model_run.h"
#include "core/model/steps/positions.h"
#include "core/model/weights/unread_tensors.h"
#include "tests/support/model_folder.h"
#include "tests/support/model_inputs.h"
#include "tests/support/reference.h"

namespace headscope::tests {
namespace {

// The project's guarantee for float32 against double precision.
constexpr double model_bound = 2e-5;

/// A machine with that many threads.
struct Machine {
  explicit Machine(int count = 2) : threads(count) {}
  ThreadPool threads;
  BufferPool memory;
  ComputeContext context{best_kernels(), threads, memory};
};

class Models : public InFolder {
 protected:
  std::shared_ptr<const LanguageModel> open(const Json& entry) {
    return open(entry["config"], tensors_of(entry));
  }
  std::shared_ptr<const LanguageModel> open(const Json& config, const std::vector<WrittenTensor>& tensors) {
    write_model_folder(folder.path, config, tensors);
    return LanguageModel::open(folder.path.string(), read_config(folder.path.string()), machine.context);
  }
  std::string refusal(const Json& config, const std::vector<WrittenTensor>& tensors) {
    try {
      open(config, tensors);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::shared_ptr<const ModelRun> run(const std::shared_ptr<const LanguageModel>& model,
                                      const ModelInput& input, const ModelChanges& changes = {},
                                      const std::shared_ptr<const ModelRun>& previous = nullptr) {
    return ModelRun::run(model, {input, changes, previous, {}, {}}, machine.context);
  }
  Tensor weights(const LayerQkv& layer) {
    const Index heads = layer.q.dim(0), n_q = layer.q.dim(1), n_k = layer.k.dim(1);
    Tensor maps({heads, n_q, n_k});
    for (Index head = 0; head < heads; ++head)
      layer.rows(head, 0, n_q, maps.at(head), nullptr, machine.context.kernels, machine.memory);
    return maps;
  }

  /// The maps of a layer, of as many heads as `heads`; zeros of those that it lacks.
  Tensor maps_of(const ModelRun& run, BlockKind kind, Index layer, Index heads) {
    const ModelConfig& config = run.model().config();
    if (kind == BlockKind::state || (kind == BlockKind::self && !config.mixers.empty())) {
      const Index n = std::ssize(run.input().ids);
      Tensor maps({heads, n, n});
      std::fill_n(maps.data(), maps.size(), 0.0F);
      if (run.model().attends(kind, layer)) {
        const Tensor own = weights(run.layer_qkv(kind, layer, machine.context));
        std::copy_n(own.data(), own.size(), maps.data());
      } else if (const auto state = run.state_heads(layer, machine.context)) {
        for (Index head = 0; head < state->heads(); ++head) state->rows(head, 0, n, maps.at(head));
      }
      return maps;
    }
    return weights(run.layer_qkv(kind, layer, machine.context));
  }
  /// Maps of a state and what they give have no limit: where they are large, to the digits of float32.
  static double bound_of(const NamedArray& expected) {
    double largest = 1;
    for (const float value : expected.values) largest = std::max(largest, std::abs(double{value}));
    return model_bound * largest;
  }
  /// The map times the values of a layer's state is what the real class gives there, and what the state
  /// gives.
  void expect_state(const StateHeads& state, const Arrays& arrays, const std::string& base) {
    const double bound = bound_of(arrays.at(base + "state_context"));
    const Index n = state.n(), heads = state.heads();
    const Tensor given = state.give(machine.context);
    const Index d_v = given.dim(1) / heads;
    Tensor values({heads, n, d_v}), contexts({heads, n, d_v}), by_maps({heads, n, d_v}), map({n, n});
    for (Index head = 0; head < heads; ++head) {
      const Tensor v = state.values(head);
      std::copy_n(v.data(), v.size(), values.at(head));
      state.rows(head, 0, n, map.data());
      MatrixSpan(by_maps.at(head), n, d_v) = as_matrix(std::as_const(map)) * as_matrix(v);
      MatrixSpan(contexts.at(head), n, d_v) = as_matrix(given).middleCols(head * d_v, d_v);
      for (Index query = 0; query < n; ++query)
        for (Index key = 0; key < n; ++key)
          EXPECT_NEAR(state.cell(head, query, key).value, map.at(query)[key], bound) << query << ", " << key;
    }
    EXPECT_LE(largest_difference(values, arrays.at(base + "state_v")), model_bound);
    EXPECT_LE(largest_difference(contexts, arrays.at(base + "state_context")), bound);
    EXPECT_LE(largest_difference(by_maps, arrays.at(base + "state_context")), bound);
  }

  Machine machine;
};

const char* name_of(BlockKind kind) {
  return to_name(kind);
}

// Every row sums to 1, without a sink, and is 0 where the query cannot see.
void expect_rows(const Tensor& maps, const AttentionRule& rule) {
  for (Index head = 0; head < maps.dim(0); ++head)
    for (Index query = 0; query < maps.dim(1); ++query) {
      const RowView row(maps.at(head) + query * maps.dim(2), maps.dim(2));
      if (rule.sinks.empty())
        EXPECT_NEAR(row.cast<double>().sum(), 1, 1e-6);
      else
        EXPECT_LT(row.cast<double>().sum(), 1);
      const auto [begin, end] = rule.keys(query, maps.dim(2));
      EXPECT_TRUE((row.head(begin) == 0).all() && (row.tail(maps.dim(2) - end) == 0).all());
    }
}

TEST_F(Models, are_what_pytorch_computes) {
  std::map<std::string, Arrays> expected;
  for (const Json& entry : model_cases()) {
    const std::string name = entry["name"], family = entry["config"]["model_type"];
    SCOPED_TRACE(name);
    if (!expected.contains(family)) expected[family] = load("models/" + family + ".npz");
    const Arrays& arrays = expected[family];
    const auto model = open(entry);
    const ModelInput input = input_of(entry);
    const auto result = run(model, input);
    ASSERT_NE(result, nullptr);
    for (const ModelBlock& block : model->blocks()) {
      const std::string base = name + "." + name_of(block.kind) + ".";
      SCOPED_TRACE(base);
      const BlockKind kind = model->in_stack(block.kind, 0).kind;
      const auto attends = [&](Index layer) { return model->attends(kind, block.first + layer); };
      const bool of_stack =
          block.kind != BlockKind::cross && block.kind != BlockKind::state && !is_pooling(block.kind);
      Index last = block.layers - 1, last_state = block.layers - 1;
      while (last > 0 && !attends(last)) --last;
      while (last_state > 0 && attends(last_state)) --last_state;
      for (Index layer = 0; layer < block.layers; ++layer) {
        const auto at = static_cast<std::size_t>(layer);
        const Index in_stack = block.first + layer;
        const Tensor maps = maps_of(*result, kind, in_stack, block.heads);
        EXPECT_LE(largest_difference(maps, arrays.at(base + "attention"), at),
                  attends(layer) ? model_bound : bound_of(arrays.at(base + "attention")))
            << "layer " << layer;
        if (of_stack) {
          EXPECT_LE(largest_difference(result->x(kind, in_stack, machine.memory), arrays.at(base + "x"), at),
                    model_bound);
        }
        if (!attends(layer)) {
          const auto state = result->state_heads(layer, machine.context);
          if (state && layer == last_state) expect_state(*state, arrays, base);
          continue;
        }
        const LayerQkv qkv = result->layer_qkv(kind, in_stack, machine.context);
        expect_rows(weights(qkv), qkv.rule);
        if (layer != last) continue;
        EXPECT_LE(largest_difference(qkv.q, arrays.at(base + "q")), model_bound);
        EXPECT_LE(largest_difference(qkv.k, arrays.at(base + "k")), model_bound);
        EXPECT_LE(largest_difference(qkv.v, arrays.at(base + "v")), model_bound);
      }
      if (of_stack && block.first + block.layers == model->stack(kind).size.layers) {
        EXPECT_LE(largest_difference(result->stream(kind, machine.memory), arrays.at(base + "stream")),
                  model_bound);
      }
    }
    const Index all = std::ssize(input.decoder_ids.empty() ? input.ids : input.decoder_ids);
    const Index n = model->text_rows(input.ids) ? 1 : all;  // all have the same label of the text
    const Tensor logits = result->logits(0, n, machine.context);
    ASSERT_EQ(!logits.empty(), arrays.contains(name + ".logits"));
    if (!logits.empty()) {
      EXPECT_LE(largest_difference(logits, arrays.at(name + ".logits")), model_bound);
    }
  }
}

TEST_F(Models, are_what_the_classes_of_transformers_compute) {
  const Arrays expected = load("models/real_decoders.npz");
  for (const Json& entry : real_decoders()) {
    const std::string name = entry["name"];
    SCOPED_TRACE(name);
    const auto model = open(entry);
    const ModelInput input = input_of(entry);
    const auto result = run(model, input);
    for (Index layer = 0; layer < model->config().decoder.layers; ++layer) {
      const auto at = static_cast<std::size_t>(layer);
      const LayerQkv qkv = result->layer_qkv(BlockKind::self, layer, machine.context);
      EXPECT_LE(largest_difference(weights(qkv), expected.at(name + ".attention"), at), model_bound) << layer;
      EXPECT_LE(
          largest_difference(result->x(BlockKind::self, layer, machine.memory), expected.at(name + ".x"), at),
          model_bound)
          << layer;
    }
    const Index n = model->text_rows(input.ids) ? 1 : std::ssize(input.ids);
    EXPECT_LE(largest_difference(result->logits(0, n, machine.context), expected.at(name + ".logits")),
              model_bound);
    const LanguageModel* const part = model.get();
    EXPECT_EQ(unread_tensors({&part, 1}), std::vector<std::string>());
  }
}

TEST_F(Models, say_what_of_their_files_they_do_not_read) {
  const Json entry = real_decoder("llama-tied-own");
  std::vector<WrittenTensor> tensors = tensors_of(entry);
  const auto add = [&](const std::string& name, const std::vector<std::ptrdiff_t>& shape) {
    tensors.push_back(drawn_tensor(name, name, "F32", shape, 1, 0));
  };
  const auto unread = [&] {
    const auto model = open(entry["config"], tensors);
    const LanguageModel* const part = model.get();
    return unread_tensors({&part, 1});
  };
  // A copy of what is read by another name, and buffers.
  WrittenTensor copy = tensors.front();
  copy.name = "model.copy_of." + copy.name;
  tensors.push_back(copy);
  add("model.layers.0.self_attn.rotary_emb.inv_freq", {2});
  EXPECT_EQ(unread(), std::vector<std::string>());
  add("model.layers.0.mlp.up_proj.bias", {12});
  add("model.layers.1.mlp.up_proj.bias", {12});
  add("extra.weight", {2, 3});
  const auto names = unread();
  EXPECT_EQ(names, (std::vector<std::string>{"extra.weight", "model.layers.0.mlp.up_proj.bias",
                                             "model.layers.1.mlp.up_proj.bias"}));
  EXPECT_EQ(std::string(unread_note(names).what()),
            "3 tensors of the file are not read, so numbers may differ from the original's: extra.weight, "
            "model.layers.#.mlp.up_proj.bias (2)");
}

TEST_F(Models, say_that_they_do_not_read_a_head_of_another_kind) {
  Json entry = model_case("xlnet");
  entry["config"]["architectures"] = {"XLNetForQuestionAnswering"};
  std::vector<WrittenTensor> tensors = tensors_of(entry);
  std::erase_if(tensors, [](const WrittenTensor& tensor) { return tensor.name.starts_with("lm_loss."); });
  const std::string head = "start_logits.dense.weight";
  tensors.push_back(drawn_tensor(head, head, "F32", {1, 24}, 1, 0));
  const auto model = open(entry["config"], tensors);
  const LanguageModel* const part = model.get();
  EXPECT_FALSE(model->head());
  EXPECT_EQ(unread_tensors({&part, 1}), std::vector{head});
}

TEST_F(Models, continue_from_a_run_before_with_what_that_would_give) {
  for (const char* name :
       {"gpt2", "gpt2-unscaled", "mistral", "llama-dynamic", "qwen3", "t5", "marian", "opt-350m", "gpt_neox",
        "gemma2", "gemma3", "gemma3n", "gemma4", "olmo2", "smollm3", "bloom", "falcon-alibi", "qwen2_moe"}) {
    SCOPED_TRACE(name);
    const Json entry = model_case(name);
    const auto model = open(entry);
    ModelInput input = input_of(entry);
    std::vector<Index>& ids = input.decoder_ids.empty() ? input.ids : input.decoder_ids;
    const std::vector<Index> whole = ids;
    ids.resize(2);
    std::shared_ptr<const ModelRun> last = run(model, input);
    const std::shared_ptr<const ModelRun> first = last;
    for (std::size_t n = 3; n <= whole.size(); ++n) {
      ids.assign(whole.begin(), whole.begin() + static_cast<Index>(n));
      last = run(model, input, {}, last);
      // Its rotary base changes with every token beyond the sixth.
      EXPECT_EQ(last->reused(), std::string(name) == "llama-dynamic" && n > 6 ? 0 : n - 1);
    }
    const auto fresh = run(model, input);
    const auto again = run(model, input, {}, first);  // whose rows were already extended
    EXPECT_EQ(again->reused(), std::string(name) == "llama-dynamic" ? 0 : 2);
    const Index n = std::ssize(whole);
    const Tensor expected = fresh->logits(0, n, machine.context);
    for (const auto& other : {last, again}) {
      const Tensor logits = other->logits(0, n, machine.context);
      EXPECT_LE(largest_difference(logits.data(), logits.size(), expected.data()), 1e-5);
    }
    // An earlier edit; and a shorter text, for which all rows remain valid.
    ids[1] = 4;
    EXPECT_EQ(run(model, input, {}, fresh)->reused(), 1);
    ids = whole;
    ids.resize(2);
    const auto shorter = run(model, input, {}, fresh);
    const Tensor few = shorter->logits(0, 2, machine.context);
    EXPECT_LE(largest_difference(few.data(), few.size(), expected.data()),
              std::string(name) == "llama-dynamic" ? INFINITY : 1e-5);
  }
}

TEST_F(Models, give_the_same_bits_for_any_number_of_threads) {
  for (const char* name : {"gpt2", "llama-newer", "t5"}) {
    const Json entry = model_case(name);
    const auto model = open(entry);
    const ModelInput input = input_of(entry);
    const Index n = std::ssize(input.decoder_ids.empty() ? input.ids : input.decoder_ids);
    const Tensor two = run(model, input)->logits(0, n, machine.context);
    Machine other(3);
    const Tensor three =
        ModelRun::run(model, {input, {}, nullptr, {}, {}}, other.context)->logits(0, n, other.context);
    EXPECT_EQ(largest_difference(two.data(), two.size(), three.data()), 0) << name;
  }
}

TEST_F(Models, take_changes_of_their_attention) {
  const Json entry = model_case("gpt2");
  const auto model = open(entry);
  const ModelInput input = input_of(entry);
  const Index n = std::ssize(input.ids), d_k = 6;
  ModelChanges changes;
  AttentionChange change;
  change.temperature = 1e6F;
  change.ablated_heads = {1, 3};
  Mask mask(n, n);
  std::vector<std::uint8_t> blocked(static_cast<std::size_t>(n * n));
  for (Index query = 1; query < n; ++query) blocked[static_cast<std::size_t>(query * n)] = 1;
  mask.set_common(blocked);
  change.mask = std::make_shared<const Mask>(std::move(mask));
  changes.set(BlockKind::self, 1, change);
  const auto changed = run(model, input, changes), plain = run(model, input);

  // Nothing before the layer changes; at a high temperature all keys get the same weight, except for blocked
  // ones.
  const Tensor before = changed->x(BlockKind::self, 1, machine.memory);
  EXPECT_EQ(
      largest_difference(before.data(), before.size(), plain->x(BlockKind::self, 1, machine.memory).data()),
      0);
  const Tensor maps = weights(changed->layer_qkv(BlockKind::self, 1, machine.context));
  for (Index query = 1; query < n; ++query) {
    EXPECT_EQ(maps.at(2)[query * n], 0);
    EXPECT_NEAR(maps.at(2)[query * n + 1], 1.0 / static_cast<double>(query), 1e-4);
  }
  const Tensor context = changed->context(BlockKind::self, 1, machine.context);
  for (Index row = 0; row < n; ++row)
    for (Index column = 0; column < 4 * d_k; ++column)
      EXPECT_EQ(context.at(row)[column] == 0, column / d_k % 2 == 1);
  EXPECT_EQ(run(model, input, changes, changed)->reused(), 0);  // a mask may block earlier tokens

  change = {};
  change.ablated_heads = {2};
  change.off_by = AttentionChange::AblatedHeads::mean;
  changes.set(BlockKind::self, 1, change);
  const Tensor mean = run(model, input, changes)->context(BlockKind::self, 1, machine.context);
  const Tensor whole = plain->context(BlockKind::self, 1, machine.context);
  for (Index column = 0; column < 4 * d_k; ++column) {
    const double average = as_matrix(whole).col(column).cast<double>().mean();
    for (Index row = 0; row < n; ++row)
      EXPECT_NEAR(mean.at(row)[column],
                  column / d_k == 2 ? average : static_cast<double>(whole.at(row)[column]), 1e-6);
  }
}

TEST_F(Models, do_not_predict_tokens_with_a_head_of_another_kind) {
  Json entry = model_case("pegasus");
  ASSERT_TRUE(open(entry)->head());
  entry["config"]["architectures"] = {"PegasusForSequenceClassification"};
  EXPECT_FALSE(open(entry)->head());
}

TEST_F(Models, give_the_last_row_alone) {
  for (const char* name : {"gpt2", "bert", "qwen3", "gpt_neox", "gptj", "gemma2", "olmo2", "granite", "bloom",
                           "mixtral", "albert", "mpnet", "modernbert"}) {
    const Json entry = model_case(name);
    const auto model = open(entry);
    const ModelInput input = input_of(entry);
    const Index n = std::ssize(input.ids);
    const auto whole = run(model, input);
    const auto last = ModelRun::run(model, {input, {}, nullptr, {}, {}, true}, machine.context);
    EXPECT_EQ(whole->first_row(), 0);
    EXPECT_EQ(last->first_row(), n - 1);
    const Tensor expected = whole->logits(n - 1, n, machine.context),
                 found = last->logits(n - 1, n, machine.context);
    EXPECT_LE(largest_difference(found.data(), found.size(), expected.data()), 1e-5) << name;
    // All maps are there.
    const Tensor maps = weights(last->layer_qkv(BlockKind::self, 1, machine.context));
    EXPECT_EQ(largest_difference(maps.data(), maps.size(),
                                 weights(whole->layer_qkv(BlockKind::self, 1, machine.context)).data()),
              0);
  }
}

TEST_F(Models, have_parts_that_add_up_to_a_logit) {
  std::map<std::string, Arrays> expected;
  int defined = 0;
  for (const Json& entry : model_cases()) {
    const std::string name = entry["name"], family = entry["config"]["model_type"];
    SCOPED_TRACE(name);
    const auto model = open(entry);
    if (!model->head()) continue;
    ++defined;
    if (!expected.contains(family)) expected[family] = load("models/" + family + ".npz");
    const NamedArray& logits = expected[family].at(name + ".logits");
    const ModelInput input = input_of(entry);
    const auto result = run(model, input);
    if (model->config().alt_up || model->config().funnel) {
      EXPECT_THROW(logit_contributions(*result, 0, 1, machine.context), Error);
      continue;
    }
    const Index n = std::ssize(input.decoder_ids.empty() ? input.ids : input.decoder_ids);
    const Index vocabulary = logits.shape[1];
    const auto of_text = model->text_rows(input.ids);
    for (const Index position : {of_text ? n - 1 : 0, n - 1})
      for (const Index token : {Index{1} % vocabulary, vocabulary - 1}) {
        const auto parts = *logit_contributions(*result, position, token, machine.context);
        const auto at = static_cast<std::size_t>((of_text ? 0 : position) * vocabulary + token);
        const auto logit = static_cast<double>(logits.values[at]);
        EXPECT_NEAR(parts.sum(), logit, model_bound);
        EXPECT_NEAR(parts.logit, logit, model_bound);
      }
    // A single row of a layer's context equals that of all rows; the output of an ablated head is zero.
    for (const ModelBlock& block : model->blocks()) {
      if (block.kind == BlockKind::encoder) continue;
      const Tensor all = result->context(block.kind, block.layers - 1, machine.context),
                   row = result->context_row(block.kind, block.layers - 1, n - 1, machine.context);
      EXPECT_LE(largest_difference(row.data(), row.size(), all.at(n - 1)), 1e-6);
      ModelChanges changes;
      AttentionChange change;
      change.ablated_heads = {1};
      changes.set(block.kind, 0, change);
      const auto parts =
          *logit_contributions(*run(model, input, changes), n - 1, vocabulary - 1, machine.context);
      const auto& heads = parts.find(block.kind)->heads;
      for (std::size_t layer = 0; layer < heads.size(); ++layer)
        for (std::size_t head = 0; head < heads[layer].size(); ++head)
          EXPECT_EQ(heads[layer][head] == 0, layer == 0 && head == 1);
    }
  }
  EXPECT_GT(defined, 100);
}

TEST_F(Models, have_parts_that_add_what_those_of_the_reference_add) {
  const Arrays expected = load("models/contributions.npz");
  int compared = 0;
  for (const Json& entry : model_cases()) {
    const std::string name = entry["name"];
    if (!expected.contains(name + ".rest")) continue;
    SCOPED_TRACE(name);
    ++compared;
    const auto model = open(entry);
    const auto result = run(model, input_of(entry));
    const bool whole = model->config().output.of_whole();
    const Index n = std::ssize(entry.contains("decoder_ids") ? entry["decoder_ids"] : entry["ids"]);
    const std::pair<Index, Index> questions[] = {{n - 1, Index{1} % model->outputs()},
                                                 {0, model->outputs() - 1}};
    for (std::size_t question = 0; question < std::size(questions); ++question) {
      const auto [position, token] = questions[question];
      const auto parts = *logit_contributions(*result, whole ? 0 : position, token, machine.context);
      const std::size_t layers = parts.feed_forward.size();
      const auto number = [&](const std::string& part, std::size_t at, std::size_t of) {
        return static_cast<double>(expected.at(name + "." + part).values[question * of + at]);
      };
      for (const auto& block : parts.attention)
        for (std::size_t layer = 0; layer < layers; ++layer)
          for (std::size_t head = 0, heads = block.heads[layer].size(); head < heads; ++head)
            EXPECT_NEAR(block.heads[layer][head],
                        number(to_name(block.kind), layer * heads + head, layers * heads), model_bound)
                << to_name(block.kind) << " " << layer << "." << head;
      for (std::size_t layer = 0; layer < layers; ++layer) {
        double biases = parts.feed_forward_bias[layer];
        for (const auto& block : parts.attention) biases += block.bias[layer];
        EXPECT_NEAR(biases, number("biases", layer, layers), model_bound);
        EXPECT_NEAR(parts.feed_forward[layer], number("networks", layer, layers), model_bound);
      }
      EXPECT_NEAR(parts.embedding + parts.position + parts.token_type + parts.embedding_bias,
                  number("rest", 0, 3), model_bound);
      EXPECT_NEAR(parts.convolution, number("rest", 1, 3), model_bound);
      EXPECT_NEAR(parts.norm_bias + parts.output_bias, number("rest", 2, 3), model_bound);
      EXPECT_NEAR(parts.sum(), parts.logit, model_bound);
    }
  }
  EXPECT_EQ(compared, 35);
}

TEST_F(Models, stop_on_request) {
  const Json entry = model_case("t5");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(ModelRun::run(open(entry), {input_of(entry), {}, nullptr, stop.get_token(), {}}, machine.context),
            nullptr);
}

TEST_F(Models, ignore_tensors_that_are_no_weights_and_read_either_end_of_a_tie) {
  const auto logits = [&](const Json& entry, const std::vector<WrittenTensor>& tensors) {
    const auto model = open(entry["config"], tensors);
    return run(model, input_of(entry))->logits(0, 1, machine.context);
  };
  struct Extra {
    const char* model;
    const char* name;
    const char* dtype;
    const char* moved;  ///< from this name to `name`; nullptr: added
  };
  for (const Extra& extra :
       {Extra{"gpt2", "transformer.h.0.attn.bias", "U8", nullptr},
        Extra{"gpt2", "transformer.h.0.attn.masked_bias", "F32", nullptr},
        Extra{"bert", "bert.embeddings.position_ids", "I64", nullptr},
        Extra{"bert", "bert.pooler.dense.weight", "F32", nullptr},
        Extra{"llama2", "model.layers.0.self_attn.rotary_emb.inv_freq", "F32", nullptr},
        Extra{"t5", "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight", "F32", nullptr},
        Extra{"gpt_neox", "gpt_neox.layers.0.attention.bias", "U8", nullptr},
        Extra{"gptj", "transformer.h.0.attn.masked_bias", "F32", nullptr},
        Extra{"gemma3-nested", "vision_tower.vision_model.post_layernorm.weight", "F32", nullptr},
        Extra{"gemma3-nested", "language_model.lm_head.weight", "",
              "language_model.model.embed_tokens.weight"},
        Extra{"gpt2", "lm_head.weight", "", "transformer.wte.weight"},
        Extra{"bert", "cls.predictions.decoder.weight", "", "bert.embeddings.word_embeddings.weight"},
        Extra{"bert", "cls.predictions.decoder.bias", "", "cls.predictions.bias"},
        Extra{"t5", "encoder.embed_tokens.weight", "", "shared.weight"},
        Extra{"marian", "model.encoder.embed_tokens.weight", "", "model.shared.weight"},
        Extra{"llama3", "lm_head.weight", "", "model.embed_tokens.weight"},
        Extra{"electra", "generator_lm_head.weight", "", "electra.embeddings.word_embeddings.weight"},
        Extra{"albert", "predictions.decoder.bias", "", "predictions.bias"},
        Extra{"modernbert", "decoder.weight", "", "model.embeddings.tok_embeddings.weight"}}) {
    SCOPED_TRACE(extra.name);
    const Json entry = model_case(extra.model);
    std::vector<WrittenTensor> tensors = tensors_of(entry);
    const Tensor expected = logits(entry, tensors);
    if (extra.moved == nullptr)
      tensors.push_back({extra.name,
                         extra.dtype,
                         {},
                         std::string(extra.dtype[0] == 'U'   ? 1
                                     : extra.dtype[0] == 'I' ? 8
                                                             : 4,
                                     '\x7f')});
    else
      std::ranges::find(tensors, extra.moved, &WrittenTensor::name)->name = extra.name;
    const Tensor found = logits(entry, tensors);
    EXPECT_EQ(largest_difference(found.data(), found.size(), expected.data()), 0);
  }
}

// In gpt-oss's own files: a byte of two numbers, the lower one first, and a power of two for each 32.
TEST_F(Models, read_experts_in_mxfp4) {
  const Json entry = model_case("gpt_oss");
  constexpr std::array<float, 8> levels{0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  std::vector<WrittenTensor> plain, packed;
  for (const WrittenTensor& tensor : tensors_of(entry)) {
    if (!tensor.name.ends_with("gate_up_proj") && !tensor.name.ends_with("down_proj")) {
      plain.push_back(tensor);
      packed.push_back(tensor);
      continue;
    }
    const std::ptrdiff_t count = tensor.shape[0], in = tensor.shape[1], out = tensor.shape[2];
    std::string blocks(static_cast<std::size_t>(count * out * in / 2), '\0'),
        scales(static_cast<std::size_t>(count * out * in / 32), '\0');
    for (std::size_t i = 0; i < blocks.size(); ++i)
      blocks[i] = static_cast<char>((i * 37 + i / 16 + 11) % 256);
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = static_cast<char>(121 + i % 4);
    std::vector<float> numbers(static_cast<std::size_t>(count * in * out));
    for (std::ptrdiff_t expert = 0; expert < count; ++expert)
      for (std::ptrdiff_t row = 0; row < out; ++row)
        for (std::ptrdiff_t column = 0; column < in; ++column) {
          const auto at = static_cast<std::size_t>((expert * out + row) * in + column);
          const int byte = static_cast<unsigned char>(blocks[at / 2]),
                    code = at % 2 == 0 ? byte % 16 : byte / 16;
          const float size = levels[static_cast<std::size_t>(code % 8)] * (code < 8 ? 1.0F : -1.0F);
          numbers[static_cast<std::size_t>((expert * in + column) * out + row)] =
              std::ldexp(size, static_cast<unsigned char>(scales[at / 32]) - 127);
        }
    plain.push_back({tensor.name, "F32", tensor.shape, bytes_as<float>(numbers)});
    packed.push_back({tensor.name + "_blocks", "U8", {count, out, in / 32, 16}, blocks});
    packed.push_back({tensor.name + "_scales", "U8", {count, out, in / 32}, scales});
  }
  Json config = entry["config"];
  config["quantization_config"] = {{"quant_method", "mxfp4"}, {"modules_to_not_convert", Json::array()}};
  const auto logits = [&](const Json& of, const std::vector<WrittenTensor>& tensors, Index row) {
    return run(open(of, tensors), input_of(entry))->logits(row, row + 1, machine.context);
  };
  for (const Index row : {0, 5}) {
    const Tensor expected = logits(entry["config"], plain, row), found = logits(config, packed, row);
    EXPECT_LE(largest_difference(found.data(), found.size(), expected.data()), 2e-5);
  }
  std::vector<WrittenTensor> spoilt = packed;
  const auto of_scales = [](const WrittenTensor& tensor) { return tensor.name.ends_with("_scales"); };
  std::ranges::find_if(spoilt, of_scales)->bytes[3] = '\xFF';
  EXPECT_THAT(refusal(config, spoilt), HasSubstr("_scales: number 3 is not finite"));
  spoilt = packed;
  std::ranges::find_if(spoilt, of_scales)->dtype = "I8";
  EXPECT_THAT(refusal(config, spoilt), HasSubstr("numbers of type int8; expected uint8"));
  config["quantization_config"]["quant_method"] = "gptq";
  EXPECT_THAT(refusal(config, packed), HasSubstr("quantization_config"));
}

TEST_F(Models, refuse_what_is_missing_or_wrong_by_its_name) {
  for (const char* model : {"gpt2-scaled",
                            "bert",
                            "distilbert",
                            "llama-newer",
                            "t5-gated",
                            "marian",
                            "opt-350m",
                            "gpt_neox",
                            "stablelm-parallel",
                            "gemma3-nested",
                            "olmo2",
                            "phi3",
                            "falcon-newer",
                            "qwen2_moe",
                            "mixtral",
                            "albert-groups",
                            "electra",
                            "mpnet",
                            "modernbert-biased",
                            "bert-text",
                            "electra-replaced",
                            "roberta-text",
                            "modernbert-text",
                            "llama-text"}) {
    const Json entry = model_case(model);
    const std::vector<WrittenTensor> whole = tensors_of(entry);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const std::string& name = whole[i].name;
      SCOPED_TRACE(name);
      // One layer's are enough; biases of the vocabulary may be left out.
      const bool optional =
          name.ends_with("predictions.bias") || name.ends_with("projector.bias") ||
          name == "final_logits_bias" || name.ends_with("classifier.bias") ||
          name.ends_with("out_proj.bias") || name.ends_with("prediction.bias") ||
          name.ends_with("lm_head.bias") || name == "decoder.bias" ||
          name.starts_with("model.layers.0.attn_norm") ||  // ModernBERT has none
          // T5 is always tied: either table stands for the other.
          (entry["config"]["model_type"] == "t5" && (name == "shared.weight" || name == "lm_head.weight"));
      if (optional || name.find("r.0.") != std::string::npos || name.find("h.0.") != std::string::npos)
        continue;
      std::vector<WrittenTensor> tensors = whole;
      tensors[i].name = "another";
      EXPECT_THAT(refusal(entry["config"], tensors),
                  HasSubstr("model.safetensors: " + name.substr(0, name.rfind('.')) +
                            (name.ends_with("gamma")  ? ".weight"
                             : name.ends_with("beta") ? ".bias"
                                                      : name.substr(name.rfind('.'))) +
                            ": the tensor is missing"));
    }
  }
  struct Wrong {
    const char* model;
    const char* tensor;
    void (*spoil)(WrittenTensor&);
    const char* expected;
  };
  const auto longer = [](WrittenTensor& tensor) {
    tensor.shape.insert(tensor.shape.begin(), 2);
    tensor.bytes += tensor.bytes;
  };
  const auto rotated = [](WrittenTensor& tensor) { std::ranges::reverse(tensor.shape); };
  const auto nan = [](WrittenTensor& tensor) { tensor.bytes.replace(2, 2, "\x80\xff"); };
  const auto infinity = [](WrittenTensor& tensor) {
    tensor.bytes.replace(8, 4, std::string("\0\0\x80\x7f", 4));
  };
  const auto whole_numbers = [](WrittenTensor& tensor) { tensor.dtype = "I32"; };
  for (const Wrong& wrong :
       {Wrong{"gpt2", "transformer.h.1.attn.c_attn.weight", rotated,
              "shape is [72, 24]; expected [24, 72], by config.json and its defaults"},
        Wrong{"gpt2", "transformer.wte.weight", longer,
              "shape is [2, 50, 24]; expected [50, 24], by config.json and its defaults"},
        Wrong{"bert", "bert.encoder.layer.0.output.LayerNorm.gamma", longer,
              "shape is [2, 24]; expected [24], by config.json and its defaults"},
        Wrong{"llama2", "model.layers.1.self_attn.v_proj.weight", whole_numbers, "numbers of type int32"},
        Wrong{"llama-newer", "model.layers.1.mlp.up_proj.weight", nan, "number 1 is not finite"},
        Wrong{"t5", "decoder.block.1.layer.2.layer_norm.weight", infinity, "number 2 is not finite"},
        Wrong{"distilbert-bare", "embeddings.position_embeddings.weight", nan, "number 1 is not finite"}}) {
    const Json entry = model_case(wrong.model);
    std::vector<WrittenTensor> tensors = tensors_of(entry);
    wrong.spoil(*std::ranges::find(tensors, wrong.tensor, &WrittenTensor::name));
    EXPECT_THAT(refusal(entry["config"], tensors),
                HasSubstr(fmt::format("model.safetensors: {}: {}", wrong.tensor, wrong.expected)));
  }
}

// Its class takes them from the file, where there are any.
TEST_F(Models, of_esm_with_rounded_rotary_frequencies_are_refused) {
  const Json entry = model_case("esm");
  std::vector<WrittenTensor> tensors = tensors_of(entry);
  const std::string name = "esm.encoder.layer.*.attention.self.rotary_embeddings.inv_freq";
  tensors.push_back({name, "F32", {3}, std::string(12, '\0')});
  EXPECT_EQ(refusal(entry["config"], tensors), "");
  tensors.back() = {name, "BF16", {3}, std::string(6, '\0')};
  EXPECT_THAT(refusal(entry["config"], tensors),
              HasSubstr("model.safetensors: " + name + ": rotary frequencies of type bfloat16; expected "));
}

TEST_F(Models, refuse_texts_that_they_cannot_take) {
  struct Refused {
    const char* model;
    std::vector<Index> ids;
    const char* expected;
  };
  for (const Refused& refused :
       {Refused{"gpt2", std::vector<Index>(33, 1), "33 tokens; this model has positions for at most 32"},
        Refused{"roberta", std::vector<Index>(31, 5), "31 tokens; this model has positions for at most 30"},
        Refused{"gpt2", {3, 50}, "token id 50 is outside of the model's vocabulary of 50"},
        Refused{"gpt2", {3, -1}, "token id -1"}, Refused{"gpt2", {}, "at least one token"},
        Refused{"funnel",
                {3},
                "the text has a length of 1, too short to be pooled for every block; expected at least 5"},
        Refused{"funnel",
                {3, 5, 4},
                "the text has a length of 3, too short to be pooled for every block; expected at least 5"}}) {
    const auto model = open(model_case(refused.model));
    try {
      run(model, {refused.ids, {}, {}});
      FAIL() << refused.expected;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(refused.expected));
    }
  }
  // Others continue: rotary, relative and computed positions are unlimited. A padding token has no position.
  EXPECT_NE(run(open(model_case("llama2")), {std::vector<Index>(100, 1), {}, {}}), nullptr);
  EXPECT_NE(run(open(model_case("t5")), {std::vector<Index>(100, 1), {}, {0}}), nullptr);
  EXPECT_NE(run(open(model_case("marian")), {std::vector<Index>(100, 1), {}, {49}}), nullptr);
  EXPECT_NE(run(open(model_case("roberta")), {std::vector<Index>(100, 1), {}, {}}), nullptr);
}

TEST_F(Models, are_timed) {
  open(model_case("llama2"));
  const ModelTimes times = measure_model(folder.path.string(), machine.context);
  for (const double time : {times.load_ms, times.prefill_128_ms, times.prefill_1024_ms, times.next_token_ms})
    EXPECT_GT(time, 0);
  open(model_case("gpt2"));  // of 32 positions
  EXPECT_EQ(measure_model(folder.path.string(), machine.context).next_token_ms, 0);
  open(model_case("bert"));
  try {
    measure_model(folder.path.string(), machine.context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("BERT does not continue a text"));
  }
}

TEST(RelativeBuckets, are_exact_where_near_and_logarithmic_where_far) {
  // From torch, with 32 buckets up to distance 128.
  const std::vector<std::array<Index, 3>> cases{
      {0, 0, 0},     {1, 17, 0},     {-1, 1, 1},     {7, 23, 0},      {-7, 7, 7},    {-8, 8, 8},
      {-11, 8, 11},  {-12, 9, 12},   {-15, 9, 15},   {-16, 10, 16},   {-22, 10, 18}, {-32, 12, 21},
      {-64, 14, 26}, {-127, 15, 31}, {-128, 15, 31}, {-1000, 15, 31}, {1000, 31, 0}};
  for (const auto& [distance, two_sided, one_sided] : cases) {
    EXPECT_EQ(relative_bucket(distance, true, 32, 128), two_sided) << distance;
    EXPECT_EQ(relative_bucket(distance, false, 32, 128), one_sided) << distance;
  }
}

}  // namespace

TEST_F(Models, take_a_tensor_under_two_names_only_where_both_hold_the_same) {
  const Json entry = model_case("gpt2");
  std::vector<WrittenTensor> tensors = tensors_of(entry);
  WrittenTensor twin = tensors.front();
  constexpr std::string_view prefix = "transformer.";
  const bool prefixed = twin.name.starts_with(prefix);
  twin.name = prefixed ? twin.name.substr(prefix.size()) : std::string(prefix) + twin.name;
  tensors.push_back(twin);
  EXPECT_EQ(refusal(entry["config"], tensors), "");
  tensors.back().bytes.back() ^= 1;
  EXPECT_THAT(refusal(entry["config"], tensors),
              AllOf(HasSubstr("the same tensor as "), HasSubstr("with other numbers"),
                    HasSubstr(tensors.front().name)));
}

}  // namespace headscope::tests
