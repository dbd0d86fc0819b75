#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/gguf.h"
#include "core/io/gguf_metadata.h"
#include "core/io/mapped_file.h"

namespace headscope {

/// A model in a GGUF file, or in several parts MODEL-00001-of-00003.gguf … of which any is named, that are
/// open, with what their headers say, which are parsed once.
struct GgufFile {
  /// Throws Error (input) as MappedFile and parse_gguf(), for a part that is missing or of another model, and
  /// for another number of tensors than the first part says.
  explicit GgufFile(const std::string& path);
  GgufFile(const GgufFile&) = delete;
  GgufFile& operator=(const GgufFile&) = delete;

  const GgufHeader::Entry* tensor(std::string_view name) const;  ///< nullptr if there is none
  bool has(std::string_view name) const { return tensor(name) != nullptr; }

  std::span<const std::byte> bytes_of(const GgufHeader::Entry& entry) const;

  std::vector<MappedFile> parts;
  GgufHeader header;  ///< of the first part, with the tensors of all
  GgufMetadata metadata;
};

}  // namespace headscope
