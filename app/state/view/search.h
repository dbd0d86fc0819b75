#pragma once
#include <memory>

#include "core/source/trace.h"

namespace headscope {

struct OpenSession;
struct Workspace;

/// Goes to the match `by` further, wrapping around: locks its row and column, and centres an enlarged map on
/// it.
void go_to_place(Workspace& work, int by);
/// The block whose tokens are searched: for the whole model cross-attention, with the source's and the
/// target's.
std::shared_ptr<const BlockTrace> searched_block(const Workspace& work);
void open_search(OpenSession& open);
void close_search(OpenSession& open);

}  // namespace headscope
