#pragma once
#include <optional>
#include <set>
#include <string>

#include "core/io/file_lock.h"

namespace headscope {

/// Records on disk which file the program is opening at the start, until it has proved harmless: the next
/// start knows which file ended this one.
class StartMark {
 public:
  /// For a program whose state is in `folder`; "": no state, nothing is known. Removes the marks of starts
  /// that have ended.
  explicit StartMark(const std::string& folder);
  /// Leaves the mark if something was opened and settle() was not called.
  ~StartMark();
  StartMark(const StartMark&) = delete;
  StartMark& operator=(const StartMark&) = delete;

  /// Whether a start ended while this was the last file it had opened.
  bool was_ended_by(const std::string& file) const { return ended_by_.contains(file); }
  /// Records the file that is about to be opened.
  void opens(const std::string& file);
  const std::string& opened() const { return opened_; }
  /// What was opened did no harm: removes the mark.
  void settle() { lock_.reset(); }

 private:
  std::set<std::string> ended_by_;
  std::string opened_;  // last
  std::optional<FileLock> lock_;
};

}  // namespace headscope
