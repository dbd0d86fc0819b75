#pragma once
#include <string>

#include "app/state/document/file_commands.h"
#include "app/state/jobs/figure_export.h"
#include "app/state/jobs/job.h"
#include "app/state/text/model_card.h"

namespace headscope {

/// The searchable list of actions.
struct PaletteDialog {
  bool open = false;
  std::string query;
  int chosen = 0;
};

/// Dialogs above the panels. At most one of them is open.
struct Dialogs {
  ExportDialog figure;
  PaletteDialog palette;
  FileDialogs files;
  Job<std::string> picture;  ///< renders a PNG for the clipboard
  bool keys = false;
  bool about = false;
  bool messages = false;
  ModelCard card;
  bool head_label = false;
  bool name_focus = false;                    ///< start editing its name
  int labelled_layer = 0, labelled_head = 0;  ///< from 0

  void open_palette() { palette = {true, "", 0}; }
  void open_head_label(int layer, int head) {
    head_label = true;
    labelled_layer = layer;
    labelled_head = head;
  }
  bool busy() const { return figure.busy() || picture.started(); }
};

}  // namespace headscope
