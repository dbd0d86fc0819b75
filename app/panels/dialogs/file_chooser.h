#pragma once
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "app/state/file_request.h"
#include "core/base/translate.h"

namespace headscope {

struct FolderEntry {
  std::string name;  ///< as the file system has it
  bool folder = false;
  std::uintmax_t size = 0;   ///< bytes; 0 for folders
  std::time_t modified = 0;  ///< seconds since 1970, 0 where unknown
};

enum class FolderOrder { name, size, modified };

/// The entries of a folder that match one of `patterns` (folders always do; no pattern: all), folders first.
/// `problem` gets the system's message if a folder can't be read.
std::vector<FolderEntry> list_folder(const std::string& path, const std::vector<std::string>& patterns,
                                     bool hidden, std::string& problem);
void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending);

/// Resolves a name typed in a folder: "~" is home, "/" starts at the root, ".." goes up.
std::string path_in(const std::string& folder, const std::string& name);

std::string date_text(std::time_t time);

/// Home, desktop, documents and so on, if they exist.
struct Place {
  const char* name;  ///< English, to be translated
  std::string path;
};
std::vector<Place> places();

/// A file or folder chooser inside the window, for desktops that offer none. Works by mouse alone or keyboard
/// alone: up and down choose, Enter opens, Alt+Up goes to the parent folder, Esc closes; a path can be typed
/// or pasted as the name.
class FileChooser {
 public:
  enum class Answer { none, chosen, cancelled };

  void open(FileRequest request);
  bool is_open() const { return open_; }
  /// Draws it while it is open. `chosen` is returned once; path() then is absolute. When saving, replacing a
  /// file has been confirmed, and a name without an extension gets that of the filter.
  Answer draw(const Translator& tr);
  const std::string& path() const { return path_; }

 private:
  void go_to(const std::string& folder);
  void list();
  void draw_path_row(const Translator& tr);
  void draw_places(const Translator& tr, float height);
  void draw_entries(const Translator& tr, float height);
  void draw_rows();
  void draw_name_row(const Translator& tr);
  Answer draw_buttons(const Translator& tr);
  void move_choice();
  void choose(std::size_t index);
  bool is_wanted(const std::string& folder) const;
  Answer accept(const Translator& tr);
  Answer accept_folder(const Translator& tr);
  Answer finish(const std::string& path);

  FileRequest request_;
  bool open_ = false;
  bool appearing_ = false;
  int opened_ = 0;         // how often: ImGui keeps a field's selection by its id
  bool names_ = false;     // focus the name field
  bool accepted_ = false;  // Enter or a double click in this frame
  std::string folder_;
  std::string folder_text_;  // while it is being typed
  std::string name_;
  std::string path_;
  std::string problem_;     // why a folder can't be read or a name can't be taken
  std::string replace_;     // the file whose replacement is to be confirmed
  std::string new_folder_;  // its name while it is being typed
  bool naming_folder_ = false;
  bool hidden_ = false;
  bool scroll_ = false;
  int filter_ = 0;  // the last one, after the request's own, is "all files"
  int chosen_ = -1;
  FolderOrder order_ = FolderOrder::name;
  bool descending_ = false;
  std::vector<FolderEntry> entries_;
  std::vector<Place> places_;
};

}  // namespace headscope
