#include "core/io/gguf_file.h"

#include <algorithm>

namespace headscope {

GgufFile::GgufFile(const std::string& path)
    : file(path), header(parse_gguf(file.bytes(), path)), metadata(header, path) {
  file.check_whole();
}

const GgufHeader::Entry* GgufFile::tensor(std::string_view name) const {
  const auto found = std::ranges::find(header.tensors, name, &GgufHeader::Entry::name);
  return found == header.tensors.end() ? nullptr : &*found;
}

}  // namespace headscope
