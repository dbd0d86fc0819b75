#pragma once
#include <optional>
#include <set>
#include <string>

#include "core/io/file_lock.h"

namespace headscope {

/// Which file the program is opening as it starts, on disk until that has done no harm: what ended a start
/// is known to the next one.
class StartMark {
 public:
  /// Of a program whose state is in `folder`; "": there is none, and nothing is known. Takes away the marks
  /// of starts that have ended.
  explicit StartMark(const std::string& folder);
  /// Stays where something was opened and nobody has said that it may go.
  ~StartMark();
  StartMark(const StartMark&) = delete;
  StartMark& operator=(const StartMark&) = delete;

  /// Whether a start ended while this was the last that it had opened.
  bool was_ended_by(const std::string& file) const { return ended_by_.contains(file); }
  /// From now on this is what ends the start, if anything does.
  void opens(const std::string& file);
  const std::string& opened() const { return opened_; }
  /// What was opened did no harm.
  void settle() { lock_.reset(); }

 private:
  std::set<std::string> ended_by_;
  std::string opened_;  // last
  std::optional<FileLock> lock_;
};

}  // namespace headscope
