// Models and patterns against slow, obviously correct implementations.

#include "core/text/tokenizer/bpe.h"
#include "core/text/tokenizer/byte_trie.h"
#include "core/text/tokenizer/characters.h"
#include "core/text/tokenizer/pattern.h"
#include "core/text/tokenizer/rewrite_pattern.h"
#include "core/text/tokenizer/unigram.h"
#include "tests/support/testing.h"

namespace headscope::tests {

using namespace tokenizers;

Vocabulary vocabulary_of(const std::vector<std::string>& tokens) {
  std::vector<Vocabulary::Entry> entries;
  for (const std::string& token : tokens) entries.push_back({token, static_cast<TokenId>(entries.size())});
  return Vocabulary(std::move(entries), "test");
}

std::string random_letters(std::mt19937& random, std::size_t maximum, unsigned letters) {
  std::string text;
  for (std::size_t i = 1 + random() % maximum; i > 0; --i)
    text += static_cast<char>('a' + random() % letters);
  return text;
}

std::vector<std::string> tokens_of(const Model& model, const std::string& text) {
  std::vector<ModelToken> tokens;
  WorkBudget budget("test", text.size());
  model.encode(text, tokens, budget);
  std::vector<std::string> texts;
  for (const ModelToken& token : tokens) {
    texts.push_back(text.substr(token.bytes.begin, token.bytes.size()));
    EXPECT_EQ(model.vocabulary().token(token.id), texts.back());
  }
  return texts;
}

// The first rule in the list that fits anywhere, at its leftmost match, repeatedly.
std::vector<std::string> merged_one_by_one(const std::vector<Merge>& merges, const std::string& text) {
  std::vector<std::string> parts;
  for (const char c : text) parts.emplace_back(1, c);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [first, second] : merges) {
      for (std::size_t i = 0; i + 1 < parts.size() && !changed; ++i) {
        if (parts[i] != first || parts[i + 1] != second) continue;
        parts[i] += parts[i + 1];
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        changed = true;
      }
      if (changed) break;
    }
  }
  return parts;
}

TEST(Bpe, the_queue_merges_what_merging_one_by_one_does) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> tokens{"a", "b", "c"};
    std::vector<std::pair<std::string, std::string>> pairs;
    for (int i = 0; i < 12; ++i) {
      const std::string first = tokens[random() % tokens.size()], second = tokens[random() % tokens.size()];
      if (std::ranges::find(tokens, first + second) == tokens.end()) tokens.push_back(first + second);
      if (std::ranges::find(pairs, std::pair(first, second)) == pairs.end())
        pairs.emplace_back(first, second);
    }
    // A pair may precede the one that produces its part.
    std::ranges::shuffle(pairs, random);
    std::vector<Merge> merges;
    for (const auto& [first, second] : pairs) merges.push_back({first, second});
    const Bpe bpe(vocabulary_of(tokens), merges, {}, "test");
    for (int i = 0; i < 20; ++i) {
      const std::string text = random_letters(random, 24, 3);
      EXPECT_EQ(tokens_of(bpe, text), merged_one_by_one(merges, text)) << text;
    }
  }
}

// Tries every segmentation of the text; returns the best.
void cut_in_every_way(const std::vector<ScoredPiece>& pieces, const std::string& text, double score,
                      double& best) {
  if (text.empty()) best = std::max(best, score);
  for (const ScoredPiece& piece : pieces)
    if (!piece.text.empty() && text.starts_with(piece.text))
      cut_in_every_way(pieces, text.substr(piece.text.size()), score + piece.score, best);
}

TEST(Unigram, no_way_to_cut_a_text_has_a_better_score) {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    std::vector<ScoredPiece> pieces{{"<unk>", 0}};
    std::map<std::string, double> scores;
    for (const char* letter : {"a", "b", "c"}) scores[letter] = -3.0 - static_cast<double>(random() % 40) / 8;
    for (int i = 0; i < 15; ++i)
      scores[random_letters(random, 5, 3)] = -2.0 - static_cast<double>(random() % 80) / 8;
    for (const auto& [text, score] : scores) pieces.push_back({text, score});
    const Unigram unigram(pieces, TokenId{0}, false, "test");
    for (int i = 0; i < 20; ++i) {
      const std::string text = random_letters(random, 11, 3);
      double best = -1e9, sum = 0;
      cut_in_every_way(pieces, text, 0, best);
      for (const std::string& token : tokens_of(unigram, text)) sum += scores.at(token);
      EXPECT_DOUBLE_EQ(sum, best) << text;
    }
  }
}

