#include "tests/fuzz/readers.h"
#include "tests/support/testing.h"

namespace headscope::tests {

// The fuzzers' seeds and earlier findings: none may crash, hang or take much memory.
TEST(FuzzCorpora, are_read_or_refused) {
  for (const fuzz::FuzzedReader& reader : fuzz::fuzzed_readers()) {
    const fs::path corpus = fs::path(TEST_DATA_DIR) / "fuzz" / reader.name;
    int files = 0;
    for (const auto& entry : fs::directory_iterator(corpus)) {
      SCOPED_TRACE(entry.path().string());
      EXPECT_TRUE(fuzz::feed(reader.name, read_file(entry.path().string())));
      ++files;
    }
    EXPECT_GT(files, 2) << reader.name;
  }
  EXPECT_FALSE(fuzz::feed("nothing", ""));
}

}  // namespace headscope::tests
