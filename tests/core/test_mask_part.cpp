#include "core/inputs/inputs.h"
#include "core/inputs/mask_part.h"
#include "tests/support/testing.h"

namespace headscope::tests {

std::string refused(std::string_view spec) {
  return complaint([&] { parse_mask_part(spec); });
}

TEST(MaskPart, every_kind_is_read_and_written_back) {
  std::vector<std::string> specs = split(
      "causal padding:8,9 padding:none segments file:C:,=;.npy painted:0:1 "
      "painted:0:2-5,1:7;head=3,0:1,4-9:2 painted:head=0,2:2 painted:head=66,3:0,4:1-2;head=999,0:0 "
      "painted:none window:0 window:2147483647 "
      "dilated:2,3 global:0,4 random:3,seed=7 random:0,seed=18446744073709551615 "
      "longformer:2,global=0 longformer:2,global=0,5 longformer:1,global=none "
      "bigbird:1,global=0,random=2,seed=7 bigbird:1,global=none,random=0,seed=0");
  for (const char* spec : {"file:a folder/MASK.npy", "self/causal", "decoder:0/window:2",
                           "cross:11/padding:1,2", "encoder:3/file:a/b.npy"})
    specs.emplace_back(spec);
  for (const std::string& spec : specs) EXPECT_EQ(to_string(parse_mask_part(spec)), spec);
}

TEST(MaskPart, fields) {
  const MaskPart bigbird{
      .kind = MaskKind::bigbird, .on = true, .window = 3, .random_keys = 2, .seed = 11, .tokens = {0, 4}};
  EXPECT_EQ(parse_mask_part("bigbird:3,global=0,4,random=2,seed=11"), bigbird);
  EXPECT_EQ(parse_mask_part("dilated:2,3").dilation, 3);
  EXPECT_EQ(parse_mask_part("file:/a:b.npy").path, "/a:b.npy");
}

TEST(MaskPart, may_be_of_one_block_or_one_layer) {
  const MaskPart part = parse_mask_part(" decoder : 2 / window:3 ");
  EXPECT_EQ(part.block, BlockKind::decoder);
  EXPECT_EQ(part.layer, 2);
  EXPECT_EQ(part.window, 3);
  EXPECT_THAT(refused("middle/causal"),
              HasSubstr("\"middle\" is not a block; expected self, encoder, decoder"));
  EXPECT_THAT(refused("self:x/causal"), HasSubstr("\"x\"; expected a whole number"));
  EXPECT_THAT(refused("self:/causal"), HasSubstr("self:/causal"));
  EXPECT_THAT(refused("self/cuasal"), HasSubstr("unknown kind"));
  const std::vector parts{parse_mask_part("causal"), parse_mask_part("self:1/window:1"),
                          parse_mask_part("cross/padding:0")};
  EXPECT_EQ(parts_of(parts, BlockKind::self, 0).size(), 1U);
  EXPECT_EQ(parts_of(parts, BlockKind::self, 1).size(), 2U);
  EXPECT_EQ(parts_of(parts, BlockKind::cross, 1).size(), 2U);
  EXPECT_TRUE(differ_by_layer(parts, BlockKind::self));
  EXPECT_FALSE(differ_by_layer(parts, BlockKind::cross));
}

TEST(MaskPart, options_may_be_left_out_or_are_in_any_order) {
  EXPECT_EQ(to_string(parse_mask_part("random:3")), "random:3,seed=7");
  EXPECT_EQ(to_string(parse_mask_part("longformer:3")), "longformer:3,global=0");
  EXPECT_EQ(to_string(parse_mask_part("bigbird:3")), "bigbird:3,global=0,random=2,seed=7");
  EXPECT_EQ(to_string(parse_mask_part("bigbird:3,seed=1,random=4,global=5,6")),
            "bigbird:3,global=5,6,random=4,seed=1");
  EXPECT_EQ(to_string(parse_mask_part(" padding: 9, 8 ,8 ")), "padding:8,9");
  EXPECT_EQ(to_string(parse_mask_part("painted: 0:1 , 2:3; head=1, 0 : 4-5")),
            "painted:0:1,2:3;head=1,0:4-5");
  EXPECT_EQ(to_string(parse_mask_part("painted: none")), "painted:none");
}

TEST(MaskPart, an_unknown_kind_is_reported_the_known_ones) {
  for (const char* spec : {"cuasal", "", "none", "Causal", "causal,padding:1", ":", "window 3"})
    EXPECT_THAT(refused(spec),
                AllOf(HasSubstr("causal"), HasSubstr("padding:8,9"), HasSubstr("segments"),
                      HasSubstr("file:MASK.npy"), HasSubstr("painted:"), HasSubstr("window:w"),
                      HasSubstr("dilated:w,d"), HasSubstr("global:0,4"), HasSubstr("random:r,seed=7"),
                      HasSubstr("longformer:w,global=0"), HasSubstr("bigbird:w,global=0,random=r,seed=7")))
        << spec;
}

TEST(MaskPart, missing_numbers_are_reported_the_form) {
  const auto specs = split(
      "window window: padding padding: padding:1, padding:,1 dilated:2 dilated:,2 global random: "
      "random:seed=7 longformer:global=0 longformer:2,global= longformer:2,global=0, "
      "bigbird:2,random= painted painted: painted:1 painted:1: painted::1 painted:1:2, "
      "painted:head=1 painted:1:2-");
  for (const std::string& spec : specs)
    EXPECT_THAT(refused(spec), AllOf(HasSubstr("lacks a number"), HasSubstr("\"" + spec + "\""))) << spec;
  EXPECT_THAT(refused("file"), HasSubstr("names no file"));
}

TEST(MaskPart, what_is_no_such_number_is_named) {
  const std::map<std::string, std::string> cases{
      {"window:-1", "\"-1\""},
      {"window:+1", "\"+1\""},
      {"window:two", "\"two\""},
      {"window:2x", "\"2x\""},
      {"window:1.5", "\"1.5\""},
      {"window:2147483648", "\"2147483648\""},
      {"padding:1,-2", "\"-2\""},
      {"padding:99999999999999999999", "\"99999999999999999999\""},
      {"dilated:2,0", "\"0\""},
      {"random:3,seed=-1", "\"-1\""},
      {"random:3,seed=18446744073709551616", "\"18446744073709551616\""},
      {"longformer:2,global=x", "\"x\""},
      {"bigbird:2,random=r", "\"r\""},
      {"painted:1:65536", "\"65536\""},
      {"painted:1:5-3", "\"3\""},
      {"painted:a:3", "\"a\""},
      {"painted:head=1000,1:3", "\"1000\""},
      {"window:猫", "\"猫\""}};
  for (const auto& [spec, found] : cases)
    EXPECT_THAT(refused(spec), AllOf(HasSubstr("whole number"), HasSubstr(found))) << spec;
}

TEST(MaskPart, what_is_too_much_is_named) {
  for (const char* spec :
       {"causal:", "causal:3", "segments:1", "window:2,3", "dilated:2,3,4", "padding:none,1",
        "padding:1,none", "random:2,3", "random:2,seed=1,seed=2", "random:2,seed=1,5"})
    EXPECT_THAT(refused(spec), AnyOf(HasSubstr("an extra"), HasSubstr("\"none\""))) << spec;
  EXPECT_THAT(refused("window:2,seed=7"), AllOf(HasSubstr("unknown option"), HasSubstr("\"seed\"")));
  EXPECT_THAT(refused("bigbird:2,windows=7"), HasSubstr("\"windows\""));
}

TEST(MaskPart, painted_rectangles_become_sorted_merged_runs_and_back) {
  const MaskPart part = parse_mask_part("painted:2:0-1,2:2,0-1:3-4;head=1,0:0");
  EXPECT_THAT(part.painted, ElementsAre(PaintedRun{-1, 0, 3, 5}, PaintedRun{-1, 1, 3, 5},
                                        PaintedRun{-1, 2, 0, 3}, PaintedRun{1, 0, 0, 1}));
  EXPECT_EQ(to_string(part), "painted:0-1:3-4,2:0-2;head=1,0:0");
}

TEST(MaskPart, painted_rectangles_on_top_of_each_other_take_the_memory_of_one) {
  std::string spec = "painted:0-4095:0-4095";
  for (int i = 0; i < 100'000; ++i) spec += ",0-4095:1";
  EXPECT_EQ(parse_mask_part(spec).painted.size(), 4096U);
}

TEST(MaskPart, what_is_written_pays_for_itself_when_it_is_read) {
  // Columns of a long text, each of one head: a million cells in a few characters would not.
  MaskPart part = make_mask_part(MaskKind::painted);
  for (int column = 0; column < 36; ++column)
    for (int query = 0; query < Limits::max_tokens; ++query)
      part.painted.push_back({column % 2 == 0 ? 66 : 3, query, 2 * column, 2 * column + 1});
  merge_painted(part.painted);
  const std::string text = to_string(part);
  EXPECT_LT(text.size(), std::size_t{20} << 20);
  EXPECT_EQ(parse_mask_part(text), part);
}

TEST(MaskPart, a_long_text_is_quoted_in_short) {
  EXPECT_LT(refused("painted:" + std::string(100000, '7')).size(), 400U);
  EXPECT_LT(refused(std::string(100000, 'x')).size(), 500U);
}

TEST(MaskPart, damaged_texts_are_refused_or_read_and_never_worse) {
  const std::vector<std::string> texts{"causal",      "padding:8,9",     "painted:0:2-5,1:7;head=3,0:1,4-9:2",
                                       "dilated:2,3", "random:3,seed=7", "bigbird:1,global=0,random=2,seed=7",
                                       "file:a.npy"};
  const std::string alphabet = "0123456789,;:=-abdeghilnoprs \xff";
  std::mt19937 generator(4);
  for (int round = 0; round < 20000; ++round) {
    std::string text = texts[generator() % texts.size()];
    for (auto edits = 1 + generator() % 3; edits > 0; --edits) {
      const auto at = generator() % (text.size() + 1);
      if (generator() % 2 == 0 && at < text.size())
        text.erase(at, 1 + generator() % 3);
      else
        text.insert(at, 1, alphabet[generator() % alphabet.size()]);
    }
    try {
      const MaskPart part = parse_mask_part(text);
      ASSERT_EQ(parse_mask_part(to_string(part)), part) << text;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), Error::Kind::input) << text;
    }
  }
}

TEST(MaskPart, patterns_and_constraints) {
  for (const char* spec : {"window:1", "dilated:1,2", "global:0", "random:1", "longformer:1", "bigbird:1"})
    EXPECT_TRUE(is_pattern(parse_mask_part(spec).kind)) << spec;
  for (const char* spec : {"causal", "padding:1", "segments", "file:m.npy", "painted:none"})
    EXPECT_FALSE(is_pattern(parse_mask_part(spec).kind)) << spec;
}

}  // namespace headscope::tests
