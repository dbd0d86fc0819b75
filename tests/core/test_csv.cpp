#include "core/io/csv.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(CsvField, is_quoted_where_it_would_end_or_be_computed) {
  for (const char* plain : {"", "word", "猫", "a-b=c", "1+1", "'"}) EXPECT_EQ(csv_field(plain), plain);
  EXPECT_EQ(csv_field("a, \"b\""), "\"a, \"\"b\"\"\"");
  EXPECT_EQ(csv_field("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
  for (const std::string sign : {"=", "+", "-", "−", "@", "＝"})
    EXPECT_EQ(csv_field(sign + "1"), "\"'" + sign + "1\"");
}

TEST(CsvField, stays_on_its_line_and_moves_no_cursor) {
  EXPECT_EQ(csv_field("a\nb\r\x1b[2J\u202ec"), "a\\nb\\r\\x1b[2J\\u202ec");
  EXPECT_EQ(csv_field("\t=1"), "\\t=1");
}

}  // namespace headscope::tests