// Quadratic time would show as a hanging test.
TEST(Unigram, goes_once_over_a_text_whatever_the_length_of_its_pieces) {
  std::vector<ScoredPiece> pieces{{"<unk>", 0}, {"a", -1}};
  for (std::size_t size = 1000; size <= 100'000; size += 1000)
    pieces.push_back({std::string(size, 'a'), -static_cast<double>(size) / 2});
  const Unigram unigram(pieces, TokenId{0}, false, "test");
  EXPECT_GE(tokens_of(unigram, std::string(400'000, 'a')).size(), 4U);
}

TEST(LongestBeginnings, are_those_of_a_trie_and_found_in_one_pass) {
  std::mt19937 random(5);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::string> texts;
    for (int i = 0; i < 12; ++i) texts.push_back(random_letters(random, 6, 2));
    std::vector<std::pair<std::string_view, std::int32_t>> numbered;
    for (const std::string& text : texts)
      numbered.emplace_back(text, static_cast<std::int32_t>(numbered.size()));
    const LongestBeginnings longest(numbered);
    const ByteTrie trie(numbered);
    const std::string text = random_letters(random, 40, 3);
    const auto found = longest.find(text);
    for (std::size_t at = 0; at < text.size(); ++at) {
      const ByteTrie::Longest expected = trie.longest(std::string_view(text).substr(at));
      EXPECT_EQ(found[at].bytes, expected.bytes);
      EXPECT_EQ(found[at].number, expected.number);
    }
  }
  const std::string late = std::string(400'000, 'a') + "q";
  const std::pair<std::string_view, std::int32_t> one{late, 7};
  EXPECT_EQ(LongestBeginnings({&one, 1}).find(std::string(1'000'000, 'a')).front().bytes, 0U);
}

TEST(Unigram, of_equal_scores_the_one_found_first_stays) {
  const Unigram unigram({{"<unk>", 0}, {"a", -1}, {"b", -1}, {"ab", -2}, {"bc", -1}, {"c", 0}}, TokenId{0},
                        false, "test");
  EXPECT_THAT(tokens_of(unigram, "ab"), ElementsAre("ab"));
  EXPECT_THAT(tokens_of(unigram, "bc"), ElementsAre("bc"));
}

std::vector<std::string> found_in(const std::string& text, const std::string& expression) {
  std::vector<std::string> found;
  WorkBudget budget("test", text.size());
  for (const Bytes& match : Pattern::regex(expression, "test", budget).matches(text, budget))
    found.push_back(text.substr(match.begin, match.size()));
  return found;
}

TEST(Pattern, finds_what_oniguruma_finds_with_the_characters_of_unicode_16) {
  EXPECT_THAT(found_in("a-bb--", "b*"), ElementsAre("", "", "bb", "", ""));
  EXPECT_THAT(found_in("x\u00b2 \u00bd", "\\w+"), ElementsAre("x\u00b2", "\u00bd"));
  EXPECT_THAT(found_in("x\u00b2", "[\\w]+"), ElementsAre("x"));
  // Letters of Unicode 15.1 and 16.
  const std::string later = "\U0002ebf0\u1c89";
  for (const char* letters :
       {"\\p{L}+", "[\\p{L}]+", "[^\\P{L}]+", "\\w+", "[^\\W]+", "[[\\p{L}]&&[^a]]+", "\\p{^N}+"})
    EXPECT_THAT(found_in(later, letters), ElementsAre(later)) << letters;
  for (const char* others : {"\\P{L}", "[^\\p{L}]", "\\W", "[^\\w]", "\\p{N}", "\\p{^L}", "[\\p{^L}]"})
    EXPECT_THAT(found_in(later, others), IsEmpty()) << others;
  EXPECT_THAT(found_in("\\p{L}", "\\\\p\\{L\\}"), ElementsAre("\\p{L}"));
  EXPECT_THAT(found_in("]a[:", "[]\\p{L}[:punct:]]"), ElementsAre("]", "a", "[", ":"));
}

TEST(Pattern, counts_its_loops_and_finds_the_same) {
  const std::string a = "(?:a(?{loop}))";
  const std::pair<std::string, std::string> cases[] = {
      {"a+b?", a + "+b?"},
      {"a*?|a++", a + "*?|" + a + "++"},
      {"a{2,}{3}", a + "{2,}{3}"},
      {"a{1,9}a{10}a{x}a{,}", "a{1,9}" + a + "{10}a{x}a{,}"},
      {"(?:ab)+", "(?:(?:ab)(?{loop}))+"},
      {"(?<n>a)\\k<n>*", "(?<n>a)(?:(?:(?{back})\\k<n>)(?{loop}))*"},
      {"(a)\\1\\12+", "(a)(?:(?{back})\\1)(?{back})\\12+"},
      {"\\x41+\\x{41}+\\u0041+", "(?:\\x41(?{loop}))+(?:\\x{41}(?{loop}))+(?:\\u0041(?{loop}))+"},
      {"[^]a[:alpha:]\\]]+", "(?:[^]a[:alpha:]\\]](?{loop}))+"},
      {"\\p{L}+é+", "(?:\\p{L}(?{loop}))+(?:é(?{loop}))+"},
      {"a(?#+)+", "(?:a(?#+)(?{loop}))+"},
      {"(?<=a+)^*(?~b)", "(?<=a+)^*(?{rest})(?~b)"}};
  for (const auto& [expression, counted] : cases)
    EXPECT_EQ(rewritten_pattern(expression, false, true), counted);
  const std::tuple<const char*, const char*, std::vector<std::string>> found[] = {
      {"aabaaa", "a{2,}b|a+", {"aab", "aaa"}},
      {"abcabcab", "(?:(?i:AB)c)+", {"abcabc"}},
      {"xaaax", "(?<n>a)\\k<n>*", {"aaa"}},
      {"AAB", "\\x41+", {"AA"}},
      {"a]:é]", "[^]a[:punct:]\\]]+", {"é"}},
      {"aaab", "a*?b|a++", {"aaab"}},
      {"((a)(b))", "(?<p>\\((?:a|b|\\g<p>)*\\))", {"((a)(b))"}},
      {"aab", "(?<=a)b+|(?>a+)", {"aa", "b"}}};
  for (const auto& [text, expression, matches] : found)
    EXPECT_EQ(found_in(text, expression), matches) << expression;
}

TEST(Pattern, of_quadratic_time_is_refused_after_as_many_steps_wherever_they_are_taken) {
  const std::string many(60'000, 'a');
  for (const char* expression : {"a+b", "(?=a*)a", "(?<n>a)\\k<n>+b", "a++b|a", "(a+)\\1b"})
    EXPECT_THAT(complaint([&] { found_in(many, expression); }),
                HasSubstr("test: the pattern takes too long on this text"))
        << expression;
  // One budget for all pieces of a text.
  WorkBudget budget("test", 0);
  const Pattern pattern = Pattern::regex("a+b", "test", budget);
  const std::string piece(3000, 'a');
  EXPECT_THAT(complaint([&] {
                for (int i = 0; i < 10; ++i) pattern.matches(piece, budget);
              }),
              HasSubstr("takes too long"));
}

TEST(Pattern, ends_on_request) {
  const std::string text(2000, 'a');
  std::stop_source stop;
  WorkBudget going("test", text.size(), stop.get_token()), stopped("test", text.size(), stop.get_token());
  const Pattern pattern = Pattern::regex("a+b", "test", going);
  EXPECT_THAT(pattern.matches(text, going), IsEmpty());
  stop.request_stop();
  EXPECT_THAT(complaint([&] { pattern.matches(text, stopped); }), HasSubstr("takes too long"));
}

TEST(Pattern, that_explodes_or_is_none_is_refused_in_a_line) {
  EXPECT_THAT(complaint([] { found_in(std::string(60, 'a') + "!", "(?:(?:a?)+)+$(?<=b)|(a|aa)+$(?<=b)"); }),
              HasSubstr("test: the pattern takes too long on this text, from byte 0 on"));
  EXPECT_THAT(complaint([] { found_in("", "(a"); }), StartsWith("test: the pattern (a cannot be compiled: "));
  EXPECT_THAT(complaint([] { found_in("", std::string(100'000, '(')); }), HasSubstr("100000 bytes"));
}

TEST(Characters, of_different_versions_of_unicode) {
  EXPECT_TRUE(is_numeric(0x11DE0) && is_numeric(U'½') && !is_numeric(U'a'));
  EXPECT_TRUE(is_word(0x897) && is_word(0x200D) && !is_word(U'½'));
  EXPECT_TRUE(is_punctuation(U'$') && is_punctuation(0x166D) && !is_punctuation(0x2E43) &&
              !is_punctuation(U'€'));
  EXPECT_TRUE(is_control(0xAD) && !is_control(U'\n') && !is_control(0x378) && !is_control(0x13430));
  EXPECT_TRUE(is_nonspacing_mark(0x301) && !is_nonspacing_mark(0x8D4) && is_mark(0x8D4) && !is_mark(0x898));
  EXPECT_EQ(lower_case(0x130), U"i\u0307");
  EXPECT_EQ(lower_case(0x10D50), U"\U00010D70");
  EXPECT_EQ(script(U'か'), script(U'中'));
  EXPECT_EQ(script(0x1F923), script(U'!'));
  EXPECT_EQ(script(0x1F970), any_script);
}

}  // namespace headscope::tests
