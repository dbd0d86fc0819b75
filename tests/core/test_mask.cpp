#include "core/attention/mask.h"
#include "tests/support/traces.h"

namespace headscope::tests {

Mask mask(const std::vector<std::string>& specs, Index n_q, Index n_k, int heads = 1) {
  return build_mask(mask_parts(specs), numbered_tokens(n_q), numbered_tokens(n_k), heads);
}

// One line per query: '#' blocked, '.' visible.
std::vector<std::string> drawn(const Mask& mask, int head = 0) {
  std::vector<std::string> rows;
  for (Index i = 0; i < mask.n_q(); ++i) {
    rows.emplace_back();
    for (Index j = 0; j < mask.n_k(); ++j) rows.back() += mask.blocked(head, i, j) ? '#' : '.';
  }
  return rows;
}

std::string refused(const std::vector<std::string>& specs, Index n_q, Index n_k, int heads = 2) {
  return complaint([&] { mask(specs, n_q, n_k, heads); });
}

TEST(Mask, is_painted_in_any_head_of_the_source) {
  const std::vector<std::string> specs{"painted:0:0;head=66,3:0,4:1-2;head=69,1:1"};
  const Mask painted = mask(specs, 5, 5, 70);
  EXPECT_THAT(drawn(painted, 65), ElementsAre("#....", ".....", ".....", ".....", "....."));
  EXPECT_THAT(drawn(painted, 66), ElementsAre("#....", ".....", ".....", "#....", ".##.."));
  EXPECT_THAT(drawn(painted, 69), ElementsAre("#....", ".#...", ".....", ".....", "....."));
  EXPECT_THAT(refused(specs, 5, 5, 69), HasSubstr("head 69; there are 69 heads"));
}

TEST(Mask, parts_block_what_is_drawn) {
  const struct {
    std::vector<std::string> specs;
    Index n_q, n_k;
    std::string rows;
  } cases[] = {
      {{"causal"}, 4, 4, ".### ..## ...# ...."},
      {{"causal"}, 2, 4, ".### ..##"},
      {{"causal"}, 4, 2, ".# .. .. .."},
      {{"padding:1,3"}, 3, 4, ".#.# .#.# .#.#"},  // keys and not queries
      {{"window:0"}, 3, 3, ".## #.# ##."},
      {{"window:1"}, 5, 5, "..### ...## #...# ##... ###.."},
      {{"window:1"}, 4, 2, ".. .. #. ##"},
      {{"dilated:1,2"}, 6, 6, ".#.### #.#.## .#.#.# #.#.#. ##.#.# ###.#."},
      {{"dilated:2,2"}, 6, 6, ".#.#.# #.#.#. .#.#.# #.#.#. .#.#.# #.#.#."},
      {{"dilated:2147483647,2147483647"}, 2, 2, ".# #."},
      {{"dilated:1,2"}, 4, 2, ".# #. .# #."},
      {{"global:0,3"}, 5, 5, "..... .##.# .##.# ..... .##.#"},  // these see all and are seen by all
      {{"global:3"}, 2, 4, "###. ###."},
      {{"global:3"}, 4, 2, "## ## ## .."},
      {{"longformer:1,global=0"}, 5, 5, "..... ...## ....# .#... .##.."},
      // Patterns are combined by union, and constraints block.
      {{"window:0", "global:0", "causal", "padding:1"}, 4, 4, ".### .### .#.# .##."},
      // Fixed so that a session shows the same mask on every machine and in every later version.
      {{"random:2,seed=7"}, 4, 6, "#.#.## ##..## ##.#.# .##.##"},
  };
  for (const auto& [specs, n_q, n_k, rows] : cases)
    EXPECT_EQ(drawn(mask(specs, n_q, n_k)), split(rows)) << PrintToString(specs);
  EXPECT_NE(drawn(mask({"random:2,seed=8"}, 9, 9)), drawn(mask({"random:2,seed=7"}, 9, 9)));
}

TEST(Mask, parts_are_the_same_as_others) {
  const struct {
    std::vector<std::string> specs, others;
    Index n;
  } cases[] = {
      {{"dilated:2,1"}, {"window:2"}, 7},
      {{"longformer:2,global=1,4"}, {"window:2", "global:1,4"}, 9},
      {{"bigbird:1,global=0,random=2,seed=5"}, {"window:1", "global:0", "random:2,seed=5"}, 12},
      {{"padding:1", "causal", "global:0", "window:0"}, {"window:0", "global:0", "causal", "padding:1"}, 4}};
  for (const auto& [specs, others, n] : cases)
    EXPECT_EQ(drawn(mask(specs, n, n)), drawn(mask(others, n, n))) << PrintToString(specs);
}

TEST(Mask, segments_by_sentence) {
  std::vector<Token> two = numbered_tokens(5);
  for (std::size_t i = 2; i < 5; ++i) two[i].sentence = 1;
  const auto segments = [&](const std::vector<Token>& queries) {
    return drawn(build_mask(mask_parts({"segments"}), queries, two, 1));
  };
  EXPECT_EQ(segments(two), split("..### ..### ##... ##... ##..."));
  EXPECT_EQ(segments(numbered_tokens(2)), split("..### ..###"));
}

TEST(Mask, a_window_larger_than_the_sentence_and_no_global_token_allow_everything) {
  EXPECT_FALSE(mask({"window:3"}, 4, 4).any());
  EXPECT_FALSE(mask({"global:none"}, 3, 3).any());
  EXPECT_FALSE(mask({"window:2147483647"}, 4, 4).any());
  EXPECT_EQ(mask({"window:9"}, 4, 4).head(0), nullptr);
}

TEST(Mask, a_pattern_larger_than_the_sentence_is_reported) {
  const auto reported = [](const char* spec, Index n_q, Index n_k) {
    const auto found = oversize(parse_mask_part(spec), n_q, n_k);
    return found ? found->tokens : 0;
  };
  for (const char* spec : {"window:5", "longformer:9", "bigbird:5", "dilated:5,1", "dilated:2,3"}) {
    EXPECT_EQ(reported(spec, 5, 5), 5) << spec;
    EXPECT_EQ(reported(spec, 3, 5), 5) << spec;
    EXPECT_EQ(reported(spec, 99, 5), 0) << spec;
  }
  EXPECT_EQ(reported("random:6", 9, 5), 5);
  EXPECT_EQ(reported("bigbird:1,random=6", 9, 5), 5);
  EXPECT_EQ(reported("dilated:2147483647,2147483647", 5, 5), 5);
  // The largest that still have an effect, and parts without a size.
  for (const char* spec : {"window:4", "dilated:2,2", "random:5", "bigbird:4,random=5", "global:4", "causal"})
    EXPECT_EQ(reported(spec, 5, 5), 0) << spec;
  MaskPart off = parse_mask_part("window:5");
  off.on = false;
  EXPECT_FALSE(oversize(off, 5, 5));
}

TEST(Mask, random_draws_exactly_r_keys_a_query) {
  for (const auto& [n_q, n_k, r] :
       std::vector<std::array<Index, 3>>{{1, 5, 1}, {20, 20, 3}, {7, 30, 29}, {9, 4, 4}}) {
    const std::string spec = "random:" + std::to_string(r) + ",seed=3";
    for (const std::string& row : drawn(mask({spec}, n_q, n_k)))
      EXPECT_EQ(std::count(row.begin(), row.end(), '.'), r) << spec;
  }
  EXPECT_FALSE(mask({"random:9"}, 4, 4).any());
  EXPECT_EQ(mask({"random:0"}, 4, 4).empty_queries(0).size(), 4U);
}

// 1000 queries draw 3 of 10 keys: each key 300 times, standard deviation 14.5; five of them.
TEST(Mask, random_prefers_no_key) {
  const auto rows = drawn(mask({"random:3,seed=1"}, 1000, 10));
  for (std::size_t key = 0; key < 10; ++key) {
    const auto drawn_it = [&](const std::string& row) { return row[key] == '.'; };
    EXPECT_NEAR(static_cast<double>(std::count_if(rows.begin(), rows.end(), drawn_it)), 300, 73);
  }
}

TEST(Mask, parts_that_are_off_do_nothing) {
  auto list = mask_parts({"causal", "window:0", "padding:99", "file:missing.npy", "painted:9:9"});
  for (MaskPart& part : list) part.on = false;
  EXPECT_FALSE(build_mask(list, numbered_tokens(3), numbered_tokens(3), 1).any());
}

TEST(Mask, painted_for_all_heads_and_for_one) {
  const Mask painted = mask({"painted:0:1-2,2:0;head=1,1:1"}, 3, 3, 3);
  EXPECT_THAT(drawn(painted, 0), ElementsAre(".##", "...", "#.."));
  EXPECT_THAT(drawn(painted, 1), ElementsAre(".##", ".#.", "#.."));
  EXPECT_EQ(painted.head(0), painted.head(2));
  const Mask with_causal = mask({"painted:head=0,2:0-2", "causal"}, 3, 3, 2);
  EXPECT_THAT(drawn(with_causal, 0), ElementsAre(".##", "..#", "###"));
  EXPECT_THAT(drawn(with_causal, 1), ElementsAre(".##", "..#", "..."));
  EXPECT_THAT(with_causal.empty_queries(0), ElementsAre(2));
  EXPECT_THAT(with_causal.empty_queries(1), IsEmpty());
}

TEST(Mask, density_and_the_scores_saved) {
  EXPECT_DOUBLE_EQ(mask({"causal"}, 4, 4).density(8), 10.0 / 16);
  EXPECT_EQ(mask({"causal"}, 4, 4).blocked_cells(8), 48);
  EXPECT_DOUBLE_EQ(mask({"painted:head=1,0:0-1"}, 2, 2, 2).density(2), 6.0 / 8);
  EXPECT_DOUBLE_EQ(Mask().density(8), 1);
}

TEST(Mask, everything_blocked_and_the_smallest_sentences) {
  EXPECT_THAT(mask({"padding:0,1,2"}, 3, 3).empty_queries(0), ElementsAre(0, 1, 2));
  EXPECT_DOUBLE_EQ(mask({"padding:0,1,2"}, 3, 3).density(4), 0);
  EXPECT_FALSE(mask({"causal", "window:0"}, 1, 1).any());
  EXPECT_FALSE(mask({"padding:3", "causal"}, 0, 0).any());
  EXPECT_FALSE(mask({"padding:3"}, 0, 5).any());
  EXPECT_TRUE(mask({"causal"}, 2048, 2048).any());
}

TEST(Mask, out_of_range_is_reported_what_was_found_and_expected) {
  EXPECT_THAT(refused({"padding:4"}, 9, 4),
              AllOf(HasSubstr("padding:4"), HasSubstr("token 4"), HasSubstr("only 4")));
  EXPECT_THAT(refused({"global:0,9"}, 4, 6),
              AllOf(HasSubstr("global:0,9"), HasSubstr("token 9"), HasSubstr("only 6")));
  EXPECT_THAT(refused({"longformer:1,global=12"}, 10, 10), HasSubstr("token 12"));
  EXPECT_THAT(refused({"bigbird:1,global=10"}, 10, 10), HasSubstr("token 10"));
  EXPECT_THAT(refused({"painted:3:0"}, 3, 3),
              AllOf(HasSubstr("3:0"), HasSubstr("a query below 3 and a key below 3")));
  EXPECT_THAT(refused({"painted:0:1-3"}, 3, 3), HasSubstr("0:3"));
  EXPECT_THAT(refused({"painted:head=2,0:0"}, 3, 3, 2), AllOf(HasSubstr("head 2"), HasSubstr("2 heads")));
}

class MaskFile : public InFolder {
 protected:
  std::string write(const std::string& dtype, const std::string& shape, const std::string& data) {
    std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(117, ' ');
    write_file(at("mask.npy"), npy_bytes(header + "\n", data));
    return at("mask.npy");
  }
  static std::string refuse(const std::string& path) { return refused({"file:" + path}, 2, 3); }
};

TEST_F(MaskFile, true_blocks) {
  const std::string path = write("|b1", "(2, 3)", std::string("\0\1\0\1\0\1", 6));
  EXPECT_THAT(drawn(mask({"file:" + path}, 2, 3)), ElementsAre(".#.", "#.#"));
  EXPECT_THAT(drawn(mask({"file:" + path, "padding:0"}, 2, 3)), ElementsAre("##.", "#.#"));
}

TEST_F(MaskFile, of_the_wrong_shape_or_type_is_refused) {
  EXPECT_THAT(refuse(write("|b1", "(3, 2)", std::string(6, '\1'))),
              AllOf(HasSubstr("[3, 2]"), HasSubstr("[2, 3]")));
  EXPECT_THAT(refuse(write("|b1", "(6,)", std::string(6, '\1'))),
              AllOf(HasSubstr("[6]"), HasSubstr("[2, 3]")));
  EXPECT_THAT(refuse(write("<f4", "(2, 3)", std::string(24, '\0'))),
              AllOf(HasSubstr("float32"), HasSubstr("bool")));
  EXPECT_THAT(refuse("/no/such/mask.npy"), HasSubstr("/no/such/mask.npy"));
  EXPECT_THAT(refuse("/dev/zero"), HasSubstr("expected an .npy array"));  // and not read forever
  EXPECT_THAT(refuse(""), HasSubstr("names no file"));
}

TEST(FitMaskParts, what_no_longer_fits_goes) {
  auto list = mask_parts(
      {"padding:1,5", "global:0,5,7", "painted:0:0-9,5:0;head=3,1:1;head=1,1:1", "window:50", "causal"});
  fit_mask_parts(list, 4, 6, 2);
  EXPECT_EQ(list,
            mask_parts({"padding:1,5", "global:0,5", "painted:0:0-5;head=1,1:1", "window:50", "causal"}));
  EXPECT_NO_THROW(build_mask(list, numbered_tokens(4), numbered_tokens(6), 2));
  fit_mask_parts(list, 1, 1, 1);
  EXPECT_NO_THROW(build_mask(list, numbered_tokens(1), numbered_tokens(1), 1));
  EXPECT_EQ(to_string(list[0]), "padding:none");
}

}  // namespace headscope::tests
