#pragma once
#include "core/base/translate.h"

namespace headscope {

/// How far work is that takes a while: one line on stderr, where that is a terminal, gone at the end.
class Progress {
 public:
  /// `text` has a place for the percentage, and is translated.
  Progress(const Translator& tr, const char* text);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(int done, int all);

 private:
  const Translator& tr_;
  const char* text_;
  bool terminal_;
  int percent_ = -1;
};

}  // namespace headscope
