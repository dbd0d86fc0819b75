#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/statistics.h"
#include "core/figure/canvas/patch_picture.h"
#include "core/io/decode.h"
#include "core/picture/picture.h"
#include "core/scene/range.h"
#include "core/scene/score_summary.h"
#include "core/source/capture/capture_source.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/cell_maps.h"
#include "core/source/write/write_arrays.h"
#include "tests/support/inputs.h"
#include "tests/support/model_files.h"
#include "tests/support/printed_sums.h"
#include "tests/support/read_arrays.h"
#include "tests/support/traces.h"

namespace headscope::tests {

std::string capture_file(const std::string& name) {
  return fmt::format("{}/fuzz/capture/{}", TEST_DATA_DIR, name);
}

Inputs inputs_of_capture(const std::string& path, int sequence = 0) {
  Inputs inputs;
  inputs.capture = path;
  inputs.sequence = sequence;
  return inputs;
}

std::shared_ptr<const Trace> trace_of_capture(const std::string& path, int sequence = 0) {
  return Engine(1).run(inputs_of_capture(path, sequence));
}

std::string capture_complaint(const std::string& path, int sequence = 0) {
  return complaint([&] { trace_of_capture(path, sequence); });
}

std::vector<std::string> warnings_of(const Trace& trace) {
  const auto warning = trace.blocks.front().maps->warning();
  return warning ? std::vector<std::string>{warning->what()} : std::vector<std::string>();
}

std::vector<float> floats_of(const Tensor& tensor) {
  return {tensor.data(), tensor.data() + tensor.size()};
}

TEST(Capture, has_the_same_maps_in_every_type_and_packing) {
  const auto expected = read_arrays(capture_file("plain.npz")).at("attention").values;
  for (const char* name : {"plain.npz", "packed.npz", "half.npz", "big_endian.npz", "double.npz",
                           "brain.safetensors", "all.safetensors"}) {
    SCOPED_TRACE(name);
    const auto trace = trace_of_capture(capture_file(name));
    const BlockTrace& block = trace->blocks.front();
    EXPECT_EQ(block.shape.layers, 2);
    EXPECT_EQ(block.shape.heads, 3);
    EXPECT_EQ(block.shape.kind, BlockKind::self);
    EXPECT_EQ(block.tokens[1].text, "cat");
    EXPECT_FALSE(block.maps->warning() || block.maps->error());
    std::vector<float> all;
    for (int layer = 0; layer < 2; ++layer) {
      const std::vector<float> maps = floats_of(weights(*trace, layer));
      all.insert(all.end(), maps.begin(), maps.end());
    }
    EXPECT_EQ(all, expected);
    EXPECT_EQ(block.maps->weight(1, 2, 3, 4), expected[((1 * 3 + 2) * 5 + 3) * 5 + 4]);
    EXPECT_NE(block_statistics(block, std::nullopt), nullptr);
  }
}

TEST(Capture, reports_what_is_compressed) {
  const auto notes = [](const char* name) { return CaptureSource::open(capture_file(name))->notes(0); };
  EXPECT_THAT(notes("plain.npz"), IsEmpty());
  ASSERT_THAT(notes("packed.npz"), SizeIs(1));
  EXPECT_THAT(std::string(notes("packed.npz").front().what()), HasSubstr("were unpacked into memory"));
}

TEST(Capture, has_tokens_as_strings_of_numpy) {
  const auto texts = [](const char* name, int sequence) {
    const auto trace = trace_of_capture(capture_file(name), sequence);
    std::vector<std::string> list;
    for (const Token& token : trace->blocks.front().tokens) list.push_back(token.text);
    return list;
  };
  EXPECT_THAT(texts("strings.npz", 0), ElementsAre("the", "猫"));
  EXPECT_THAT(texts("strings.npz", 1), ElementsAre("a", "dog", "barks"));
  EXPECT_THAT(texts("bytes.npz", 0), ElementsAre("the", "cat", "sat", "on", "mats"));
}

TEST(Capture, strings_that_are_no_text_are_refused) {
  const ArrayHeader wide{"<U1", {2}, false, false}, narrow{"|S2", {2}, false, false};
  const std::string character("a\0\0\0", 4);
  EXPECT_THAT(decode_texts(wide, character + std::string(4, '\0'), "f"), ElementsAre("a", ""));
  EXPECT_THAT(decode_texts(narrow, std::string("a\0bc", 4), "f"), ElementsAre("a", "bc"));
  for (const char* wrong : {"\xFF\xFF\xFF\x7F", "\0\0\x11\0", "\0\xD8\0\0"})
    EXPECT_EQ(complaint([&] { decode_texts(wide, character + std::string(wrong, 4), "f"); }),
              "f: string 1 is not Unicode; expected text");
  EXPECT_EQ(complaint([&] {
              decode_texts(narrow,
                           "a\xFF"
                           "bc",
                           "f");
            }),
            "f: string 0 is not Unicode; expected text");
  EXPECT_THAT(complaint([&] {
                data_bytes({"|O", {2}, false, false}, "f");
              }),
              StartsWith("f: Python objects"));
  EXPECT_FALSE(text_item_bytes("<U0")) << "of which no number takes any bytes";
  EXPECT_FALSE(text_item_bytes("<U99999999999") || text_item_bytes("<U") || text_item_bytes("<Ux"));
}

TEST(Capture, cuts_off_what_fills_a_shorter_sequence_up) {
  const auto first = trace_of_capture(capture_file("several.npz"), 0),
             second = trace_of_capture(capture_file("several.npz"), 1);
  EXPECT_THAT(floats_of(weights(*first, 0)), ElementsAre(0.5, 0.5, 0.5, 0.5));
  EXPECT_THAT(floats_of(weights(*second, 0)), ElementsAre(1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5));
  EXPECT_EQ(second->blocks.front().tokens[2].text, "barks");
  EXPECT_EQ(capture_complaint(capture_file("several.npz"), 2), "sequence is 2; expected 0 to 1");
}

TEST(Capture, has_the_blocks_of_an_encoder_decoder) {
  const auto trace = trace_of_capture(capture_file("blocks.npz"));
  ASSERT_THAT(trace->blocks, SizeIs(3));
  const BlockTrace& cross = trace->blocks[2];
  EXPECT_EQ(cross.shape.kind, BlockKind::cross);
  EXPECT_EQ(cross.n_q(), 4);
  EXPECT_EQ(cross.n_k(), 3);
  EXPECT_EQ(cross.key_tokens[0].text, "a");
  EXPECT_TRUE(cross.maps->score(1, 1, 3, 2));
  EXPECT_FALSE(trace->blocks[0].maps->score(0, 0, 0, 0));
}

TEST(Capture, gives_what_the_file_has_next_to_the_maps) {
  const std::string path = capture_file("all.safetensors");
  const auto arrays = read_arrays(path);
  const auto trace = trace_of_capture(path);
  const BlockTrace& block = trace->blocks.front();
  EXPECT_EQ(block.shape.kv_heads, 1);
  EXPECT_EQ(block.shape.d_k, 4);
  EXPECT_EQ(block.shape.d_model, 6);
  const LayerTrace layer = block.layer(1);
  const std::pair<const char*, const Tensor*> parts[] = {{"q", &layer.q},
                                                         {"k", &layer.k},
                                                         {"v", &layer.v},
                                                         {"layer_x", &layer.x},
                                                         {"context", &layer.context},
                                                         {"output", &layer.output}};
  for (const auto& [name, tensor] : parts) {
    const std::vector<float>& all = arrays.at(name).values;
    ASSERT_EQ(static_cast<std::size_t>(tensor->size()) * 2, all.size()) << name;
    EXPECT_TRUE(std::equal(tensor->data(), tensor->data() + tensor->size(), all.begin() + tensor->size()))
        << name;
  }
  // Writing it again keeps everything; a file with only maps keeps only them.
  const TempFolder folder;
  write_arrays(folder.at("again.npz"), *trace, {}, "");
  const auto again = read_arrays(folder.at("again.npz"));
  for (const auto& [name, array] : arrays) {
    ASSERT_TRUE(again.contains(name)) << name;
    if (name == "tokens") continue;  // white space may differ
    EXPECT_EQ(again.at(name).values, array.values) << name;
  }
  write_arrays(folder.at("plain.npz"), *trace_of_capture(capture_file("plain.npz")), {}, "");
  std::vector<std::string> names;
  for (const ArrayInfo& array : list_arrays(folder.at("plain.npz"))) names.push_back(array.name);
  EXPECT_THAT(names, ElementsAre("attention", "tokens", "key_tokens"));
}

TEST(Capture, opens_what_headscope_wrote) {
  const TempFolder folder;
  for (const char* text :
       {R"("sentence": "the cat sat", "d_model": 8, "heads": 4, "layers": 2)",
        R"("sentence": "the cat", "key_sentence": "on mats here", "d_model": 8, "heads": 4)"}) {
    const auto trace = Engine(1).run(inputs_of(text));
    for (const char* name : {"a.npz", "a.safetensors"}) {
      SCOPED_TRACE(name);
      write_arrays(folder.at(name), *trace, {}, "");
      const auto again = trace_of_capture(folder.at(name));
      EXPECT_EQ(floats_of(weights(*again, 0)), floats_of(weights(*trace, 0)));
      EXPECT_EQ(floats_of(scores(*again, 0)), floats_of(scores(*trace, 0)));
      EXPECT_EQ(again->blocks.front().shape.kind, trace->blocks.front().shape.kind);
    }
  }
}

TEST(Capture, refuses_what_is_no_weight_and_reports_other_sums) {
  for (const auto& [name, value] :
       {std::pair{"nan",
                  "NaN in a row with other numbers; expected a weight, or a row that is NaN "
                  "throughout: a query with no key"},
        {"infinite", "inf; expected a weight, a number of at least 0"},
        {"negative", "-0.25; expected a weight, a number of at least 0"}})
    EXPECT_THAT(capture_complaint(capture_file(name + std::string(".npz"))),
                AllOf(EndsWith(fmt::format("attention[1, 2, 3, 4] is {}", value)), HasSubstr(".npz: ")));
  EXPECT_THAT(
      warnings_of(*trace_of_capture(capture_file("off.npz"))),
      ElementsAre("rows of weights that do not sum to 1: 1 of 30; the first is attention[1, 0, 3]: 0.5"));
}

/// As PyTorch's own attention gives them: tests/data/make_no_key_captures.py.
TEST(Capture, a_head_with_no_key_has_no_weights) {
  const auto trace = trace_of_capture(capture_file("no_key_head.npz"));
  const BlockTrace& block = trace->blocks.front();
  EXPECT_THAT(warnings_of(*trace), ElementsAre("queries with no key to attend to: 5 of 15; the first is "
                                               "attention[0, 2, 0]: its weights are 0"));
  const std::vector<float> maps = floats_of(weights(*trace, 0));
  EXPECT_THAT(std::vector(maps.begin() + 50, maps.end()), testing::Each(0.0F));
  EXPECT_NEAR(std::accumulate(maps.begin(), maps.end(), 0.0), 10, 1e-5);
  EXPECT_THAT(block.mask_of(0).empty_queries(2), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_FALSE(block.mask_of(0).any(0) || block.mask_of(0).any(1));
  EXPECT_TRUE(block.weightless(0, 2, 1, 3) && !block.weightless(0, 1, 1, 3));
  EXPECT_EQ(row_sums(block, 0)->empty, 5);
  EXPECT_TRUE(block.computed_layers->rule(0, 0, 0).by_sqrt_d_k);
  const Translator tr(Language::en);
  for (const int head : {0, 2}) EXPECT_FALSE(score_summary(tr, block, {0, head, 1, 3}).empty());
  EXPECT_FALSE(error_of(*trace));
}

TEST(Capture, padded_queries_have_no_key_in_any_layer) {
  const auto trace = trace_of_capture(capture_file("no_key_padding.npz"));
  const BlockTrace& block = trace->blocks.front();
  EXPECT_THAT(warnings_of(*trace), ElementsAre("queries with no key to attend to: 12 of 30; the first is "
                                               "attention[0, 0, 0]: its weights are 0"));
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < 3; ++head)
      EXPECT_THAT(block.mask_of(layer).empty_queries(head), ElementsAre(0, 1));
    EXPECT_TRUE(block.weightless(layer, 0, 2, 4)) << "a later key has no weight in any head";
    EXPECT_FALSE(block.weightless(layer, 0, 4, 2));
    const Tensor x = block.layer(layer).x;
    EXPECT_TRUE(finite(x));
    EXPECT_EQ(x.at(1)[0] == 0, layer == 1);
  }
  EXPECT_FALSE(error_of(*trace));
}

