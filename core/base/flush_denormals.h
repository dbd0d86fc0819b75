#pragma once

namespace headscope {

/// Flushes denormals to zero in this thread while it lives: the tails of a sharp softmax would otherwise cost
/// a hundred times the rest.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_;
};

}  // namespace headscope
