#include "core/io/compress.h"
#include "core/session/session_link.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

/// A session in which much differs from the defaults, also where a default follows from something else.
Session rich_session() {
  Session session;
  session.inputs.sentence = "猫坐在垫子上 🐈";
  session.inputs.heads = 4;
  session.inputs.seed = UINT64_MAX;
  session.inputs.temperature = 0.1;
  session.inputs.mask = {parse_mask_part("window:2")};
  session.inputs.typed.x = std::vector<double>(session.inputs.d_model * 2, 0.25);
  session.compare = session.inputs;
  session.compare->sentence = Inputs{}.sentence;
  session.view.kind = ViewKind::compare;
  session.view.layer = 2;
  session.view.filter.hidden_keys = {1, 3};
  session.bookmarks = {{"first", session.inputs, View{}, {}, Cell{1, 2, 3}}};
  session.labels = {HeadLabel{.layer = 0, .head = 1, .name = "name", .color = 0xFF0000U}};
  return session;
}

}  // namespace

TEST(SessionLink, brings_the_session_back) {
  for (Session session : {Session{}, rich_session()}) {
    session.view.range.held.clear();
    EXPECT_TRUE(session_in_link("https://example.org/page.html" + link_to_session(session)) == session);
  }
}

TEST(SessionLink, has_no_more_than_what_differs) {
  EXPECT_EQ(short_json({}), R"({"version":1})");
  Session session;
  session.inputs.heads = 4;
  session.view.colormap = Colormap::magma;
  EXPECT_EQ(short_json(session), R"({"heads":4,"version":1,"view":{"colormap":"magma"}})");
  session.view.range.held.resize(8);
  EXPECT_EQ(short_json(session), R"({"heads":4,"version":1,"view":{"colormap":"magma"}})");
  session.view.range.held.clear();
  // "inputs" is left out for typed vectors, too, and means others without them.
  session.inputs.typed.x = std::vector<double>(static_cast<std::size_t>(session.inputs.d_model), 1.5);
  EXPECT_TRUE(session_from_json(short_json(session), "s") == session);
}

// As Python's zlib (wbits=-15) and urlsafe_b64encode make it, without padding.
TEST(SessionLink, has_the_format_of_the_page) {
  const Session session = session_in_link(
      "#s=DcuxDYAgEAXQVcyvaUysbhVjccGLEgUMh1gQNnATB3MNff2rKJLUxQDqDVRClmAFhPd-OuUMg1V4VtBg4Fk30AjLp_"
      "KOyaA4uUAVNu4xeT7-"
      "6HnxjNY-");
  EXPECT_EQ(session.inputs.sentence, "猫 sat");
  EXPECT_EQ(session.inputs.heads, 4);
  EXPECT_EQ(session.view.colormap, Colormap::magma);
  EXPECT_EQ(link_to_session({}).find_first_of("+/="), 2U) << "the one of #s=";
}

TEST(SessionLink, that_is_damaged_is_refused_wherever) {
  Session session;
  session.inputs.sentence = "One two three";
  const std::string link = link_to_session(session);
  const auto why = [](const std::string& text) { return complaint([&] { session_in_link(text); }); };
  for (std::size_t size = 3; size < link.size(); ++size)
    EXPECT_THAT(why(link.substr(0, size)), HasSubstr("the link is damaged")) << size;
  EXPECT_THAT(why(link + "AAAA"), HasSubstr("the link is damaged"));
  EXPECT_THAT(why("#s=" + std::string(40, '!')), HasSubstr("the link is damaged"));
  for (const char* json : {"[1]", "{}", R"({"heads":2})", "null"})
    EXPECT_THAT(why(link_from_json(json)), HasSubstr("the link is damaged")) << json;
  EXPECT_NO_THROW(session_in_link(" " + link + "\n"));
  EXPECT_THAT(why(link_from_json(R"({"version":1,"heads":0})")), HasSubstr("heads"));
  EXPECT_THAT(why(link_from_json(R"({"path":"","session":{"version":1},"lesson":{"path":"masks"}})")),
              HasSubstr("a step of a lesson"));
  EXPECT_THAT(why("#s=" + std::string(8193, 'A')),
              HasSubstr("bytes in the link: 8193; expected at most 8192"));
}

TEST(SessionLink, is_known_by_its_beginning) {
  for (const char* text : {"https://a.org/h.html#s=abc", "http://a/#s=", "file:///home/h.html#s=x", "#s=x",
                           " https://a.org/h.html#s=abc\n", "file:///my files/h.html#s=x"})
    EXPECT_TRUE(is_link(text)) << text;
  for (const char* text : {"https://a.org/h.html", "a.json", "", "ftp://a/#s=", "https://#s", "say #s=x"})
    EXPECT_FALSE(is_link(text)) << text;
}

TEST(SessionLink, holds_neither_files_nor_answers) {
  Session session;
  session.answers = {LessonAnswer{"masks", 0, 0, {1}}};
  EXPECT_EQ(link_to_session(session), link_to_session({}));
  session.inputs.model = "induction";
  EXPECT_NE(link_to_session(session), link_to_session({}));
  session.inputs.picture = "drawn-shapes/circle.png";
  EXPECT_NO_THROW(link_to_session(session));
  const auto refused = [&](const std::string& name) {
    EXPECT_THAT(complaint([&] { link_to_session(session); }),
                HasSubstr("the session needs \"" + name + "\", which a link cannot hold"));
    session = {};
  };
  session.inputs.model = "/home/me/gpt2/";
  refused("gpt2");
  session.compare.emplace().capture = "a/b.npz";
  refused("b.npz");
  session.inputs.mask = {parse_mask_part("file:/files/mask.npy")};
  refused("mask.npy");
  session.bookmarks = {{"b", {}, {}, {}, {}}};
  session.bookmarks.front().inputs.picture = "cat.png";
  refused("cat.png");
  // Nor does one that somebody else has made.
  EXPECT_THAT(complaint([] { session_in_link(link_from_json(R"({"version":1,"model":"../../etc"})")); }),
              HasSubstr("the session needs \"etc\", which a link cannot hold"));
}

TEST(SessionLink, that_is_too_long_says_how_long) {
  Session session;
  std::mt19937 random(1);
  while (session.inputs.sentence.size() < 9000)
    session.inputs.sentence += static_cast<char>('!' + random() % 90);
  EXPECT_THAT(complaint([&] { link_to_session(session); }),
              AllOf(HasSubstr("bytes in the link: "), HasSubstr("; expected at most 8192")));
}

TEST(PageAddress, is_one_of_a_page) {
  EXPECT_EQ(address_of_page("https://example.org/头.html"), "https://example.org/头.html");
  EXPECT_EQ(address_of_page("http://a/b.html#s=old"), "http://a/b.html");
  EXPECT_EQ(address_of_page("file:///home/me/headscope.html"), "file:///home/me/headscope.html");
  for (const char* text :
       {"", "example.org", "https://", "javascript:alert(1)", "https://a b", "https://a\"b", "https://a\x80"})
    EXPECT_THAT(complaint([&] { address_of_page(text); }), HasSubstr("the address of the page is")) << text;
}

}  // namespace headscope::tests