/// A file with one array for each of these headers, with that many bytes.
class CaptureClaims : public InFolder {
 protected:
  std::string complaint_of(const std::vector<StoredTensor>& tensors) const {
    write_bytes(at("c.safetensors"), safetensors_bytes(tensors));
    const std::string text = capture_complaint(at("c.safetensors"));
    return text.starts_with(at("")) ? text.substr(at("").size()) : text;
  }
  static StoredTensor map_of(const std::string& shape, int cells) {
    return {"attention", "F32", shape, std::string(static_cast<std::size_t>(4 * cells), '\0')};
  }
  static StoredTensor words(const std::string& json, const std::string& name = "tokens") {
    return {name, "U8", fmt::format("[{}]", json.size()), json};
  }
};

TEST_F(CaptureClaims, are_held_against_each_other) {
  const StoredTensor one = map_of("[1,1,2,2]", 4), two_words = words(R"(["a","b"])");
  const auto integers = [&](const char* type, int bytes) {
    return StoredTensor{"attention", type, "[1,1,2,2]",
                        std::string(static_cast<std::size_t>(4 * bytes), '\0')};
  };
  const std::pair<std::vector<StoredTensor>, std::string> cases[] = {
      {{two_words}, "not a capture: it has no array attention"},
      {{map_of("[4]", 4), two_words}, "shape [4]; expected [layers, heads, n_q, n_k], ["},
      {{one, {"tokens", "I64", "[1,1,2]", std::string(16, '\0')}}, "shape [1, 1, 2]; expected [tokens], ["},
      {{one, {"tokens", "I64", "[3]", std::string(24, '\0')}}, "n_q is 2, but the number of tokens is 3"},
      {{one, {"tokens", "I64", "[2,2]", std::string(32, '\0')}}, "tokens of 2 sequences; expected 1"},
      {{map_of("[1,1,0,2]", 0), two_words}, "n_q is 0; expected 1 to 65536"},
      {{map_of("[5000,1,1,1]", 5000), words(R"(["a"])")}, "layers is 5000; expected 1 to 1000"},
      {{integers("I32", 4), two_words}, "numbers of type int32; expected float32"},
      {{one, words(R"(["a"])")}, "n_q is 2, but the number of tokens is 1; expected the same"},
      {{one, words(R"(["a", 3])")}, "tokens: 3; expected a list of strings"},
      {{one, words(R"({"a": 3})")}, "expected a list of strings"},
      {{one, words("[]")}, "there are no tokens"},
      {{one, words("nonsense")}, "not JSON"},
      {{one, words(R"([["a","b"],["c"]])")}, "tokens of 2 sequences; expected 1"},
      {{one, {"tokens", "F32", "[1]", "abcd"}}, "numbers of type float32; expected uint8"},
      {{one, two_words, {"scores", "F32", "[1,1,2,1]", std::string(8, '\0')}},
       "scores: shape [1, 1, 2, 1]; expected [layers, heads, n_q, n_k]"},
      {{one,
        two_words,
        {"q", "F32", "[1,1,2,2]", std::string(16, '\0')},
        {"k", "F32", "[1,1,2,1]", std::string(8, '\0')}},
       "k: shape [1, 1, 2, 1]; expected [layers, kv_heads, n_k, d_k]"},
      {{one, two_words, {"w_o", "F32", "[2,1,1]", std::string(8, '\0')}},
       "w_o: shape [2, 1, 1]; expected [layers, d_model, heads d_k]"},
      {{one, two_words, {"encoder_attention", "F32", "[1,1,2,2]", std::string(16, '\0')}},
       "there are attention and encoder_attention; expected one of them"},
      {{one, two_words, words(R"({"patch_rows": 2})", "metadata")}, "metadata.patch_columns is missing"},
      {{one, two_words, words(R"({"patch_rows": 2, "patch_columns": 2})", "metadata")},
       "the grid of patches is 2 × 2, the first at 0; expected to end before 2"},
      {{one, two_words, words(R"({"patch_rows": -2, "patch_columns": 2})", "metadata")},
       "metadata.patch_rows is -2; expected a whole number from 1 to 65536"},
      {{one, two_words, words(R"({"patch_rows": 1, "patch_columns": 2, "picture": "../a.png"})", "metadata")},
       "c.safetensors: metadata.picture is \"../a.png\"; expected a .png, .jpg or .webp file in the "
       "capture's folder"},
      {{one, two_words, words(R"({"patch_rows": 1, "patch_columns": 2, "picture": "a.gif"})", "metadata")},
       "expected a .png, .jpg or .webp file"},
      {{one, two_words, words("[1]", "metadata")}, "metadata is [1]; expected an object"}};
  for (const auto& [tensors, part] : cases) EXPECT_THAT(complaint_of(tensors), HasSubstr(part));
  EXPECT_THAT(capture_complaint(capture_file("fortran.npz")), HasSubstr("in Fortran's order; expected C's"));
}

