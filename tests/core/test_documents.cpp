#include "core/teach/documents.h"
#include "core/teach/lesson_text.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(Documents, are_in_the_program_and_read_without_a_mistake) {
  for (const DocumentRow& row : documents())
    for (const LanguageRow& language : languages()) {
      const std::string_view text = document_text(row.name, language.language);
      EXPECT_TRUE(text.starts_with("# ")) << row.name;
      Budget budget(row.name, text.size());
      std::vector<LessonMistake> mistakes;
      EXPECT_FALSE(lesson_text(text, 1, budget, mistakes).empty()) << row.name;
      for (const LessonMistake& mistake : mistakes)
        ADD_FAILURE() << row.name << " line " << mistake.line << ": " << mistake.error.what();
    }
}

TEST(Documents, lead_to_each_other) {
  EXPECT_STREQ(document_at("causes.md#circuits")->name, "causes");
  EXPECT_STREQ(document_at("../core/inputs/MASKS.md")->name, "MASKS");
  EXPECT_EQ(document_at("https://example.org"), nullptr);
  EXPECT_EQ(document_at("nothing.md"), nullptr);
}

}  // namespace headscope::tests
