#include "app/panels/dialogs/file_chooser.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/widgets.h"
#include "core/base/translate.h"
#include "core/scene/readable_numbers.h"
#include "core/system/files.h"
#include "core/system/process.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* popup_id = "###file_chooser";

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}
bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// "*.json" -> ".json", where the pattern is that simple.
std::string ending_of(const std::vector<std::string>& patterns) {
  if (patterns.empty() || !patterns.front().starts_with("*.")) return {};
  return patterns.front().substr(1);
}

/// A line is reserved for a problem; a longer one takes more.
float height_below(const std::string& problem) {
  const float room = ImGui::GetContentRegionAvail().x, line = ImGui::GetFrameHeightWithSpacing();
  const float reported = problem.empty() ? 0 : ImGui::CalcTextSize(problem.c_str(), nullptr, false, room).y;
  return line * (finger_height() > 0 ? 3.2F : 2.2F) +
         std::max(line, reported + ImGui::GetStyle().ItemSpacing.y);
}

}  // namespace

void FileChooser::open(FileRequest request) {
  request_ = std::move(request);
  name_ = request_.save ? request_.name : std::string();
  filter_ = 0;
  hidden_ = false;
  naming_folder_ = false;
  replace_.clear();
  places_ = places();
  open_ = appearing_ = true;
  ++opened_;
  go_to(is_folder(request_.folder) ? request_.folder : places_.front().path);
}

void FileChooser::go_to(const std::string& folder) {
  std::string clean = fs::path(folder).lexically_normal().string();
  if (clean.size() > 1 && clean.back() == '/') clean.pop_back();
  folder_ = folder_text_ = clean;
  if (request_.folders) name_.clear();
  replace_.clear();
  names_ = true;  // the focused item may have gone with the previous folder
  list();
}

// Some files are listed only to help recognize a folder; they cannot be chosen.
bool FileChooser::is_wanted(const std::string& folder) const {
  return request_.folders && is_there((fs::path(folder) / "config.json").string());
}

void FileChooser::list() {
  const std::size_t filter = filter_;
  const bool all = filter >= request_.filters.size();
  entries_ = list_folder(folder_, all ? std::vector<std::string>{} : request_.filters[filter].patterns,
                         hidden_, problem_);
  sort_entries(entries_, order_, descending_);
  chosen_ = -1;
}

FileChooser::Answer FileChooser::draw(const Translator& tr) {
  if (!open_) return Answer::none;
  if (appearing_) ImGui::OpenPopup(popup_id);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowSize({std::min(em * 52, display.x * 0.95F), std::min(em * 34, display.y * 0.92F)},
                           ImGuiCond_Always);
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  const std::string title = request_.title + popup_id;
  Answer answer = Answer::none;
  if (ImGui::BeginPopupModal(title.c_str(), nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize)) {
    accepted_ = false;
    if (!request_.help.empty()) wrapped_text(request_.help);
    draw_path_row(tr);
    const float height = ImGui::GetContentRegionAvail().y - height_below(problem_);
    draw_places(tr, height);
    ImGui::SameLine();
    draw_entries(tr, height);
    draw_name_row(tr);
    answer = draw_buttons(tr);
    if (answer != Answer::none) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  appearing_ = false;
  if (answer != Answer::none) open_ = false;
  return answer;
}

void FileChooser::draw_path_row(const Translator& tr) {
  if (ImGui::ArrowButton("###up", ImGuiDir_Up) || (ImGui::GetIO().KeyAlt && key_pressed(Key::up)))
    go_to(fs::path(folder_).parent_path().string());
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tr("Parent folder (Alt+↑)"));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (typed_text("###folder", folder_text_, "", ImGuiInputTextFlags_EnterReturnsTrue)) {
    const std::string target = path_in(folder_, folder_text_);
    if (is_folder(target))
      go_to(target);
    else
      problem_ = tr("{} is not a folder", target);
  }
}

