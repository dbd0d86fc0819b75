#include "core/text/tokenizer/tokenizer_folder.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/io/path_in_folder.h"
#include "core/io/strict_json.h"

namespace headscope::tokenizers {

namespace fs = std::filesystem;

JsonFile::JsonFile(std::string its_path, std::size_t its_bytes)
    : path(std::move(its_path)),
      bytes(its_bytes),
      json(std::make_unique<nlohmann::json>(nlohmann::json::object())),
      budget(std::make_unique<WorkBudget>(path, bytes)) {}
JsonFile::JsonFile(JsonFile&& other) noexcept = default;
JsonFile::~JsonFile() = default;

JsonField JsonFile::top() const {
  return {*json, path, "", budget.get()};
}

std::string TokenizerFolder::at(const char* name) const {
  return (fs::path(path_) / name).string();
}

bool TokenizerFolder::has(const char* name) const {
  std::error_code ignored;
  return fs::exists(at(name), ignored);
}

JsonFile TokenizerFolder::read(const char* name) const {
  const std::string path = path_in_folder(path_, name), text = read_file(path, max_tokenizer_file);
  JsonFile file(path, text.size());
  *file.json = parse_json(text, path, *file.budget);
  return file;
}

std::string TokenizerFolder::read_text(const char* name) const {
  const std::string path = path_in_folder(path_, name);
  std::string text = read_file(path, max_tokenizer_file);
  if (const std::size_t byte = find_invalid_utf8(text); byte != std::string::npos)
    throw input_error("{}: byte {} is not valid UTF-8", path, byte);
  return text;
}

std::string TokenizerFolder::class_kind() const {
  auto name = config().find("tokenizer_class");
  if (!name) name = model_.top().find("tokenizer_class");
  if (!name) return "";
  std::string kind = name->text();
  if (kind.ends_with("Fast")) kind.resize(kind.size() - 4);
  if (kind.ends_with("Tokenizer")) kind.resize(kind.size() - 9);
  std::ranges::transform(kind, kind.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return kind;
}

std::optional<AddedToken> TokenizerFolder::role(const char* name) const {
  for (const JsonFile* file : {&config_, &special_})
    if (const auto field = file->top().find(name)) {
      AddedToken token;
      if (field->is_text())
        token.content = field->text();
      else
        token = read_added_token(*field);
      token.special = true;
      token.normalized = false;
      return token;
    }
  return {};
}

bool TokenizerFolder::gives_types() const {
  const auto names = config().find("model_input_names");
  if (!names) return true;
  if (!names->is_list()) throw names->wrong("{}: {} is {}; expected a list of strings");
  for (std::size_t i = 0; i < names->items(); ++i)
    if (names->item(i).text() == "token_type_ids") return true;
  return false;
}

std::vector<std::string> TokenizerFolder::additional() const {
  std::vector<std::string> tokens;
  // Version 5 of transformers calls them "extra".
  for (const char* name : {"additional_special_tokens", "extra_special_tokens"})
    for (const JsonFile* file : {&special_, &config_})
      if (const auto list = file->top().find(name); list && list->is_list() && tokens.empty())
        for (std::size_t i = 0; i < list->items(); ++i) {
          const JsonField token = list->item(i);
          tokens.push_back(token.is_text() ? token.text() : read_added_token(token).content);
        }
  return tokens;
}

std::vector<AddedToken> TokenizerFolder::added(const std::vector<AddedToken>& defaults) const {
  std::vector<std::pair<std::int64_t, AddedToken>> all;
  constexpr std::int64_t behind = std::numeric_limits<std::int64_t>::max();
  std::unordered_set<std::string> known;
  const auto add = [&](std::int64_t id, AddedToken token) {
    if (known.insert(token.content).second) all.emplace_back(id, std::move(token));
  };
  if (const auto list = config().find("added_tokens_decoder")) {
    list->expect_object();
    for (const auto& [id, token] : list->json().items()) {
      const std::string_view digits = id;
      const bool is_id = !digits.empty() && digits.size() < 10 &&
                         std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
      if (!is_id)
        throw input_error("{}: {}: {} is no id of a token; expected a whole number", list->file(),
                          list->path(), cut_off(printable(id), 60));
      add(std::stoll(id), read_added_token(*list->find(id.c_str())));
    }
  }
  if (has("added_tokens.json")) {
    const JsonFile file = read("added_tokens.json");
    file.top().expect_object();
    for (const auto& [content, id] : file.json->items()) {
      AddedToken token;
      token.content = content;
      token.normalized = true;
      // Those with a role are special, whatever file gives their number.
      for (const char* name : role_names)
        if (const auto special = role(name); special && special->content == content) token = *special;
      if (const auto special = std::ranges::find(defaults, content, &AddedToken::content);
          special != defaults.end() && !token.special)
        token = *special;
      add(file.top().at(content.c_str()).integer(0, behind - 1), token);
    }
  }
  for (const char* name : role_names)
    if (const auto token = role(name)) add(behind, *token);
  for (const AddedToken& token : defaults) add(behind, token);
  for (const std::string& token : additional()) add(behind, special_token(token));
  std::ranges::stable_sort(all, {}, [](const auto& one) { return one.first; });
  std::vector<AddedToken> result;
  for (auto& [id, token] : all) result.push_back(std::move(token));
  return result;
}

JsonFile TokenizerFolder::read_if_there(const char* name) const {
  JsonFile file = has(name) ? read(name) : JsonFile(at(name));
  file.top().expect_object();
  return file;
}

AddedToken special_token(const std::string& content, bool lstrip) {
  AddedToken token;
  token.content = content;
  token.lstrip = lstrip;
  token.special = true;
  return token;
}

nlohmann::json token_pair(const Vocabulary& vocabulary, const std::string& token, const std::string& file) {
  const auto id = vocabulary.find(token);
  if (!id) throw input_error("{}: the vocabulary has no {}", file, cut_off(printable(token), 60));
  return nlohmann::json::array({token, *id});
}

}  // namespace headscope::tokenizers
