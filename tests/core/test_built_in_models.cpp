#include "core/model/weights/built_in_models.h"
#include "core/model/weights/model_folder.h"
#include "core/session/session.h"
#include "core/source/engine/engine.h"
#include "tests/support/built_in_models.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {

class BuiltInModels : public InFolder {
 protected:
  ModelsIn models{folder.path};
};

TEST_F(BuiltInModels, a_name_is_a_name_and_everything_else_a_folder) {
  ASSERT_FALSE(built_in_models().empty());
  for (const BuiltInModel& model : built_in_models()) {
    EXPECT_TRUE(is_built_in(model.name));
    EXPECT_THAT(built_in_names(), HasSubstr(model.name));
  }
  EXPECT_EQ(folder_of_model("translator"), at("translator"));
  for (const char* name : {"./translator", "translator/", "gpt2", "", "/translator"}) {
    EXPECT_FALSE(is_built_in(name)) << name;
    EXPECT_EQ(folder_of_model(name), name);
    EXPECT_NO_THROW(expect_installed(name));
  }
}

TEST_F(BuiltInModels, one_that_is_not_installed_is_reported_in_a_line) {
  const std::string message =
      "the model translator is not installed; expected its folder at " + at("translator");
  EXPECT_EQ(complaint([] { expect_installed("translator"); }), message);
  EXPECT_EQ(complaint([] { expect_model("translator"); }), message);
  Inputs inputs;
  inputs.model = "translator";
  Engine engine(1);
  EXPECT_EQ(complaint([&] { engine.run(inputs); }), message);
  fs::create_directories(at("translator"));
  EXPECT_THAT(complaint([] { expect_model("translator"); }), HasSubstr("config.json is missing"));
}

TEST_F(BuiltInModels, one_that_is_there_is_run_by_its_name) {
  write_whole_model(folder.path / "translator", model_case("marian"));
  Inputs inputs;
  inputs.model = "translator";
  inputs.sentence = "w3 w17 w5";
  Engine engine(1);
  const auto by_name = engine.run(inputs);
  inputs.model = at("translator");
  EXPECT_EQ(engine.run(inputs)->translation->text, by_name->translation->text);
  EXPECT_EQ(engine.open_model("translator"), engine.open_model(at("translator"))) << "is open once";
}

TEST_F(BuiltInModels, sessions_keep_the_name) {
  Session session;
  session.inputs.model = "translator";
  session.compare = session.inputs;
  const Session written = with_relative_paths(session, at("session.json"));
  EXPECT_EQ(written.inputs.model, "translator");
  Session read = written;
  find_files(read, at("session.json"));
  EXPECT_EQ(read.inputs.model, "translator");
  EXPECT_EQ(read.compare->model, "translator");
}

TEST_F(BuiltInModels, a_folder_of_the_same_name_stays_a_folder_in_sessions) {
  fs::create_directories(at("translator"));
  Session session;
  session.inputs.model = at("translator");
  Session written = with_relative_paths(session, at("session.json"));
  EXPECT_EQ(written.inputs.model, "./translator");
  find_files(written, at("session.json"));
  EXPECT_EQ(written.inputs.model, at("translator"));
}

}  // namespace headscope::tests