void FileChooser::draw_places(const Translator& tr, float height) {
  ImGui::BeginChild("###places", {ImGui::GetFontSize() * 9, height}, true);
  for (const Place& place : places_) {
    const std::string label = std::string(tr(place.name)) + "###" + place.path;
    if (list_line(label.c_str(), place.path == folder_)) go_to(place.path);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", place.path.c_str());
  }
  ImGui::EndChild();
}

void FileChooser::draw_entries(const Translator& tr, float height) {
  const ImGuiTableFlags flags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_BordersOuter | ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("###entries", 3, flags, {0, height})) return;
  const float em = ImGui::GetFontSize();
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn(tr("Name"), ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_DefaultSort);
  // On a phone names alone have room.
  const ImGuiTableColumnFlags more =
      ImGuiTableColumnFlags_WidthFixed | (finger_height() > 0 ? ImGuiTableColumnFlags_Disabled : 0);
  ImGui::TableSetupColumn(tr("Size"), more, em * 5);
  ImGui::TableSetupColumn(tr("Modified"), more, em * 9.5F);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers, finger_height());
  for (int i = 0; i < ImGui::TableGetColumnCount(); ++i)
    if (ImGui::TableSetColumnIndex(i)) ImGui::TableHeader(ImGui::TableGetColumnName(i));
  leave_out_table_menu();
  ImGuiTableSortSpecs* sort = ImGui::TableGetSortSpecs();
  if (sort != nullptr && sort->SpecsDirty && sort->SpecsCount > 0) {
    order_ = static_cast<FolderOrder>(sort->Specs[0].ColumnIndex);
    descending_ = sort->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    sort->SpecsDirty = false;
    sort_entries(entries_, order_, descending_);
    chosen_ = -1;
  }
  move_choice();
  draw_rows();
  ImGui::EndTable();
}

