#pragma once
#include <zip.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/base/budget.h"
#include "core/io/npy.h"

// What .npz files are: .npy files in a zip archive, read by libzip.

namespace headscope {

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using ZipArchive = std::unique_ptr<zip_t, CloseZip>;
using ZipEntry = std::unique_ptr<zip_file_t, CloseZip>;

/// Throws Error (input) if it is not an archive.
ZipArchive open_zip(const std::string& path);

/// Reads one entry sequentially.
class ZipEntryReader {
 public:
  /// Its metadata is checked against the size of the file and deflate's maximum ratio. Throws Error (input)
  /// that names `where`.
  ZipEntryReader(zip_t* archive, zip_uint64_t index, std::size_t file_size, std::string where,
                 Budget& budget);

  void read(char* to, std::size_t bytes);
  std::string read(std::size_t bytes) {
    std::string result(bytes, '\0');
    read(result.data(), bytes);
    return result;
  }
  std::size_t left() const { return left_; }
  const std::string& where() const { return where_; }
  bool compressed() const { return compressed_; }
  NpyHeader header();

 private:
  std::string where_;
  Budget& budget_;
  std::size_t left_ = 0;
  bool compressed_ = false;
  ZipEntry entry_;
};

/// Calls `use(name, index, reader)` for every array.
template <typename Use>
void for_each_zipped_array(zip_t* archive, const std::string& path, std::size_t file_size, Budget& budget,
                           const Use& use) {
  // What libzip allocates to open an entry, besides its header: entries of one archive may share their bytes.
  constexpr std::size_t entry_bytes = std::size_t{1} << 12;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* entry = zip_get_name(archive, index, 0);
    const std::string name = entry == nullptr ? "" : entry;
    if (!name.ends_with(".npy")) continue;
    const std::string array = name.substr(0, name.size() - 4);
    budget.charge(1, entry_bytes);
    ZipEntryReader reader(archive, index, file_size, path + ": " + array, budget);
    use(array, index, reader);
  }
}

}  // namespace headscope
