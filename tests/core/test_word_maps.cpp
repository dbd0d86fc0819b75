#include "core/model/config/parse_config.h"
#include "core/model/weights/fingerprint.h"
#include "core/model/weights/model_size.h"
#include "core/scene/source_title.h"
#include "core/source/maps/word_maps.h"
#include "tests/support/model_folder.h"
#include "tests/support/traces.h"

namespace headscope::tests {

/// "ani ##mal ran": the first two are pieces of one word.
std::vector<Token> pieces() {
  std::vector<Token> tokens = word_tokens("[CLS] ani ##mal ran");
  for (std::size_t i = 1; i < tokens.size(); ++i) tokens[i].word = i < 3 ? 0 : 1;
  return tokens;
}

std::vector<std::string> texts(const std::vector<Token>& tokens) {
  std::vector<std::string> all;
  for (const Token& token : tokens) all.push_back(token.text);
  return all;
}

TEST(WordMaps, sum_weights_to_the_pieces_of_a_word_and_average_those_from_them) {
  const auto trace = trace_of(pieces(), pieces(),
                              {{0.1F, 0.2F, 0.3F, 0.4F,  //
                                0.5F, 0.1F, 0.1F, 0.3F,  //
                                0.1F, 0.3F, 0.3F, 0.3F,  //
                                0.0F, 0.0F, 0.0F, 1.0F}});
  const auto words = with_words(first_block(trace));
  EXPECT_TRUE(words->words);
  EXPECT_EQ(texts(words->tokens), (std::vector<std::string>{"[CLS]", "animal", "ran"}));
  EXPECT_EQ(words->first_pieces, (std::vector<Index>{0, 1, 3, 4}));
  EXPECT_EQ(words->first_key_pieces, words->first_pieces);
  ASSERT_EQ(words->maps->size(), (MapSource::Size{1, 1, 3, 3}));
  float rows[9];
  words->maps->rows(0, 0, 0, 3, rows);
  EXPECT_THAT(rows, testing::Pointwise(testing::FloatNear(1e-6F),
                                       {0.1F, 0.5F, 0.4F, 0.3F, 0.4F, 0.3F, 0.0F, 0.0F, 1.0F}));
  float last[3];
  words->maps->rows(0, 0, 2, 3, last);
  EXPECT_FLOAT_EQ(last[2], 1);
  EXPECT_FALSE(words->maps->score(0, 0, 1, 1)) << "which no sum of weights has";
}

TEST(WordMaps, block_a_cell_where_all_of_its_pieces_are) {
  const auto trace = trace_of(
      pieces(), pieces(), 2, 1, mask_parts({"causal"}), [](int, int, Index, Index) { return 0.25F; }, true);
  const auto words = with_words(first_block(trace));
  std::string map;
  for (Index q = 0; q < 3; ++q)
    for (Index k = 0; k < 3; ++k) map += words->mask_of(0).blocked(1, q, k) ? '#' : '.';
  EXPECT_EQ(map, ".##..#...") << "a word sees itself, though its first piece does not see the second";
}

TEST(WordMaps, show_the_characters_that_pieces_are_bytes_of) {
  const auto merged_text = [](const std::string& sentence) {
    std::vector<Token> tokens = word_tokens(sentence + " end");
    for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i].word = i + 1 < tokens.size() ? 0 : 1;
    return with_words(first_block(trace_of(
                          tokens, tokens, 1, 1, {}, [](int, int, Index, Index) { return 0.5F; }, true)))
        ->tokens[0]
        .text;
  };
  EXPECT_EQ(merged_text("⟨E7⟩⟨8C⟩ ⟨AB⟩"), "猫");
  EXPECT_EQ(merged_text("caf ⟨C3⟩ ⟨A9⟩ s"), "cafés");
  EXPECT_EQ(merged_text("a ⟨E7⟩⟨8C⟩"), "a⟨E7⟩⟨8C⟩") << "no whole character";
  EXPECT_EQ(merged_text("⟨x ⟨41⟩"), "⟨x⟨41⟩");
}

TEST(WordMaps, leave_a_block_without_pieces_as_it_is) {
  const auto block = first_block(synthetic_trace(2, 3, 3));
  EXPECT_EQ(with_words(block), block);
}

TEST(ModelMemory, refuses_weights_that_will_not_stay_in_it) {
  constexpr std::size_t giga = 1'000'000'000;
  EXPECT_EQ(
      complaint([] { check_weights_fit("m", 3 * giga, 2 * giga); }, Error::Kind::unable),
      "m: the weights need 3.0 GB of memory, 2.0 GB are free; use a smaller model, or the same in float16");
  EXPECT_NO_THROW(check_weights_fit("m", 2 * giga, 2 * giga));
}

TEST(ModelMemory, refuses_with_the_figures_what_will_not_fit) {
  const ModelConfig config = parse_config(model_case("gpt2")["config"].dump(), "config.json");
  const ModelMemory memory = model_memory(config, 500'000'000, 1024, 0);
  EXPECT_EQ(memory.maps, 4U * 4 * 1024 * 1024);
  EXPECT_GT(memory.run, 2U * 1024 * 24 * sizeof(float)) << "the inputs of its layers at least";
  EXPECT_NO_THROW(check_memory(memory, std::size_t{1} << 30));
  try {
    check_memory({500'000'000, 3'000'000'000, 1'000'000'000}, 2'000'000'000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "this text needs 4.0 GB of memory (3.0 GB for the layers' inputs, 1.0 GB for maps; the weights, "
        "0.5 GB, stay in their files), 2.0 GB are free; use a shorter text");
  }
}

TEST(Fingerprints, report_changed_weights_whatever_the_file_is_called) {
  const TempFolder folder;
  std::vector<WrittenTensor> tensors{drawn_tensor("a", "a", "F32", {40, 40}, 1, 0),
                                     drawn_tensor("b", "b", "F16", {8}, 1, 0)};
  const auto fingerprint = [&](const char* name) {
    write_safetensors(folder.path / name, tensors);
    return fingerprint_of(WeightFiles::open_file(folder.at(name)));
  };
  const std::string before = fingerprint("one.safetensors");
  EXPECT_EQ(before.size(), 16U);
  EXPECT_EQ(fingerprint("two.safetensors"), before);
  tensors[1].bytes[0] = static_cast<char>(tensors[1].bytes[0] ^ 1);
  EXPECT_NE(fingerprint("one.safetensors"), before) << "another number";
  tensors[1].bytes[0] = static_cast<char>(tensors[1].bytes[0] ^ 1);
  tensors[0].shape = {1600};
  EXPECT_NE(fingerprint("one.safetensors"), before) << "another shape";
}

TEST(SourceTitles, name_what_the_maps_are_of) {
  const Translator en(Language::en);
  EXPECT_EQ(source_title(en, *synthetic_trace(8, 2, 2)), "Layer from seed 42 · 8 heads");
  Trace typed = *synthetic_trace(8, 2, 2);
  typed.inputs.weights = WeightKind::manual;
  typed.inputs.vectors = VectorKind::typed;
  EXPECT_EQ(source_title(en, typed), "Layer with typed matrices · 8 heads");
  Inputs not_run;
  not_run.seed = 7;
  not_run.heads = 16;
  EXPECT_EQ(source_title(en, not_run), "Layer from seed 7 · 16 heads");
  EXPECT_EQ(model_name("/models/gpt2"), "gpt2");
  EXPECT_EQ(model_name("/models/gpt2/"), "gpt2");
  EXPECT_EQ(model_name("/hub/models--openai-community--gpt2/snapshots/607a30d7"), "openai-community/gpt2");
}

}  // namespace headscope::tests
