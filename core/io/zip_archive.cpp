#include "core/io/zip_archive.h"

#include "core/base/error.h"

namespace headscope {
namespace {

/// An entry's metadata, checked against the size of the file and deflate's maximum ratio (1032 to 1).
zip_stat_t checked_stat(zip_t* archive, zip_uint64_t index, std::size_t file_size, const std::string& where) {
  zip_stat_t stat;
  constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_NAME;
  if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & needed) != needed)
    throw input_error("{}: damaged", where);
  const bool stored = stat.comp_method == ZIP_CM_STORE;
  if (!stored && stat.comp_method != ZIP_CM_DEFLATE)
    throw input_error("{}: compressed with method {}; expected none or deflate", where, stat.comp_method);
  if (stat.comp_size > file_size ||
      (stored ? stat.size != stat.comp_size : stat.size / 1033 > stat.comp_size))
    throw input_error("{}: damaged", where);
  return stat;
}

}  // namespace

ZipArchive open_zip(const std::string& path) {
  int code = 0;
  ZipArchive archive(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (archive) return archive;
  throw input_error("{}: not an .npz archive, or damaged", path);
}

ZipEntryReader::ZipEntryReader(zip_t* archive, zip_uint64_t index, std::size_t file_size, std::string where,
                               Budget& budget)
    : where_(std::move(where)), budget_(budget) {
  const zip_stat_t stat = checked_stat(archive, index, file_size, where_);
  left_ = stat.size;
  compressed_ = stat.comp_method != ZIP_CM_STORE;
  entry_.reset(zip_fopen_index(archive, index, 0));
  if (!entry_) throw input_error("{}: {}", where_, zip_strerror(archive));
}

void ZipEntryReader::read(char* to, std::size_t bytes) {
  if (bytes > left_) throw input_error("{}: ends before its numbers do; the file may be cut short", where_);
  const zip_int64_t got = zip_fread(entry_.get(), to, bytes);
  if (got < 0 || static_cast<std::size_t>(got) != bytes) throw input_error("{}: damaged", where_);
  left_ -= bytes;
}

NpyHeader ZipEntryReader::header() {
  std::string start = read(std::min<std::size_t>(12, left_));
  const std::size_t size = npy_header_size(start, where_);
  budget_.charge(1, size);
  if (size > start.size()) start += read(size - start.size());
  return parse_npy_header(start, where_);
}

}  // namespace headscope
