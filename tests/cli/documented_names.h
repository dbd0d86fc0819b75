// The names that README.md, CONTRIBUTING.md and docs/ use in their command lines, and the small files that
// stand for them in the test.
#pragma once
#include "tests/cli/cli_fixture.h"
#include "tests/support/model_inputs.h"
#include "tests/support/picture_models.h"

namespace headscope::tests {

/// The words of vocabulary number 1, 2, … in place of w1, w2, …; `end` is added to each text.
inline void write_tokenizer_of(const fs::path& folder, const std::vector<std::string>& words, bool byte_level,
                               int end = -1) {
  write_word_tokenizer(folder, 50);
  const fs::path path = folder / "tokenizer.json";
  Json tokenizer = Json::parse(read_file(path.string()));
  Json& vocabulary = tokenizer["model"]["vocab"];
  for (std::size_t i = 0; i < words.size(); ++i) {
    vocabulary.erase("w" + std::to_string(i + 1));
    vocabulary[words[i]] = i + 1;
  }
  if (byte_level)
    tokenizer["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}};
  if (end >= 0) {
    const std::string name = "w" + std::to_string(end);
    Json& post = tokenizer["post_processor"];
    post["single"].push_back({{"SpecialToken", {{"id", name}, {"type_id", 0}}}});
    post["special_tokens"][name] = {{"id", name}, {"ids", {end}}, {"tokens", {name}}};
    tokenizer["added_tokens"].push_back({{"id", end}, {"content", name}, {"special", true}});
  }
  write_file(path.string(), tokenizer.dump());
}

inline void make_gpt2(const fs::path& folder) {
  write_whole_model(folder, model_case("gpt2"));
  write_tokenizer_of(folder,
                     {"The", "Ġcat", "Ġsat", "Ġon", "Ġthe", "Ġmat", "ĠMary", "ĠJohn", "Ġa", "a", "Ġb"}, true);
}
inline void make_clip(const fs::path& folder) {
  write_picture_model(folder, "clip");
  write_tokenizer_of(folder, {"a", "photo", "of", "cat", "dog"}, false, 49);
}
inline void make_nllb(const fs::path& folder) {
  write_whole_model(folder, model_case("m2m_100"));
  write_tokenizer_of(folder, {"I", "bought", "a", "boat"}, false);
  const fs::path path = folder / "tokenizer.json";
  Json tokenizer = Json::parse(read_file(path.string()));
  int id = 40;
  for (const char* language : {"eng_Latn", "fra_Latn"}) {
    tokenizer["model"]["vocab"].erase("w" + std::to_string(id));
    tokenizer["model"]["vocab"][language] = id;
    tokenizer["added_tokens"].push_back({{"id", id++}, {"content", language}, {"special", true}});
  }
  write_file(path.string(), tokenizer.dump());
}
inline void make_lesson(const fs::path& path) {
  fs::copy_file(fs::path(SOURCE_DIR) / "assets/lessons/masks.md", path);
}

/// A name of the pages, and what makes the file or folder.
struct DocumentedName {
  const char* name;
  std::function<void(const fs::path&)> make;
};
inline const std::vector<DocumentedName>& documented_names() {
  static const auto copy = [](const char* file) {
    return [file](const fs::path& path) { fs::copy_file(fs::path(TEST_DATA_DIR) / file, path); };
  };
  static const std::vector<DocumentedName> names{
      {"gpt2", make_gpt2},
      {"FOLDER", make_gpt2},
      {"clip", make_clip},
      {"clip-vit-base-patch32", make_clip},
      {"vit-base-patch16-224", [](const fs::path& path) { write_picture_model(path, "vit"); }},
      {"nllb", make_nllb},
      {"whisper-tiny", [](const fs::path& path) { write_whole_model(path, model_case("whisper")); }},
      {"speech.npy", [](const fs::path& path) { write_sound(path, model_case("whisper")); }},
      {"model.gguf", copy("gguf/olmo3.gguf")},
      {"FILE.gguf", copy("gguf/olmo3.gguf")},
      {"cat.jpg", copy("pictures/photo.jpg")},
      {"session.json", [](const fs::path& path) { save_session(path.string(), Session{}); }},
      {"handed-in",
       [](const fs::path& path) {
         fs::create_directory(path);
         save_session((path / "a.json").string(), Session{});
       }},
      {"lesson.md", make_lesson},
      {"LESSON.md", make_lesson},
      {"novel.txt",
       [](const fs::path& path) {
         std::string text;
         for (int i = 0; i < 60020; ++i) text += "word ";
         write_file(path.string(), text);
       }},
  };
  return names;
}
/// Those that the program itself makes: a name, and the command line.
inline const std::vector<std::pair<const char*, Arguments>>& documented_results() {
  static const std::vector<std::pair<const char*, Arguments>> results{
      {"capture.npz",
       {"tensors", "-o", "capture.npz", "--layers", "4", "--d-model", "16", "--heads", "2", "--arrays",
        "attention"}},
      {"figure.png", {"export", "-o", "figure.png"}},
  };
  return results;
}
/// Names that stand for a word of the line, not for a file.
inline const std::map<std::string, std::string>& documented_words() {
  static const std::map<std::string, std::string> words{
      {"FILE", "file.png"}, {"SUBCOMMAND", "export"}, {"N", "64"}, {"…", "--heads=4"}};
  return words;
}

/// Options that the pages name and that are not the program's.
inline const std::map<std::string, std::string>& documented_options_of_others() {
  static const std::map<std::string, std::string> options{
      {"--fuse-qkv", "llama.cpp's converter"},
      {"--on", "scripts/test, scripts/package and scripts/release"},
      {"--dry-run", "scripts/release"},
  };
  return options;
}
/// Lines of the program whose options are read and that are not run, and why.
inline const std::map<std::string, std::string>& documented_but_only_parsed() {
  static const std::map<std::string, std::string> lines{
      {"headscope bench", "measures for a minute"},
      {"headscope bench --model --causes", "draws the weights of a model of GPT-2's size"},
  };
  return lines;
}
/// Lines of other programs, which are parsed and not run, by how they begin, and why.
inline const std::map<std::string, std::string>& documented_but_not_run() {
  static const std::map<std::string, std::string> beginnings{
      {"sudo ", "they change the machine"},
      {"scripts/", "they build for minutes, and run this test; their names, options and words are looked up"},
      {"CC=", "builds for minutes, as the line without it does"},
      {"tar xf ", "needs the bundle, which scripts/package check unpacks"},
      {"pip install ", "needs the wheel, which scripts/package check installs"},
      {"PYTHONPATH=python ", "opens Python"},
  };
  return beginnings;
}

}  // namespace headscope::tests