TEST_F(CaptureClaims, a_flipped_bit_in_an_archive_is_found_by_its_checksum) {
  // Inside the numbers of `attention`, which comes first in both.
  for (const auto& [name, place] : {std::pair("plain.npz", 700), std::pair("packed.npz", 250)}) {
    std::string bytes = read_file(capture_file(name));
    bytes.at(place) ^= 1;
    write_file(at("c.npz"), [&](std::ostream& out) { out << bytes; });
    EXPECT_THAT(capture_complaint(at("c.npz")), HasSubstr("c.npz: attention: damaged")) << name;
  }
}

TEST_F(CaptureClaims, what_is_not_in_the_file_is_assumed_and_reported) {
  const std::string quarter("\0\0\x80\x3E", 4), word = R"(["a","b","c","d"])";
  const auto maps = [&](const std::string& shape, int cells, const std::string& name = "attention") {
    StoredTensor tensor{name, "F32", shape, ""};
    for (int i = 0; i < cells; ++i) tensor.data += quarter;
    return tensor;
  };
  const StoredTensor ids{"tokens", "I64", "[4]", std::string(32, '\7')},
      ids_of_batch{"tokens", "I32", "[1,4]", std::string(16, '\7')};
  struct Case {
    std::vector<StoredTensor> tensors;
    int heads;
    std::string tokens, note;
  };
  const Case cases[] = {
      {{maps("[1,2,4,4]", 32)}, 2, "1 2 3 4", "there is no array tokens; the tokens are shown as 1 to 4"},
      {{maps("[1,2,4,4]", 32), ids}, 2, "1 2 3 4", "integers without a vocabulary; expected strings"},
      {{maps("[1,2,4,4]", 32), ids_of_batch}, 2, "1 2 3 4", "convert_ids_to_tokens"},
      {{maps("[1,2,4,4]", 32), words("[5,6,7,-8]")}, 2, "1 2 3 4", "integers without a vocabulary"},
      {{maps("[2,4,4]", 32), words(word)}, 2, "a b c d", "shape [2, 4, 4] is read as [heads, n_q, n_k]"},
      {{maps("[2,4,4]", 32), words(word)}, 2, "a b c d", "average_attn_weights=False"},
      {{maps("[4,4]", 16), words(word)}, 1, "a b c d", "average_attn_weights=False"}};
  for (const auto& [tensors, heads, expected, note] : cases) {
    SCOPED_TRACE(note);
    write_bytes(at("c.safetensors"), safetensors_bytes(tensors));
    const auto trace = trace_of_capture(at("c.safetensors"));
    const BlockTrace& block = trace->blocks.front();
    EXPECT_EQ(block.shape.layers, 1);
    EXPECT_EQ(block.shape.heads, heads);
    std::vector<std::string> texts;
    for (const Token& token : block.tokens) texts.push_back(token.text);
    EXPECT_EQ(fmt::format("{}", fmt::join(texts, " ")), expected);
    EXPECT_EQ(block.maps->weight(0, heads - 1, 3, 3), 0.25F);
    const std::vector<Error> notes = trace->source->notes(0);
    ASSERT_THAT(notes, SizeIs(1));
    EXPECT_THAT(notes.front().what(), HasSubstr(note));
  }
}

