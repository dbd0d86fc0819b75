#include <unistd.h>

#include "core/io/partial_file.h"
#include "tests/support/testing.h"

namespace headscope::tests {

class PartialFiles : public InFolder {};

TEST_F(PartialFiles, go_with_the_program_and_nothing_else_does) {
  for (const char* name : {"finished", "begun"}) std::ofstream(at(name)) << "text";
  fs::create_directory(at("folder"));
  std::ofstream(at("folder/file")) << "text";
  EXPECT_EXIT(
      {
        { const PartialFile was(at("finished")); }
        const PartialFile file(at("begun"));
        const PartialFile of_folder(at("folder"));
        remove_unfinished();
        _exit(3);
      },
      testing::ExitedWithCode(3), testing::_);
  EXPECT_TRUE(fs::exists(at("finished")));
  EXPECT_FALSE(fs::exists(at("begun")));
  EXPECT_FALSE(fs::exists(at("folder")));
}

}  // namespace headscope::tests
