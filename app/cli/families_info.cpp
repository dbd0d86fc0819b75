#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/info_text.h"
#include "app/cli/messages.h"
#include "core/model/config/config_families.h"

namespace headscope {
namespace {

using Json = nlohmann::ordered_json;

/// "bert,roberta" as a list.
Json json_of(std::string_view names) {
  Json list = Json::array();
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    list.push_back(std::string(names.substr(0, end)));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return list;
}

/// "bert, roberta"
std::string with_spaces(std::string names) {
  for (std::size_t at = 0; (at = names.find(',', at)) != std::string::npos; at += 2)
    names.insert(at + 1, " ");
  return names;
}

}  // namespace

void print_families(const CommandRequest& request, const Translator& tr) {
  Json json = Json::array();
  const auto list = [&](const char* name, const char* types, const char* classes) {
    if (request.json)
      json.push_back({{"family", name}, {"model_types", json_of(types)}, {"classes", json_of(classes)}});
    else
      InfoLines(tr).line(name, with_spaces(types));
  };
  for (const ConfigFamily& row : config_families()) list(row.name, row.model_types, row.class_names);
  for (const PictureTextModel& row : picture_text_models()) list(row.name, row.model_type, row.class_name);
  if (request.json) dump_json({{"families", json}});
}

}  // namespace headscope