TEST_F(CaptureClaims, other_arrays_are_without_the_axes_that_attention_is_without) {
  const StoredTensor vectors{"q", "F32", "[2,2,1]", std::string(16, '\0')},
      stream{"layer_x", "F32", "[2,3]", std::string(24, '\0')};
  StoredTensor keys = vectors;
  keys.name = "k";
  write_bytes(at("c.safetensors"),
              safetensors_bytes({map_of("[2,2,2]", 8), words(R"(["a","b"])"), vectors, keys, stream}));
  const auto trace = trace_of_capture(at("c.safetensors"));
  const LayerTrace layer = trace->blocks.front().computed_layers->layer(0);
  EXPECT_THAT(layer.q.shape(), ElementsAre(2, 2, 1));
  EXPECT_THAT(layer.x.shape(), ElementsAre(2, 3));
}

TEST_F(CaptureClaims, queries_and_keys_without_texts_are_numbered_each) {
  write_bytes(at("c.safetensors"),
              safetensors_bytes({{"cross_attention", "F32", "[1,1,2,3]", std::string(24, '\0')}}));
  const auto trace = trace_of_capture(at("c.safetensors"));
  const BlockTrace& block = trace->blocks.front();
  EXPECT_EQ(block.shape.kind, BlockKind::cross);
  EXPECT_EQ(block.tokens.back().text, "2");
  EXPECT_EQ(block.key_tokens.back().text, "3");
}

