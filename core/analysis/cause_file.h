#pragma once
#include "core/model/effects/causes.h"
#include "core/model/effects/head_paths.h"
#include "core/source/write/array_export.h"

namespace headscope {

/// The file of causes in `a`, and of the run that was patched with or taken from. With `paths` they are
/// written and not the maps. Arrays and columns are described in docs/causes.md.
ArrayExport cause_file(const CauseRequest& asked, const Causes& causes, const HeadPaths* paths,
                       const Trace& a, const Trace* b, bool keep_sentences);

}  // namespace headscope
