#include "core/session/session_link.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/compress.h"
#include "core/io/strict_json.h"
#include "core/model/weights/built_in_models.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

constexpr std::string_view link_start = "#s=";
constexpr std::size_t longest = 8192;  // bytes
constexpr const char* source = "link";

constexpr std::array<std::string_view, 3> schemes{"https://", "http://", "file://"};

bool begins_as_address(std::string_view text) {
  return std::ranges::any_of(schemes, [&](std::string_view scheme) {
    return text.starts_with(scheme) && text.size() > scheme.size();
  });
}

/// Removes the members that are in `usual`, too.
void shorten(Json& json, const Json& usual) {
  if (!json.is_object() || !usual.is_object()) return;
  for (auto member = json.begin(); member != json.end();) {
    const auto found = usual.find(member.key());
    if (found != usual.end() && *found == *member) {
      member = json.erase(member);
    } else {
      if (found != usual.end()) shorten(*member, *found);
      ++member;
    }
  }
}

void expect_built_in(const std::string& file) {
  if (file.empty() || is_built_in(file.substr(0, file.find('/')))) return;
  std::filesystem::path path(file);
  if (!path.has_filename()) path = path.parent_path();
  throw input_error("the session needs \"{}\", which a link cannot hold; send the session with that file",
                    path.filename().string());
}

void expect_short(std::string_view text) {
  if (text.size() > longest)
    throw input_error("bytes in the link: {}; expected at most {}: send the session as a file", text.size(),
                      longest);
}

Error damaged() {
  return input_error("the link is damaged: a part of it is missing or changed");
}

}  // namespace

std::string link_in_text(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=";
  const std::size_t part = text.find(link_start);
  if (part == std::string_view::npos) return "";
  const std::size_t end = std::min(text.find_first_not_of(digits, part + link_start.size()), text.size());
  for (const std::string_view scheme : schemes) {
    const std::size_t begin = text.substr(0, part).rfind(scheme);
    if (begin == std::string_view::npos) continue;
    const std::string_view link = text.substr(begin, end - begin);
    if (link.find_first_of(" \t\r\n") == std::string_view::npos) return std::string(link);
  }
  return std::string(text.substr(part, end - part));
}

bool is_link(std::string_view text) {
  text = trimmed(text);
  return (begins_as_address(text) || text.starts_with(link_start)) && !link_in_text(text).empty();
}

std::string link_from_json(std::string_view json) {
  std::string text = to_base64(deflated(json));
  text.erase(std::min(text.find('='), text.size()));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  expect_short(text);
  return std::string(link_start) + text;
}

std::string json_in_link(std::string_view link) {
  link = trimmed(link);
  const std::size_t begin = link.find(link_start);
  if (begin == std::string_view::npos) throw damaged();
  std::string text(link.substr(begin + link_start.size()));
  expect_short(text);
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  const std::optional<std::string> packed = from_base64(text);
  if (!packed || packed->empty()) throw damaged();
  Budget budget(source, packed->size());
  const std::optional<std::string> json = inflated(*packed, budget);
  const Json work = json ? Json::parse(*json, nullptr, false) : Json();
  if (!work.is_object() || !(work.contains("version") || work.contains("session"))) throw damaged();
  return *json;
}

std::string short_json(const Session& whole_session) {
  Session session = whole_session;
  // Ends of colours that were held take more room than all else, and follow from what is shown.
  session.view.range.held.clear();
  const std::string whole = to_json(session, false);
  Json json = Json::parse(whole);
  const Json usual = Json::parse(to_json(Session{}, false));
  if (json["compare"].is_object()) shorten(json["compare"], usual);
  shorten(json, usual);
  json["version"] = usual["version"];
  const std::string shorter = json.dump();
  // A default may follow from other fields.
  return session_from_json(shorter, source) == session ? shorter : whole;
}

void expect_no_files(const Session& session) {
  for_each_inputs(session, [](const Inputs& inputs) {
    for (const std::string* file : {&inputs.model, &inputs.capture, &inputs.picture, &inputs.features})
      expect_built_in(*file);
    for (const MaskPart& part : inputs.mask)
      if (part.kind == MaskKind::file) expect_built_in(part.path);
  });
}

std::string link_to_session(Session session) {
  session.answers.clear();
  expect_no_files(session);
  return link_from_json(short_json(session));
}

namespace {

Json linked_json(std::string_view link) {
  Json json = parse_json(json_in_link(link), source);
  if (json.contains("version")) return json;
  const Json lesson = json.value("lesson", Json::object());
  if (lesson.empty()) return json["session"];
  if (!lesson.contains("free"))
    throw input_error("the link leads to a step of a lesson; expected a link to a session");
  return lesson["free"];
}

}  // namespace

Session session_in_link(std::string_view link) {
  Session session = session_from_json(linked_json(link).dump(), source);
  expect_no_files(session);
  return session;
}

std::string address_of_page(const std::string& text) {
  const std::string address = text.substr(0, text.find('#'));
  const bool plain = std::ranges::none_of(address, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '<' || c == '>';
  });
  if (!begins_as_address(address) || !plain || find_invalid_utf8(address) != std::string::npos)
    throw input_error(
        "the address of the page is {}; expected one such as https://example.org/headscope.html",
        cut_off(text, 80));
  return address;
}

}  // namespace headscope