/// A capture of a seeded layer's arrays, limited to these; empty: all.
class CaptureArithmetic : public InFolder {
 protected:
  std::shared_ptr<const Trace> captured(const std::string& fields, const std::set<std::string>& names = {}) {
    created_ = Engine(1).run(
        sized(5, 8, 4, R"("kv_heads": 2, "layers": 2)" + (fields.empty() ? "" : ", " + fields)));
    ArraySelection selection;
    selection.names = names;
    write_arrays(at("a.npz"), *created_, selection, "");
    return trace_of_capture(at("a.npz"));
  }
  static std::string stages_of(const Trace& trace) {
    return fmt::format("{}", fmt::join(present_stages(trace, trace.blocks.front(), 0), " "));
  }
  static std::string left_out_of(const Trace& trace) { return left_out(trace.blocks.front(), Translator()); }
  std::shared_ptr<const Trace> created_;
};

TEST_F(CaptureArithmetic, has_the_numbers_of_the_run_that_it_was_computed_from) {
  for (const std::set<std::string>& names :
       {std::set<std::string>{}, {"attention", "tokens", "q", "k", "v"}}) {
    const auto trace = captured(R"("mask": "causal")", names);
    EXPECT_EQ(stages_of(*trace),
              names.empty() ? "x products scale softmax values" : "products scale softmax values");
    EXPECT_THAT(left_out_of(*trace), EndsWith("from q and k to Σ w v; the rest is left out."));
    const BlockTrace &block = trace->blocks.front(), &own = created_->blocks.front();
    for (const CellPlace& place : {CellPlace{0, 0, 0, 0}, {1, 3, 4, 2}, {1, 1, 2, 4}}) {
      const CellArithmetic a = cell_arithmetic(*trace, block, place),
                           b = cell_arithmetic(*created_, own, place);
      EXPECT_EQ(a.products, b.products);
      EXPECT_EQ(a.scale, b.scale);
      EXPECT_EQ(a.kv_head, b.kv_head);
      EXPECT_NEAR(a.score, b.score, 1e-6);
      EXPECT_LT((a.weights - b.weights).cwiseAbs().maxCoeff(), 1e-6);
      EXPECT_LT((a.exponentials / a.row_sum - b.weights).cwiseAbs().maxCoeff(), 1e-6)
          << "without the blocked";
      EXPECT_LT((a.weighted_values - b.weighted_values).cwiseAbs().maxCoeff(), 1e-6);
      EXPECT_LT((a.context - b.context).cwiseAbs().maxCoeff(), 1e-6F);
      EXPECT_EQ(a.x.size(), names.empty() ? 8 : 0);
      EXPECT_EQ(a.output.size() + a.concat.size(), 0);
    }
    EXPECT_FALSE(block.maps->error());
    for (int layer = 0; layer < block.layer_count(); ++layer)
      for (int head = 0; head < block.heads(); ++head)
        for (int cell = 0; cell < block.n_q() * block.n_k(); ++cell) {
          const Index query = cell / block.n_k(), key = cell % block.n_k();
          EXPECT_EQ(block.weightless(layer, head, query, key), own.weightless(layer, head, query, key));
        }
    const auto ranges = color_ranges(*filter_layer(first_block(trace), 0, {}), {});
    EXPECT_EQ(ranges[0].low, color_ranges(*filter_layer(first_block(created_), 0, {}), {})[0].low);
    EXPECT_LT(ranges[0].high, 1) << "the first row's only key does not count";
    for (const ArithmeticStage& stage : arithmetic_stages(*trace, block, {1, 3, 4, 2}, {}, Translator()))
      for (const StagePart& part : stage.parts)
        if (const auto* terms = std::get_if<StageTerms>(&part)) expect_terms(*terms, stage.name);
    EXPECT_FALSE(score_summary(Translator(), block, {1, 3, 4, 2}).empty());
  }
}

