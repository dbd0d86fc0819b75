#include "core/text/tokenizer/gguf_patterns.h"

#include <algorithm>
#include <string>

namespace headscope::tokenizers {
namespace {

// As the tokenizers of the models that the names come from have them, in Oniguruma's syntax.

constexpr const char* gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr const char* llama3_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* qwen2_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* tekken_pattern =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* o200k_pattern =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* bloom_pattern = R"( ?[^(\s|[.,!?…。，、।۔،])]+)";
constexpr const char* digit_pattern = R"(\p{N})";
constexpr const char* digits_pattern = R"(\p{N}+)";
constexpr const char* up_to_three_digits = R"(\p{N}{1,3})";
constexpr const char* three_digits_pattern = "[0-9][0-9][0-9]";
constexpr const char* falcon_punctuation = R"([\p{P}\$\+<=>\^~\|`]+)";

// Of files that name none: as llama.cpp splits them.
constexpr const char* usual_punctuation = R"([\p{P}\$\+<=>\^~\|]+)";
constexpr const char* qwen35_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* seed_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* bailing_pattern =
    R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)";
constexpr const char* without_contractions =
    R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* minicpm_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
// DeepSeek's: letters with cases, punctuation, Chinese, Japanese and Korean characters.
constexpr const char* line_end = R"([\r\n])";
constexpr const char* deepseek_letters =
    R"(\s?[)"
    R"(A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽ)"
    R"(ᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-)"
    R"(Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-)"
    R"(ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃)"
    R"(]+)";
constexpr const char* deepseek_punctuation = R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)";
constexpr const char* deepseek_spaces = R"(\s+$)";
constexpr const char* deepseek_characters = "[一-龥ࠀ-一가-퟿]+";
constexpr const char* deepseek_coder_letters = R"(\s?\p{L}+)";
constexpr const char* deepseek_coder_punctuation = R"(\s?\p{P}+)";
constexpr const char* deepseek3_characters = "[一-龥぀-ゟ゠-ヿ]+";
constexpr const char* deepseek3_pattern =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

constexpr PreTokenization pre_tokenizations[] = {
    {",gpt-2,phi-2,mpt,olmo,jais,trillion,roberta-bpe,jina-es,jina-de,jina-v1-en,jina-v2-es,jina-v2-de,"
     "jina-v2-code,gigachat,a.x-4.0,mellum,modern-bert,exaone4,granite-docling,",
     {gpt2_pattern}},
    {",default,", {usual_punctuation, gpt2_pattern, digits_pattern, three_digits_pattern}},
    {",llama-bpe,llama3,llama-v3,falcon3,falcon-h1,pixtral,midm-2.0,lfm2,jina-v5-nano,",
     {llama3_pattern},
     true,
     false,
     true},
    {",smaug-bpe,dbrx,chatglm-bpe,glm4,glm5,", {llama3_pattern}},
    {",qwen2,stablelm2,deepseek-r1-qwen,megrez,", {qwen2_pattern}, false, true},
    {",kormo,f2llmv2,hunyuan,solar-open,grok-2,", {qwen2_pattern}},
    {",qwen35,", {qwen35_pattern}},
    {",seed-coder,", {seed_pattern}},
    {",bailingmoe,bailingmoe2,llada-moe,", {bailing_pattern}},
    {",ufakzeka,", {without_contractions}},
    {",minicpm5,", {up_to_three_digits, minicpm_pattern}, true},
    {",starcoder,refact,command-r,smollm,codeshell,exaone,minerva-7b,mellum2,",
     {digit_pattern, gpt2_pattern}},
    {",falcon,", {falcon_punctuation, gpt2_pattern, three_digits_pattern}},
    {",tekken,", {tekken_pattern}, true, false, true},
    {",gpt-4o,llama4,kanana2,talkie,minimax-m2,", {o200k_pattern}},
    {",bloom,gpt3-finnish,poro-chat,", {bloom_pattern}},
    {",viking,", {bloom_pattern, digit_pattern}},
    {",deepseek-llm,",
     {line_end, deepseek_letters, deepseek_punctuation, deepseek_spaces, deepseek_characters,
      digits_pattern}},
    {",deepseek-coder,",
     {line_end, deepseek_coder_letters, deepseek_coder_punctuation, deepseek_characters, digit_pattern}},
    {",deepseek-v3,hunyuan-dense,joyai-llm,hy_v4,",
     {up_to_three_digits, deepseek3_characters, deepseek3_pattern}}};

}  // namespace

const PreTokenization* pre_tokenization_named(std::string_view name) {
  const std::string between_commas = "," + std::string(name) + ",";
  const auto* const found = std::ranges::find_if(pre_tokenizations, [&](const PreTokenization& row) {
    return name.find(',') == std::string_view::npos &&
           row.names.find(between_commas) != std::string_view::npos;
  });
  return found == std::end(pre_tokenizations) ? nullptr : found;
}

std::string_view some_pre_tokenizations() {
  return "gpt-2, llama-bpe, qwen2, tekken, gpt-4o, deepseek-v3, falcon, command-r, bloom …";
}

}  // namespace headscope::tokenizers
