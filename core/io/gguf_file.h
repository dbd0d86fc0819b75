#pragma once
#include <string>
#include <string_view>

#include "core/io/gguf.h"
#include "core/io/gguf_metadata.h"
#include "core/io/mapped_file.h"

namespace headscope {

/// A GGUF file that is open, with what its header says, which is parsed once.
struct GgufFile {
  /// Throws Error (input) as MappedFile and parse_gguf().
  explicit GgufFile(const std::string& path);
  GgufFile(const GgufFile&) = delete;
  GgufFile& operator=(const GgufFile&) = delete;

  const GgufHeader::Entry* tensor(std::string_view name) const;  ///< nullptr if there is none
  bool has(std::string_view name) const { return tensor(name) != nullptr; }

  MappedFile file;
  GgufHeader header;
  GgufMetadata metadata;
};

}  // namespace headscope