TEST_F(CaptureArithmetic, with_w_o_has_the_norms_of_the_run) {
  const auto without = captured("");
  EXPECT_NE(missing_for_cells(*without, without->blocks.front(), CellValue::norm), nullptr);
  TraceArrays arrays = trace_arrays(*created_, {});
  std::vector<double> w_o;
  for (int layer = 0; layer < 2; ++layer) {
    const Tensor weight = created_->source->output_projection(BlockKind::self, layer)->weight;
    w_o.insert(w_o.end(), weight.data(), weight.data() + weight.size());
  }
  arrays.add("w_o", {2, 8, 8}, w_o);
  write_arrays(at("b.npz"), arrays, {}, "");
  const auto trace = trace_of_capture(at("b.npz"));
  const auto found = with_cells(trace, BlockKind::self, {CellValue::norm, 0, {}}),
             expected = with_cells(created_, BlockKind::self, {CellValue::norm, 0, {}});
  ASSERT_NE(found->cells.maps, nullptr);
  for (const CellPlace& place : {CellPlace{0, 0, 0, 0}, {1, 3, 4, 2}, {1, 1, 2, 4}})
    EXPECT_NEAR(found->cells.maps->weight(place.layer, place.head, place.query, place.key),
                expected->cells.maps->weight(place.layer, place.head, place.query, place.key), 1e-6);
  EXPECT_EQ(cell_arithmetic(*trace, trace->blocks.front(), {0, 0, 0, 0}).output.size(), 0);
}

