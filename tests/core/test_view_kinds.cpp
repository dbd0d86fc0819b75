#include "core/scene/view_kinds.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(ViewKinds, rows_are_in_the_order_of_the_kinds_and_are_read_by_their_names) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < view_kinds.size(); ++i) {
    const ViewKindRow& row = view_kinds[i];
    EXPECT_EQ(static_cast<std::size_t>(row.value), i);
    EXPECT_EQ(&view_kind(row.value), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_STREQ(to_name(row.value), row.name);
    EXPECT_EQ(from_name<ViewKind>(row.name), row.value);
    const std::string key = i == 9 ? "(Ctrl+M)" : "(Ctrl+" + std::to_string(i + 1) + ")";
    EXPECT_EQ(std::string(row.help).find(key) != std::string::npos, i < 10) << row.help;
  }
  EXPECT_EQ(from_name<ViewKind>("table"), ViewKind::head_table);
}

TEST(ViewKinds, are_grouped_by_the_question_that_they_answer) {
  std::map<ViewGroup, std::vector<std::string>> tabs;
  for (const ViewKindRow& row : view_kinds) tabs[row.group].push_back(row.tab);
  EXPECT_EQ(tabs, (std::map<ViewGroup, std::vector<std::string>>{
                      {ViewGroup::look, {"Grid", "Head", "Lines", "Layers", "Model", "Picture"}},
                      {ViewGroup::measure, {"Compare", "Table", "Causes"}},
                      {ViewGroup::explain, {"Steps", "Lens", "Logits", "Circuits"}}}));
  EXPECT_STREQ(view_group_name(ViewGroup::measure), "Measure");
}

}  // namespace headscope::tests
