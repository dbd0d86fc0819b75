#include "core/model/rows/row_store.h"

#include <algorithm>

namespace headscope {

RowStore::RowStore(Index parts, Index rows, Index width, BufferPool& memory, Index spare)
    : parts_(parts),
      rows_(rows),
      width_(width),
      capacity_(rows + spare),
      memory_(memory.take({parts, rows + spare, width})),
      taken_(std::make_shared<std::atomic<Index>>(rows)) {}

RowStore RowStore::extended(Index kept, Index rows, BufferPool& memory) const {
  if (rows == kept) {
    RowStore fewer = *this;
    fewer.rows_ = rows;
    return fewer;
  }
  Index expected = kept;
  if (rows <= capacity_ && taken_->compare_exchange_strong(expected, rows)) {
    RowStore same = *this;
    same.rows_ = rows;
    return same;
  }
  RowStore copy(parts_, rows, width_, memory, rows / 4 + 64);
  for (Index part = 0; part < parts_; ++part) std::copy_n(at(part), kept * width_, copy.at(part));
  return copy;
}

Tensor RowStore::tensor(BufferPool& memory, bool with_parts) const {
  std::vector<Index> shape{parts_, rows_, width_};
  if (!with_parts) shape.erase(shape.begin());
  if (parts_ == 1 || rows_ == capacity_) {
    Tensor whole = memory_;
    return {std::move(shape), std::shared_ptr<float>(std::make_shared<Tensor>(whole), whole.data())};
  }
  Tensor copy = memory.take(std::move(shape));
  for (Index part = 0; part < parts_; ++part) std::copy_n(at(part), rows_ * width_, copy.at(part));
  return copy;
}

}  // namespace headscope