void FileChooser::draw_rows() {
  int open = -1;
  draw_seen_rows(static_cast<int>(entries_.size()), [&](int i) {
    const FolderEntry& entry = entries_[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(i);
    const std::string label = entry.folder ? entry.name + "/" : entry.name;
    // The name is drawn separately: in a label, "##" would hide what follows.
    if (list_line("###row", i == chosen_,
                  ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
      choose(i);
      if (ImGui::IsMouseDoubleClicked(0)) open = i;
    }
    ImGui::SameLine(0, 0);
    // When a folder is requested, files are only listed to help recognize it.
    ImGui::BeginDisabled(request_.folders && !entry.folder);
    ImGui::TextUnformatted(drawn_text(label).c_str());
    ImGui::EndDisabled();
    ImGui::PopID();
    ImGui::TableNextColumn();
    if (!entry.folder) ImGui::TextUnformatted(size_text(entry.size).c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(date_text(entry.modified).c_str());
  });
  if (scroll_ && chosen_ >= 0) {
    const float row = ImGui::GetTextLineHeight() + ImGui::GetStyle().CellPadding.y * 2;
    ImGui::SetScrollY(
        std::max(0.0F, row * (static_cast<float>(chosen_) + 1.5F) - ImGui::GetWindowHeight() / 2));
    scroll_ = false;
  }
  if (open < 0) return;
  if (const FolderEntry entry = entries_[open]; entry.folder && !is_wanted(path_in(folder_, entry.name)))
    go_to(path_in(folder_, entry.name));
  else
    accepted_ = true;
}

void FileChooser::move_choice() {
  if (entries_.empty() || naming_folder_ || ImGui::GetIO().KeyAlt) return;
  const int last = static_cast<int>(entries_.size()) - 1;
  int to = chosen_;
  if (key_pressed(Key::down, true)) to = chosen_ + 1;
  if (key_pressed(Key::up, true)) to = chosen_ < 0 ? last : chosen_ - 1;
  if (key_pressed(Key::page_down, true)) to = chosen_ + 10;
  if (key_pressed(Key::page_up, true)) to = chosen_ - 10;
  if (to == chosen_) return;
  choose(std::clamp(to, 0, last));
  scroll_ = true;
}

void FileChooser::choose(std::size_t index) {
  chosen_ = static_cast<int>(index);
  replace_.clear();
  problem_.clear();
  if (entries_[index].folder == request_.folders) name_ = entries_[index].name;
}

void FileChooser::draw_name_row(const Translator& tr) {
  const float em = ImGui::GetFontSize();
  framed_text(request_.folders ? tr("Folder") : tr("File name"));
  ImGui::SameLine(0, em * 0.6F);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - (request_.folders ? 0 : em * 20));
  if (std::exchange(names_, false) || appearing_) focus_next_item();
  // Typing replaces a refused name.
  ImGui::PushID(opened_);
  if (typed_text("###name", name_, "", problem_.empty() ? 0 : ImGuiInputTextFlags_AutoSelectAll)) {
    chosen_ = -1;
    replace_.clear();
    problem_.clear();
  }
  ImGui::PopID();
  if (request_.folders) return;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-FLT_MIN);
  const int count = static_cast<int>(request_.filters.size());
  const char* all = tr("All files");
  if (begin_list("###filter", filter_ < count ? request_.filters[filter_].name.c_str() : all)) {
    for (int i = 0; i <= count; ++i) {
      const char* text = i < count ? request_.filters[i].name.c_str() : all;
      if (!list_line(text, i == filter_)) continue;
      filter_ = i;
      list();
    }
    ImGui::EndCombo();
  }
}

FileChooser::Answer FileChooser::draw_buttons(const Translator& tr) {
  if (!problem_.empty()) {
    ImGui::TextWrapped("%s", problem_.c_str());
    anchor("chooser problem");
  }
  if (!replace_.empty())
    ImGui::TextWrapped("%s",
                       tr("{} already exists. Replace it?", fs::path(replace_).filename().string()).c_str());
  if (naming_folder_) {
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 14);
    focus_next_item();
    if (typed_text("###new_folder", new_folder_, tr("Name of the new folder"),
                   ImGuiInputTextFlags_EnterReturnsTrue)) {
      std::error_code error;
      fs::create_directory(path_in(folder_, new_folder_), error);
      naming_folder_ = false;
      if (error)
        problem_ = tr("{}: cannot be created: {}", new_folder_, error.message());
      else
        go_to(path_in(folder_, new_folder_));
    }
  } else if (request_.save && ImGui::Button(tr("New folder"))) {
    naming_folder_ = true;
    new_folder_.clear();
  }
  if (request_.save) ImGui::SameLine();
  if (ImGui::Checkbox(tr("Show hidden files"), &hidden_)) list();

  const char* yes = !replace_.empty() ? tr("Replace")
                    : request_.adds   ? tr("Add")
                    : request_.save   ? tr("Save")
                                      : tr("Open");
  const float em = ImGui::GetFontSize();
  if (finger_height() > 0) ImGui::NewLine();
  ImGui::SameLine(std::max(0.0F, ImGui::GetWindowWidth() - em * 15));
  if (ImGui::Button(tr("Cancel"), {em * 6.5F, 0}) || key_pressed(Key::escape)) {
    if (!naming_folder_) return Answer::cancelled;
    naming_folder_ = false;
  }
  ImGui::SameLine();
  // Not the Enter that requested the file.
  const bool entered = !appearing_ && !naming_folder_ && !ImGui::IsItemActive() && key_pressed(Key::enter) &&
                       folder_text_ == folder_;
  if (ImGui::Button(yes, {em * 6.5F, 0}) || entered || accepted_) return accept(tr);
  return Answer::none;
}

FileChooser::Answer FileChooser::accept(const Translator& tr) {
  if (request_.folders) return accept_folder(tr);
  if (chosen_ >= 0 && entries_[chosen_].folder) {
    go_to(path_in(folder_, entries_[chosen_].name));
    return Answer::none;
  }
  // A model's folder is opened as a model.
  if (name_.empty() && !request_.save && std::ranges::any_of(entries_, [](const auto& entry) {
        return !entry.folder && entry.name == "config.json";
      }))
    name_ = "config.json";
  if (name_.empty()) return Answer::none;
  std::string path = path_in(folder_, name_);
  if (is_folder(path)) {
    name_.clear();
    go_to(path);
    return Answer::none;
  }
  if (!request_.save) {
    if (is_there(path)) return finish(path);
    problem_ = tr("{} does not exist", path);
    return Answer::none;
  }
  const std::size_t filter = filter_;
  if (!fs::path(path).has_extension() && filter < request_.filters.size())
    path += ending_of(request_.filters[filter].patterns);
  if (is_there(path) && replace_ != path && !request_.adds) {
    replace_ = path;
    return Answer::none;
  }
  return finish(path);
}

