#pragma once
#include <optional>
#include <string>

#include "core/figure/figure_size.h"
#include "core/session/session.h"

namespace headscope {

/// A figure as it is to be exported.
struct ExportedFigure {
  Session session;
  std::optional<Locked> locked;      ///< the framed cell, whose head the session's view names
  const FigureSize* size = nullptr;  ///< nullptr: the options' own
  FigureOptions options;
  bool keep_session = true;
  std::string path;
};

struct ExportCommand {
  std::string line;          ///< for a POSIX shell
  std::string session_path;  ///< where the session is to be saved; "": the line says all
};

/// The command line that makes the very same file. What its options cannot say, as marks and names, is in a
/// session beside the figure, under a name that no other session has.
ExportCommand export_command(const ExportedFigure& figure);

}  // namespace headscope
