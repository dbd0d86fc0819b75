#include "app/window/heard_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace headscope {
namespace {

/// Without what is as usual.
nlohmann::json item_json(const HeardItem& item) {
  nlohmann::json json = {{"role", heard_role_name(item.role)}, {"id", item.id}, {"parent", item.parent}};
  const auto add = [&json](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  add("name", item.name);
  add("help", item.help);
  add("value", item.value);
  if (item.role == HeardRole::slider || item.role == HeardRole::progress)
    json["range"] = {item.low, item.high, item.now, item.whole};
  if (item.on) json["on"] = *item.on;
  if (item.open) json["open"] = *item.open;
  if (item.disabled) json["disabled"] = true;
  if (item.focused) json["focused"] = true;
  if (item.lines) json["lines"] = true;
  if (item.quiet) json["quiet"] = true;
  if (item.step) json["current"] = "step";
  if (item.keyboard != 0 && item.present) json["current"] = "true";
  if (item.level > 0) json["level"] = item.level;
  if (item.count > 0) json["place"] = {item.place, item.count};
  for (const float side : item.rect) json["rect"].push_back(std::lround(side));
  return json;
}

}  // namespace

std::string heard_json(const std::vector<HeardItem>& items, const std::string& table_button,
                       const std::string& way) {
  nlohmann::json json = {{"items", nlohmann::json::array()}, {"table", table_button}, {"way", way}};
  for (const HeardItem& item : items) json["items"].push_back(item_json(item));
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace headscope