TEST_F(CaptureArithmetic, leaves_out_what_is_not_in_the_file) {
  auto trace = captured("", {"attention", "tokens", "q", "k"});
  EXPECT_EQ(stages_of(*trace), "products scale softmax");
  EXPECT_THAT(left_out_of(*trace), StartsWith("The capture has neither projections nor v"));
  trace = captured(R"("temperature": 0.2)", {"attention", "tokens", "q", "k", "v"});
  EXPECT_EQ(stages_of(*trace), "products values");
  EXPECT_THAT(left_out_of(*trace), HasSubstr("Its weights do not follow from q · k / √d_k"));
  EXPECT_EQ(cell_arithmetic(*trace, trace->blocks.front(), {}).weights[0],
            static_cast<double>(created_->blocks.front().maps->weight(0, 0, 0, 0)));
  trace = captured(R"("temperature": 0.2)");
  EXPECT_EQ(stages_of(*trace), "x products scale softmax values");
  const auto stages = arithmetic_stages(*trace, trace->blocks.front(), {0, 0, 4, 1}, {}, Translator());
  EXPECT_THAT(stages[3].text, HasSubstr("something that is not in the file changed them"));
  trace = captured(R"("scale": false)");
  EXPECT_EQ(stages_of(*trace), "x products softmax values");
  EXPECT_THAT(left_out_of(*trace),
              EndsWith("Its scores are not q · k / √d_k; the step between is left out too."));
  EXPECT_EQ(score_summary(Translator(), trace->blocks.front(), {}).front().name, "s");
  for (const std::set<std::string>& names :
       {std::set<std::string>{"attention", "tokens", "q"}, {"attention", "tokens"}}) {
    trace = captured("", names);
    EXPECT_EQ(stages_of(*trace), "");
    EXPECT_FALSE(has_arithmetic(trace->blocks.front(), 0));
  }
}

TEST_F(CaptureArithmetic, numbers_that_are_none_are_reported) {
  const std::string nan("\0\0\xC0\x7F", 4), one("\0\0\x80\x3F", 4);
  const StoredTensor attention{"attention", "F32", "[1,1,1,1]", one},
      tokens{"tokens", "U8", "[5]", R"(["a"])"};
  write_bytes(
      at("n.safetensors"),
      safetensors_bytes({attention, tokens, {"q", "F32", "[1,1,1,1]", nan}, {"k", "F32", "[1,1,1,1]", one}}));
  const auto trace = trace_of_capture(at("n.safetensors"));
  cell_arithmetic(*trace, trace->blocks.front(), {});
  ASSERT_TRUE(trace->blocks.front().maps->error());
  EXPECT_THAT(std::string(trace->blocks.front().maps->error()->what()),
              EndsWith("q: numbers of layer 0, head 0 are not finite; expected finite ones"));
}

TEST_F(CaptureClaims, an_intervention_is_refused_for_nothing_is_computed) {
  Engine engine(1);
  Inputs inputs = inputs_of_capture(capture_file("plain.npz"));
  inputs.mask.push_back(parse_mask_part("causal"));
  EXPECT_THAT(complaint([&] { engine.run(inputs); }), StartsWith("mask is set; weights of a capture"));
  inputs.mask.clear();
  inputs.temperature = 2;
  EXPECT_THAT(complaint([&] { engine.run(inputs); }), StartsWith("temperature is set"));
  inputs.temperature = 1;
  inputs.model = "m";
  EXPECT_EQ(complaint([&] { engine.run(inputs); }), "model and capture are both given; expected one of them");
  inputs.model.clear();
  inputs.capture = "a\xFF.npz";
  EXPECT_EQ(complaint([&] { engine.run(inputs); }),
            "a\\xff.npz: the path is not valid UTF-8, so no session or figure can name it; rename it");
}

TEST_F(CaptureClaims, a_file_that_is_cut_short_while_it_is_open_is_reported) {
  Inputs long_text;
  long_text.sentence = sentence_of(100, "w");
  for (const char* name : {"long.npz", "long.safetensors"}) {
    const std::string path = at(name);
    write_arrays(path, *Engine(1).run(long_text), {}, "");
    const auto trace = trace_of_capture(path);
    const BlockTrace& block = trace->blocks.front();
    ASSERT_EQ(truncate(path.c_str(), 600), 0);
    weights(*trace, 1);
    ASSERT_TRUE(block.maps->error()) << name;
    EXPECT_THAT(std::string(block.maps->error()->what()),
                AllOf(HasSubstr(name), HasSubstr("has been cut short")));
  }
}

long resident_bytes() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST_F(CaptureClaims, gigabytes_open_at_once_in_little_memory) {
  // Zeros in a sparse file: rows without a key are reported.
  const Index layers = 24, heads = 16, n = 1024;
  const std::size_t bytes = 4 * layers * heads * n * n;
  std::string list = "[\"w0\"";
  for (Index i = 1; i < n; ++i) list += ",\"w" + std::to_string(i) + "\"";
  list += "]";
  const std::string header = fmt::format(
      R"({{"tokens":{{"dtype":"U8","shape":[{0}],"data_offsets":[0,{0}]}},"attention":{{"dtype":"F32","shape":[{1},{2},{3},{3}],"data_offsets":[{0},{4}]}}}})",
      list.size(), layers, heads, n, list.size() + bytes);
  const std::string path = at("large.safetensors");
  write_bytes(path, safetensors_bytes(header, list));
  fs::resize_file(path, 8 + header.size() + list.size() + bytes);
  const long before = resident_bytes();
  const auto trace = trace_of_capture(path);
  const BlockTrace& block = trace->blocks.front();
  EXPECT_EQ(block.maps->size(), (MapSource::Size{24, 16, n, n}));
  EXPECT_EQ(block.maps->weight(23, 15, 1023, 1023), 0);
  EXPECT_THAT(warnings_of(*trace),
              ElementsAre(StartsWith("some queries have no key to attend to; the first")));
  EXPECT_LT(resident_bytes() - before, 100L << 20);
}

