#include "core/attention/mask.h"
#include "core/inputs/mask_kinds.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(MaskKinds, rows_are_in_the_order_of_the_kinds_under_names_of_their_own) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < mask_kinds().size(); ++i) {
    const MaskKindRow& row = mask_kinds()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.kind), i);
    EXPECT_EQ(&mask_kind(row.kind), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.form.starts_with(row.name) && row.whole_form.starts_with(row.name)) << row.name;
  }
}

TEST(MaskKinds, what_a_row_has_is_read_back_as_it_was_written) {
  for (const MaskKindRow& row : mask_kinds()) {
    MaskPart part = make_mask_part(row.kind);
    EXPECT_EQ(parse_mask_part(to_string(part)), part) << row.name;
    for (const MaskParameter& parameter : row.parameters) {
      EXPECT_TRUE(parameter.option.empty() || row.parameters.size() > 1) << row.name;
      if (const auto* number = std::get_if<int MaskPart::*>(&parameter.member)) part.** number = 5;
      if (const auto* list = std::get_if<std::vector<int> MaskPart::*>(&parameter.member))
        part.** list = {1, 3};
    }
    EXPECT_EQ(parse_mask_part(to_string(part)), part) << row.name;
  }
}

TEST(MaskKinds, every_kind_says_which_cells_it_blocks) {
  const std::vector<Token> tokens(6);
  for (const MaskKindRow& row : mask_kinds()) {
    if (row.kind == MaskKind::file) continue;  // needs a file
    MaskPart part = make_mask_part(row.kind);
    if (row.token_list() != nullptr) part.tokens = {2};
    if (row.kind == MaskKind::painted) part.painted = {{-1, 0, 0, 1}};
    const Mask mask = build_mask({&part, 1}, tokens, tokens, 1);
    EXPECT_EQ(mask.any(), row.kind != MaskKind::segments) << row.name;  // one sentence alone
  }
}

}  // namespace headscope::tests
