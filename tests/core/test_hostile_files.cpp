#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/attention/mask.h"
#include "core/base/budget.h"
#include "core/figure/boards/formula.h"
#include "core/figure/canvas/formats.h"
#include "core/inputs/inputs.h"
#include "core/io/compress.h"
#include "core/io/file_lock.h"
#include "core/io/path_in_folder.h"
#include "core/io/strict_json.h"
#include "core/session/session.h"
#include "core/session/session_figure.h"
#include "core/system/files.h"
#include "core/teach/check.h"
#include "core/teach/handout.h"
#include "tests/support/read_arrays.h"
#include "tests/support/testing.h"

namespace headscope::tests {

// Small files and texts that would expand enormously. A reader that does not refuse in time shows as a
// hanging test.

/// `item` that many times, with commas between.
std::string repeated(const std::string& item, int times, const std::string& comma = ",") {
  std::string list = item;
  for (int i = 1; i < times; ++i) list += comma + item;
  return list;
}

std::string session_with(const std::string& fields) {
  return "{\"version\": 1, " + fields + "}";
}

std::string numbered_fields(int count, const std::string& value) {
  std::string fields = "\"f0\": " + value;
  for (int i = 1; i < count; ++i) fields += ",\"f" + std::to_string(i) + "\": " + value;
  return fields;
}

/// Every second column in that many heads.
std::string stripes(int heads) {
  std::string text;
  for (int head = 0; head < heads; ++head)
    for (int key = 0; key < 4096; key += 2)
      text += fmt::format("{}0-4095:{}", key > 0 ? "," : fmt::format("{}head={},", head > 0 ? ";" : "", head),
                          key);
  return text;
}

TEST(HostileSession, is_refused_in_time) {
  const std::string too_much = "too much is packed into it";
  const std::pair<std::string, std::string> cases[] = {
      {session_with(numbered_fields(100'000, "1")), "f0 is not a field"},
      {session_with("\"bookmarks\": [" + repeated("{}", 400'000) + "]"), too_much},
      {session_with("\"labels\": [" + repeated("[]", 400'000) + "]"), "labels[0] is []"},
      {session_with("\"mask\": [" + repeated("\"causal\"", 100'000) + "]"), "mask has 100000 parts"},
      {session_with("\"mask\": [" + repeated("\"painted:0-4095:0-4095\"", 20'000) + "]"), too_much},
      {session_with("\"mask\": \"painted:" + stripes(64) + "\""), too_much},
      {std::string(200'000, '[') + std::string(200'000, ']'), "nested more than 32 levels"},
      {session_with("\"view\": " + std::string(100'000, '[')), "nested more than 32 levels"}};
  for (const auto& [json, part] : cases)
    EXPECT_THAT(complaint([&, file = json] { session_from_json(file, "s.json"); }),
                AllOf(HasSubstr(part), StartsWith("s.json")))
        << json.substr(0, 60);
}

TEST(HostileSession, a_painting_as_large_as_a_file_explains_is_read) {
  std::string rows = "0:0";
  for (int query = 1; query < 4096; ++query)
    for (int key = 0; key < 100; ++key) rows += fmt::format(",{}:{}", query, 2 * key);
  EXPECT_EQ(parse_mask_part("painted:" + rows).painted.size(), 4095U * 100 + 1);
}

/// A PNG with only a session, compressed.
std::string png_with(const std::string& json) {
  const auto number = [](std::size_t n) {
    return std::string{static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
                       static_cast<char>(n)};
  };
  const std::string data = std::string("headscope-session\0\1\0\0\0", 22) + compressed(json, 9);
  return "\x89PNG\r\n\x1a\n" + number(data.size()) + "iTXt" + data + number(0);
}

TEST(HostileFigure, what_it_unpacks_to_is_charged_by_the_item) {
  const std::string numbers = session_with("\"bookmarks\": [" + repeated("1", 4'000'000) + "]");
  Budget budget("f.png", compressed(numbers, 9).size());
  EXPECT_THAT(complaint([&] { session_from_json(numbers, "f.png", budget); }), HasSubstr("f.png: too much"));
  const std::string bomb = png_with(std::string(std::size_t{100} << 20, ' '));
  EXPECT_THAT(complaint([&] { session_json_in_figure(bomb, "f.png"); }), HasSubstr("f.png: too much"));
}

TEST(HostileFigure, streams_that_overlap_or_fail_are_charged_too) {
  std::string overlapping = "%PDF-1.4\nstream\nx\x9c";
  const std::string inner = "stream\nx\x9c";
  for (int i = 0; i < 60'000; ++i)
    overlapping += std::string("\0\x09\0\xf6\xff", 5) + inner;  // stored blocks
  std::string failing = "%PDF-1.4\n";
  std::string zeros = compressed(std::string(30'000'000, '\0'), 9);
  zeros.resize(zeros.size() - 10);
  for (int i = 0; i < 60; ++i) failing += "stream\n" + zeros;
  for (const std::string& pdf : {overlapping, failing})
    EXPECT_THAT(complaint([&] { session_json_in_figure(pdf, "f.pdf"); }), HasSubstr("f.pdf: too much"));
}

std::vector<Token> numbered_words(int count) {
  return std::vector<Token>(static_cast<std::size_t>(count), Token{"a", 0, 1, 0});
}

TEST(HostileMask, what_would_take_long_to_build_is_refused) {
  const std::vector<Token> few = numbered_words(10), many = numbered_words(4096);
  std::vector<MaskPart> parts;
  for (int i = 0; i < 100; ++i) parts.push_back(parse_mask_part("random:2000,seed=" + std::to_string(i)));
  EXPECT_THAT(complaint([&] { build_mask(parts, many, many, 1); }), HasSubstr("the 100 parts of the mask"));
  EXPECT_EQ(build_mask(parts, few, few, 1).density(1), 1) << "it is little work for few tokens";
}

TEST(HostileMask, is_counted_without_a_map_for_every_head) {
  const std::vector<Token> ten = numbered_words(10);
  const std::vector<MaskPart> parts{parse_mask_part("causal"), parse_mask_part("painted:0:0;head=1,3:0-9")};
  const Mask built = build_mask(parts, ten, ten, 4), counted = count_mask(parts, ten, ten, 4);
  EXPECT_EQ(counted.head(1), nullptr);
  EXPECT_TRUE(counted.any());
  EXPECT_EQ(counted.density(4), built.density(4));
  for (int head = 0; head < 4; ++head)
    EXPECT_EQ(counted.empty_queries(head), built.empty_queries(head)) << head;
  EXPECT_THAT(counted.empty_queries(1), ElementsAre(0, 3));
}

TEST(HostileSentence, is_refused_for_its_words_or_its_length) {
  const auto refusal = [](const std::string& text) {
    return complaint([&] { sentence_tokens("sentence", text); });
  };
  EXPECT_EQ(refusal(sentence_of(65537)), "sentence has 65537 tokens; expected at most 65536");
  EXPECT_THAT(refusal(sentence_of(2'000'000, "a", false)), HasSubstr("expected at most 65536"));
  EXPECT_THAT(refusal(std::string(2'000'000, 'a')), HasSubstr("2000000 bytes"));
  EXPECT_THAT(refusal(repeated("猫", 400'000, "")), HasSubstr("expected at most 65536"));
}

/// A lesson of one step, whose English is `text`.
std::string lesson_with(const std::string& text, const std::string& state = "{}") {
  return "# T\n## S\n```state\n" + state + "\n```\n### English\n" + text + "\n";
}

TEST(HostileText, of_a_hundred_thousand_of_a_token_is_judged_by_every_reader) {
  constexpr int many = 100'000;
  const auto times = [](const char* token) { return repeated(token, many, ""); };
  const BoardStyle style = [] {
    BoardStyle made;
    made.measure = [](std::string_view text, double size) { return size * static_cast<double>(text.size()); };
    return made;
  }();
  for (const char* token : {"\\frac", "\\sqrt", "\\color{q}", "{", "}", "\\left(", "x_", "x^", "x^{",
                            "\\frac{1}{", "\\displaystyle", "\\", "'", "1.", "\\text{a", "\\sum"}) {
    complaint([&] { set_formula(times(token), style, 9); });
    complaint([&] { read_lesson(lesson_with("$" + times(token) + "$"), "l.md"); });
    // Just below the length beyond which the text is not parsed.
    std::string below = times(token);
    below.resize(9999);
    complaint([&] { set_formula(below, style, 9); });
  }
  for (const char* token : {"(", "-", "not ", "abs(", "given(", "2^", "1+", "1<", "1<2 or ", "weight("})
    EXPECT_NE(complaint([&] { Expression expression{times(token)}; }), "no complaint") << token;
  for (const char* token : {"[", "{\"a\":", "[1,", "\"", "-"})
    EXPECT_NE(complaint([&] { parse_json(times(token), "j"); }), "no complaint") << token;
  for (const char* token :
       {">", "> ", "* ", "1. ", "[",  "![", "**",  "*",    "_",  "`",        "`` ` ",   "<",   "&",
        "|", "\\", "{",  "}",   "{a", "$",  "$a ", "[a](", "\n", "[a]: b\n", "    a\n", "- \n"})
    complaint([&] { read_lesson(lesson_with(times(token)), "l.md"); });
  for (const char* token : {"painted:", "0:0,", "causal+", "("})
    EXPECT_NE(complaint([&] { parse_mask_part(times(token)); }), "no complaint") << token;
}

TEST(HostileLesson, whose_steps_are_each_legal_and_together_hours_is_refused_before_they_run) {
  const auto step = [](int seed) {
    return fmt::format(
        "## S\n```state\n{{\"repeat\": 2048, \"sentence\": \"a b\", \"d_model\": 512, "
        "\"heads\": 64, \"layers\": {}, \"seed\": {}}}\n```\n### English\na\n",
        12, seed);
  };
  std::string lesson = "# T\n";
  for (int seed = 0; seed < 50; ++seed) lesson += step(seed);
  Engine engine(1);
  const ReadLesson read = read_lesson(lesson, "l.md");
  ASSERT_THAT(read.mistakes, IsEmpty());
  const std::vector<LessonMistake> found = check_lesson(read.lesson, engine);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].line, 3);
  EXPECT_THAT(found[0].error.what(), HasSubstr("too much computing"));
}

TEST(HostileLesson, whose_numbers_are_too_many_is_refused) {
  const std::string lesson =
      lesson_with("a", R"({"repeat": 10000, "sentence": "a b", "d_model": 64, "heads": 1})") +
      "```claims\nhead_entropy(0) < 2\n```\n";
  Engine engine(1);
  const std::vector<LessonMistake> found = check_lesson(read_lesson(lesson, "l.md").lesson, engine);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].error.what(), HasSubstr("too much computing"));
}

TEST(HostileLesson, of_a_paragraph_of_a_megabyte_has_no_pages) {
  Handout handout;
  handout.source = "l.md";
  TextBlock& paragraph = handout.text.emplace_back();
  paragraph.kind = TextBlock::Kind::paragraph;
  paragraph.spans.emplace_back().text = repeated("word", 200'000, " ");
  EXPECT_THAT(complaint([&] { handout_pdf(handout, Paper::a4); }),
              HasSubstr("l.md: too much is packed into it"));
}

TEST(HostileLesson, of_a_hundred_thousand_rules_has_no_pages) {
  Handout handout;
  handout.source = "l.md";
  handout.text.resize(100'000);
  for (TextBlock& rule : handout.text) rule.kind = TextBlock::Kind::rule;
  EXPECT_THAT(complaint([&] { handout_pdf(handout, Paper::a4); }),
              HasSubstr("l.md: too much is packed into it"));
}

TEST(HostileLesson, of_a_paragraph_with_a_bracket_on_each_of_many_lines_is_refused) {
  const ReadLesson read = read_lesson(lesson_with(repeated("a [x]", 200'000, "\n")), "l.md");
  ASSERT_EQ(read.mistakes.size(), 1U);
  EXPECT_THAT(read.mistakes[0].error.what(), HasSubstr("expected a shorter one"));
  const std::string apart = lesson_with(repeated("a [x]\n", 20'000, "\n"));
  EXPECT_THAT(read_lesson(apart, "l.md").mistakes, IsEmpty());
}

TEST(HostileLesson, with_a_nul_is_refused_with_its_line) {
  std::string text = lesson_with("a");
  text[2] = '\0';
  const ReadLesson read = read_lesson(text, "l.md");
  ASSERT_EQ(read.mistakes.size(), 1U);
  EXPECT_EQ(read.mistakes[0].line, 1);
  EXPECT_THAT(read.mistakes[0].error.what(), HasSubstr("NUL"));
}

TEST(WorkBudget, is_of_a_file_and_ends_where_requested) {
  WorkBudget budget("f", 0);
  const std::size_t all = budget.steps_left();
  EXPECT_GT(WorkBudget("f", 1000).steps_left(), all);
  budget.spend(all / 2);
  EXPECT_EQ(complaint([&] { budget.spend(all); }),
            "f: too much is packed into it: it would take more than about 1 s of work");
  EXPECT_FALSE(budget.take(1)) << "nothing is left";
  std::stop_source stop;
  WorkBudget stopped("f", 0, stop.get_token());
  EXPECT_TRUE(stopped.take(1));
  stop.request_stop();
  EXPECT_FALSE(stopped.take(1));
}

TEST(WholeNumber, is_none_where_it_does_not_fit) {
  const auto number = [](const char* text) { return integer_in(parse_json(text, "j"), -5, INT_MAX); };
  EXPECT_THAT(number("7"), Optional(7));
  EXPECT_THAT(number("-5"), Optional(-5));
  for (const char* text :
       {"1e308", "-1e308", "2.0", "-6", "2147483648", "18446744073709551615", "\"1\"", "null", "true", "[1]"})
    EXPECT_FALSE(number(text)) << text;
}

class HostileFile : public InFolder {
 protected:
  std::string written(const std::string& name, const std::string& bytes) const {
    std::ofstream(at(name), std::ios::binary) << bytes;
    return at(name);
  }
  std::string safetensors(const std::string& header, std::size_t data_size) const {
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
    return written("a.safetensors", length + header + std::string(data_size, '\0'));
  }
};

TEST_F(HostileFile, safetensors_of_many_arrays_is_listed_in_the_order_of_their_numbers) {
  std::string header = "{";
  constexpr std::size_t count = 100'000;
  for (std::size_t i = count; i-- > 0;)
    header += fmt::format("\"t{}\":{{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[{},{}]}}{}", i, 4 * i,
                          4 * i + 4, i == 0 ? "}" : ",");
  const std::vector<ArrayInfo> arrays = list_arrays(safetensors(header, 4 * count));
  ASSERT_EQ(arrays.size(), count);
  EXPECT_EQ(arrays[12'345].name, "t12345");
}

TEST_F(HostileFile, safetensors_with_offsets_that_cannot_be) {
  const auto entry = [](const char* shape, const char* offsets) {
    return fmt::format("{{\"dtype\":\"F32\",\"shape\":{},\"data_offsets\":{}}}", shape, offsets);
  };
  const std::pair<std::string, const char*> cases[] = {
      {"{\"a\":" + entry("[2]", "[0,8]") + ",\"b\":" + entry("[2]", "[4,12]") + "}",
       "a and b share bytes 4 to 8"},
      {"{\"a\":" + entry("[4611686018427387904,4]", "[0,0]") + "}", "is too large for any memory"},
      {"{\"a\":" + entry("[1]", "[18446744073709551612,18446744073709551615]") + "}", "damaged"},
      {"{\"a\":" + entry("[3]", "[0,8]") + "}", "8 bytes of numbers; expected 12"}};
  for (const auto& [header, part] : cases) {
    const std::string file = safetensors(header, 12);
    EXPECT_THAT(complaint([&] { list_arrays(file); }), HasSubstr(part));
    EXPECT_THAT(complaint([&] { read_arrays(file); }), HasSubstr(part));
  }
}

TEST_F(HostileFile, large_files_are_judged_by_their_start) {
  for (const char* start : {"", "\x89PNG\r\n\x1a\n", "%PDF-1.4", "{"}) {
    const std::string sparse = written("sparse", start);
    fs::resize_file(sparse, std::uintmax_t{1} << 40);
    EXPECT_NE(complaint([&] { session_from_figure(sparse); }), "no complaint");
    EXPECT_NE(complaint([&] { load_session(sparse); }), "no complaint");
    EXPECT_NE(complaint([&] { list_npy(sparse); }), "no complaint");
    EXPECT_NE(complaint([&] { list_arrays(sparse); }), "no complaint");
  }
}

TEST_F(HostileFile, a_pipe_is_read_only_where_somebody_writes) {
  const std::string pipe = at("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(complaint([&] { read_file(pipe); }), HasSubstr("without a writer"));
  std::thread writer([&] { std::ofstream(pipe) << "text"; });
  EXPECT_EQ(read_file(pipe), "text");
  writer.join();
}

/// What a program that is killed while it writes leaves in `folder`: its only entry.
fs::path left_in(const fs::path& folder, const std::function<void(const std::string& path)>& write) {
  fs::create_directory(folder);
  const pid_t child = fork();
  if (child == 0) {
    write((folder / "a").string());
    _exit(1);
  }
  waitpid(child, nullptr, 0);
  const fs::directory_iterator entry(folder);
  return entry == fs::directory_iterator() ? fs::path() : entry->path();
}
fs::path left_file(const fs::path& folder) {
  return left_in(folder, [](const std::string& path) {
    write_file(path, [](std::ostream& out) {
      out << "half a figure" << std::flush;
      _exit(0);
    });
  });
}
fs::path left_folder(const fs::path& folder) {
  return left_in(folder, [](const std::string& path) {
    write_file_at(path, [](const std::string& beside) {
      for (const char* ending : {"", ".a1b2c3"}) std::ofstream(beside + ending) << "half an archive";
      _exit(0);
    });
  });
}

TEST_F(HostileFile, what_killed_writers_left_is_cleaned_up_by_the_next) {
  const fs::path file = left_file(at("first")), of_library = left_folder(at("second"));
  ASSERT_TRUE(fs::is_regular_file(file) && fs::exists(of_library / "file.a1b2c3"));
  fs::rename(file, folder.path / file.filename());
  fs::rename(of_library, folder.path / of_library.filename());
  const fs::path alive = left_file(at("third"));
  const int writer = open(alive.c_str(), O_RDONLY);
  ASSERT_EQ(try_lock(writer), Lock::taken);
  fs::rename(alive, folder.path / alive.filename());
  for (const char* name : {"first", "second", "third"}) fs::remove_all(at(name));
  write_file(at("a"), "x");
  EXPECT_EQ(folder.entries(), 2U);
  EXPECT_TRUE(fs::exists(folder.path / alive.filename()));
  close(writer);
  write_file_at(at("b"), [](const std::string& beside) { std::ofstream(beside) << "x"; });
  EXPECT_EQ(folder.entries(), 2U);
}

TEST_F(HostileFile, what_only_resembles_a_left_file_is_the_users) {
  const std::string left = left_file(at("first")).filename().string();
  const std::string marked = left_folder(at("second")).filename().string();
  fs::remove_all(at("first"));
  std::set<std::string> expected;
  for (const std::string& name :
       {std::string(".headscope-20251128.json"), std::string(".headscope-01234567"),
        std::string(".headscope-89abcdef.npz"), std::string(".headscope-0123456789abcdef-0123456789abcdef"),
        left + ".json", left + "0"}) {
    written(name, "a user's");
    expected.insert(name);
  }
  // Folders: named by date, without our mark, and with more in it than we write.
  for (const std::string& name : {std::string(".headscope-20251128"), left, marked}) {
    fs::create_directory(at(name));
    std::ofstream(at(name + "/notes")) << "a user's";
    expected.insert(name);
  }
  for (const auto& entry : fs::directory_iterator(at("second/" + marked)))
    fs::copy(entry.path(), at(marked) / entry.path().filename());
  fs::remove_all(at("second"));
  write_file(at("a"), "x");
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder.path))
    found.insert(entry.path().filename().string());
  expected.insert("a");
  EXPECT_EQ(found, expected);
  for (const std::string& name : {std::string(".headscope-20251128"), left, marked})
    EXPECT_TRUE(fs::exists(at(name + "/notes"))) << name;
}

TEST_F(HostileFile, a_lock_is_held_by_one_at_a_time_and_leaves_nothing) {
  auto lock = FileLock::take(at("lock"));
  EXPECT_TRUE(lock);
  EXPECT_FALSE(FileLock::take(at("lock")));
  FileLock moved = std::move(*lock);
  lock.reset();
  EXPECT_FALSE(FileLock::take(at("lock")));
  { const FileLock ended = std::move(moved); }
  EXPECT_EQ(folder.entries(), 0U);
  written("lock", "");
  EXPECT_TRUE(FileLock::take(at("lock"))) << "what a killed program left is free";
}

TEST_F(HostileFile, json_ends_where_its_file_does) {
  for (const std::string& behind : {std::string(1, '\0'), std::string("\0\0{", 3), std::string("x")}) {
    const std::string found = complaint([&] { parse_json("{\"a\": 1}" + behind, "f"); });
    EXPECT_EQ(found, behind == "x" ? "f: not JSON at line 1, column 9"
                                   : "f: byte 8 is NUL; expected JSON and nothing else");
  }
  EXPECT_EQ(parse_json("{\"a\": 1}\n ", "f")["a"], 1);
}

TEST_F(HostileFile, a_folder_that_leads_to_itself_is_called_so) {
  fs::create_directory_symlink("round", at("round"));
  EXPECT_EQ(complaint([&] { expect_folder(at("round")); }), at("round") + ": a link that leads to itself");
  EXPECT_EQ(complaint([&] { expect_folder(at("none")); }), at("none") + " does not exist");
}

}  // namespace headscope::tests