// The chosen or typed folder, otherwise the listed one. One without a model is entered first.
FileChooser::Answer FileChooser::accept_folder(const Translator& tr) {
  const std::string folder = name_.empty() ? folder_ : path_in(folder_, name_);
  if (!is_folder(folder)) {
    problem_ = tr("{} is not a folder", folder);
    return Answer::none;
  }
  if (is_wanted(folder) || folder == folder_) return finish(folder);
  name_.clear();
  go_to(folder);
  return Answer::none;
}

FileChooser::Answer FileChooser::finish(const std::string& path) {
  problem_ = request_.refusal ? drawn_text(request_.refusal(path)) : std::string();
  if (!problem_.empty()) {
    names_ = true;  // the user is to enter another name
    return Answer::none;
  }
  path_ = path;
  return Answer::chosen;
}

namespace {

bool matches(const std::string& name, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return fits_pattern(name, pattern);
         });
}

}  // namespace

std::vector<FolderEntry> list_folder(const std::string& path, const std::vector<std::string>& patterns,
                                     bool hidden, std::string& problem) {
  std::vector<FolderEntry> entries;
  std::error_code error;
  problem.clear();
  fs::directory_iterator it(path, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    FolderEntry entry;
    entry.name = it->path().filename().string();
    if (!hidden && entry.name.starts_with('.')) continue;
    const auto status = file_status(it->path().string());
    // A dangling link has no status and can't be opened either.
    if (!status) continue;
    entry.folder = status->kind == FileKind::folder;
    if (!entry.folder && !matches(entry.name, patterns)) continue;
    entry.size = entry.folder ? 0 : status->size;
    entry.modified = status->modified_ns / 1'000'000'000;
    entries.push_back(std::move(entry));
  }
  if (error) problem = error.message();
  sort_entries(entries, FolderOrder::name, false);
  return entries;
}

void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending) {
  const auto before = [order](const FolderEntry& a, const FolderEntry& b) {
    if (order == FolderOrder::size && a.size != b.size) return a.size < b.size;
    if (order == FolderOrder::modified && a.modified != b.modified) return a.modified < b.modified;
    return a.name < b.name;
  };
  std::sort(entries.begin(), entries.end(), [&](const FolderEntry& a, const FolderEntry& b) {
    if (a.folder != b.folder) return a.folder;
    return descending ? before(b, a) : before(a, b);
  });
}

std::string path_in(const std::string& folder, const std::string& name) {
  std::string expanded = name;
  const std::string home = home_folder();
  if (!home.empty() && (name == "~" || name.starts_with("~/"))) expanded = home + name.substr(1);
  return (fs::path(folder) / expanded).lexically_normal().string();
}

std::string date_text(std::time_t time) {
  return time == 0 ? "" : local_time(time, "%Y-%m-%d %H:%M");
}

std::vector<Place> places() {
  std::vector<Place> found;
  std::error_code ignored;
  const std::string home = home_folder();
  if (!home.empty()) {
    found.push_back({TR("Home"), home});
    for (const auto& [name, folder] : {std::pair(TR("Desktop"), "Desktop"),
                                       {TR("Documents"), "Documents"},
                                       {TR("Downloads"), "Downloads"}}) {
      const std::string path = home + "/" + folder;
      if (fs::is_directory(path, ignored)) found.push_back({name, path});
    }
  }
  const fs::path here = fs::current_path(ignored);
  if (!here.empty() && (found.empty() || here != found.front().path))
    found.push_back({TR("Current folder"), here.string()});
  found.push_back({TR("Computer"), "/"});
  return found;
}

}  // namespace headscope
