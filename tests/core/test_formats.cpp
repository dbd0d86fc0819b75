#include "core/figure/canvas/formats.h"
#include "core/io/formats.h"
#include "core/scene/head_table.h"
#include "core/source/engine/engine.h"
#include "core/source/write/write_arrays.h"
#include "tests/support/read_arrays.h"
#include "tests/support/testing.h"

namespace headscope::tests {

template <typename Row>
void expect_found_by_their_endings(std::span<const Row> formats) {
  std::set<std::string> known;
  for (const Row& row : formats) {
    EXPECT_TRUE(known.insert(row.ending).second) << row.ending;
    EXPECT_EQ(find_format(formats, std::string("a/FILE") + row.ending), &row);
  }
  EXPECT_EQ(find_format(formats, "file.txt"), nullptr);
  EXPECT_EQ(find_format(formats, "png"), nullptr);
}

TEST(Formats, are_found_by_their_endings) {
  expect_found_by_their_endings(figure_formats());
  expect_found_by_their_endings(array_readers());
  expect_found_by_their_endings(array_writers());
  expect_found_by_their_endings(head_table_formats());
  EXPECT_EQ(find_format(figure_formats(), "A.PNG"), &figure_formats().front());
  EXPECT_EQ(endings(figure_formats(), "*"), (std::vector<std::string>{"*.png", "*.svg", "*.pdf"}));
}

TEST(Formats, figures_are_in_the_order_of_their_kinds) {
  for (std::size_t i = 0; i < figure_formats().size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(figure_formats()[i].format), i);
}

TEST(Formats, arrays_of_every_kind_are_written_and_those_that_have_a_reader_read) {
  Inputs inputs;
  inputs.sentence = "one two";
  inputs.d_model = inputs.heads = 2;
  const auto trace = Engine().run(inputs);
  for (const ArrayWriter& writer : array_writers()) {
    const std::string path = testing::TempDir() + "formats" + writer.ending;
    write_arrays(path, *trace, -1, "{}");
    EXPECT_GT(fs::file_size(path), 0U) << path;
    const ArrayReader* reader = find_format(array_readers(), path);
    if (reader != nullptr) {
      EXPECT_FALSE(reader->list(path).empty());
    }
    fs::remove(path);
  }
}

}  // namespace headscope::tests