TEST(CapturePatches, are_in_a_grid_over_their_picture) {
  const auto trace = trace_of_capture(capture_file("patches.safetensors"));
  const BlockTrace& block = trace->blocks.front();
  ASSERT_TRUE(block.patches && block.key_patches);
  EXPECT_EQ(block.patches->first, 1);
  EXPECT_EQ(block.patches->of_token(0), -1);
  EXPECT_EQ(block.patches->of_token(6), 5);
  EXPECT_EQ(block.patches->picture, capture_file("picture.png"));
  const auto row = patch_row(block, 0, {1, 2, 3});
  ASSERT_TRUE(row);
  ASSERT_THAT(row->weights, SizeIs(6));
  EXPECT_EQ(row->weights[4], block.maps->weight(0, 1, 2, 5));
  EXPECT_EQ(row->other, block.maps->weight(0, 1, 2, 0));
  const Picture below = read_picture(block.patches->picture);
  EXPECT_EQ(below.width, 12);
  EXPECT_EQ(below.height, 8);
  const Picture shown = patch_picture(*row, colors(Colormap::viridis), own_range(*row), &below, 60);
  EXPECT_EQ(shown.width, 60);
  EXPECT_EQ(shown.height, 40);
  // Where the weight is zero the image keeps its own colours, and where it is largest the weight's colour
  // dominates.
  PatchRow none = *row;
  std::ranges::fill(none.weights, 0.0F);
  none.weights[0] = 1;
  const Picture own = patch_picture(none, colors(Colormap::viridis), own_range(none), &below, 12);
  ASSERT_EQ(own.width, below.width);
  ASSERT_EQ(own.height, below.height);
  const auto corner = 4 * static_cast<std::size_t>(own.width * own.height - 1);
  for (std::size_t part = 0; part < 3; ++part) EXPECT_EQ(own.rgba[corner + part], below.rgba[corner + part]);
  EXPECT_NE((std::vector<int>(own.rgba.begin(), own.rgba.begin() + 3)),
            (std::vector<int>(below.rgba.begin(), below.rgba.begin() + 3)));
  // Without an image a patch only has the colour of its weight.
  const Picture flat = patch_picture(*row, colors(Colormap::viridis), own_range(*row), nullptr, 3);
  const Rgb color =
      colors(Colormap::viridis)[static_cast<std::size_t>(own_range(*row).index(row->weights[4]))];
  EXPECT_EQ((std::vector<int>(flat.rgba.begin() + 16, flat.rgba.begin() + 19)),
            (std::vector<int>{color.r, color.g, color.b}));
}

TEST_F(CaptureClaims, a_picture_that_is_missing_or_damaged_is_reported) {
  fs::copy_file(capture_file("patches.safetensors"), at("p.safetensors"));
  const auto notes = CaptureSource::open(at("p.safetensors"))->notes(0);
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_THAT(std::string(notes.front().what()), HasSubstr("picture.png does not exist"));
  const auto reported = [&] {
    return std::string(CaptureSource::open(at("p.safetensors"))->notes(0).front().what());
  };
  fs::create_directory(at("picture.png"));
  EXPECT_THAT(reported(), EndsWith("picture.png: not a regular file"));
  fs::remove(at("picture.png"));
  ASSERT_EQ(mkfifo(at("picture.png").c_str(), 0600), 0);
  EXPECT_THAT(reported(), EndsWith("picture.png: not a regular file")) << "at once";
  fs::remove(at("picture.png"));
  write_bytes(at("picture.png"), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\0\0\0\1", 24));
  EXPECT_THAT(reported(), EndsWith("picture.png: 2147483647 × 1 pixels; expected 1 to 16384 a side"));
  write_bytes(at("x.png"), "GIF89a");
  EXPECT_THAT(complaint([&] { read_picture(at("x.png")); }),
              EndsWith("x.png: not a picture; expected PNG, JPEG or WebP"));
  const std::string whole = read_file(capture_file("picture.png"));
  write_bytes(at("x.png"), whole.substr(0, 60));
  EXPECT_THAT(complaint([&] { read_picture(at("x.png")); }), HasSubstr("x.png: damaged"));
}

}  // namespace headscope::tests
