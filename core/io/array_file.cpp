#include "core/io/array_file.h"

#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/npy.h"
#include "core/io/safetensors_header.h"
#include "core/system/descriptor.h"
#include "core/system/files.h"

namespace headscope {
namespace {

Error cut_short(const std::string& where) {
  return input_error("{}: ends before its numbers do; the file has been cut short", where);
}

/// Of a part of a file.
ReadArray part_of(std::shared_ptr<const Descriptor> file, std::size_t part, std::string where) {
  return [file = std::move(file), part, where = std::move(where)](std::size_t begin, std::span<char> to) {
    for (std::size_t done = 0; done < to.size();) {
      const std::ptrdiff_t got =
          read_bytes_at(*file, to.data() + done, to.size() - done, part + begin + done);
      if (got < 0) throw unable_error("{}: cannot be read: {}", where, std::strerror(errno));
      if (got == 0) throw cut_short(where);
      done += got;
    }
  };
}

// What .npz files are: .npy files in a zip archive, read by libzip.

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using ZipArchive = std::unique_ptr<zip_t, CloseZip>;
using ZipEntry = std::unique_ptr<zip_file_t, CloseZip>;

ZipArchive open_zip(const std::string& path) {
  int code = 0;
  ZipArchive archive(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (archive) return archive;
  throw input_error("{}: not an .npz archive, or damaged", path);
}

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

/// Reads the rest of an entry: libzip compares the checksum at its end, and only of an entry read in order.
void check_rest(zip_file_t* entry, const std::string& where) {
  std::vector<char> part(std::size_t{1} << 16);
  zip_int64_t got = 0;
  while ((got = zip_fread(entry, part.data(), part.size())) > 0) {
  }
  if (got == 0) return;
  if (zip_error_code_zip(zip_file_get_error(entry)) != ZIP_ER_CRC) throw input_error("{}: damaged", where);
  throw input_error("{}: damaged; expected the bytes that its checksum is of", where);
}

/// Reads one entry sequentially.
class ZipEntryReader {
 public:
  /// Throws Error (input) that names `where`.
  ZipEntryReader(zip_t* archive, zip_uint64_t index, std::size_t file_size, std::string where, Budget& budget)
      : where_(std::move(where)), budget_(budget) {
    const zip_stat_t stat = checked_stat(archive, index, file_size, where_);
    if (!std::in_range<std::size_t>(stat.size)) throw unable_error("{}: does not fit into memory", where_);
    left_ = static_cast<std::size_t>(stat.size);
    compressed_ = stat.comp_method != ZIP_CM_STORE;
    entry_.reset(zip_fopen_index(archive, index, 0));
    if (!entry_) throw input_error("{}: damaged", where_);
  }

  std::string read(std::size_t bytes) {
    std::string result(bytes, '\0');
    if (bytes > left_) throw cut_short(where_);
    const zip_int64_t got = zip_fread(entry_.get(), result.data(), bytes);
    if (got < 0 || static_cast<std::size_t>(got) != bytes) throw input_error("{}: damaged", where_);
    left_ -= bytes;
    return result;
  }
  NpyHeader header() {
    std::string start = read(std::min<std::size_t>(12, left_));
    const std::size_t size = npy_header_size(start, where_);
    budget_.charge(1, size);
    if (size > start.size()) start += read(size - start.size());
    return parse_npy_header(start, where_);
  }
  void check_rest() { headscope::check_rest(entry_.get(), where_); }
  std::size_t left() const { return left_; }
  bool compressed() const { return compressed_; }

 private:
  std::string where_;
  Budget& budget_;
  std::size_t left_ = 0;
  bool compressed_ = false;
  ZipEntry entry_;
};

}  // namespace

/// Only one thread at a time reads the archive.
struct ArrayFile::Zip {
  /// Larger entries are read in parts as they are needed; their checksum would take a pass over all of them.
  static constexpr zip_uint64_t checked_bytes = zip_uint64_t{1} << 28;

  std::mutex mutex;
  ZipArchive archive;

  ZipEntry open(std::size_t index) const { return ZipEntry(zip_fopen_index(archive.get(), index, 0)); }

  void check(std::size_t index, const std::string& where) const {
    zip_stat_t stat;
    if (zip_stat_index(archive.get(), index, 0, &stat) != 0 || stat.size > checked_bytes) return;
    if (const ZipEntry entry = open(index)) check_rest(entry.get(), where);
  }

  /// Of an uncompressed entry, after its header.
  static ReadArray stored(const std::shared_ptr<Zip>& zip, std::size_t index, std::size_t header,
                          std::string where) {
    // The entry is checked and opened at its first reading, by one thread at a time.
    return [zip, index, header, where = std::move(where), entry = std::make_shared<ZipEntry>()](
               std::size_t begin, std::span<char> to) {
      const std::lock_guard lock(zip->mutex);
      if (!*entry) {
        zip->check(index, where);
        *entry = zip->open(index);
      }
      const bool found = *entry && zip_fseek(entry->get(), header + begin, SEEK_SET) == 0;
      for (std::size_t done = 0; found && done < to.size();) {
        const zip_int64_t got = zip_fread(entry->get(), to.data() + done, to.size() - done);
        if (got <= 0) break;
        done += static_cast<std::size_t>(got);
        if (done == to.size()) return;
      }
      if (to.empty()) return;
      entry->reset();  // unusable after an error
      throw cut_short(where);
    };
  }
};

Index FiledArray::size() const {
  Index product = 1;
  for (const Index n : header.shape) product *= n;
  return product;
}

void FiledArray::read(Index begin, std::span<float> to) const {
  constexpr std::size_t at_once = std::size_t{1} << 16;
  const std::size_t item = item_bytes(header.dtype).value_or(1);
  // Same layout as in memory.
  if (header.dtype == "float32" && !header.big_endian)
    return read_bytes(begin * item, {reinterpret_cast<char*>(to.data()), to.size() * item});
  std::vector<char> part(std::min(at_once, to.size()) * item);
  for (std::size_t done = 0; done < to.size(); done += at_once) {
    const std::size_t count = std::min(at_once, to.size() - done);
    read_bytes((begin + done) * item, {part.data(), count * item});
    decode_numbers(header, part.data(), to.subspan(done, count));
  }
}

std::string FiledArray::text() const {
  std::string result(size() * item_bytes(header.dtype).value_or(1), '\0');
  read_bytes(0, result);
  return result;
}

std::vector<std::string> FiledArray::texts() const {
  std::string read(data_bytes(header, where), '\0');
  read_bytes(0, read);
  return decode_texts(header, read, where);
}

ArrayFile::ArrayFile(const std::string& path)
    : path_(path), file_bytes_(readable_size(path)), budget_(path, file_bytes_) {}

ArrayFile ArrayFile::open(const std::string& path) {
  ArrayFile file(path);
  if (ending(path) == ".npz")
    file.list_archive();
  else
    file.list_tensors();
  return file;
}

void ArrayFile::add(const std::string& name, Entry entry) {
  const std::string& where = entry.array.where;
  if (arrays_.contains(name)) throw input_error("{}: there are two arrays of this name", where);
  arrays_.emplace(name, std::move(entry));
  names_.push_back(name);
}

void ArrayFile::list_archive() {
  // What libzip allocates to open an entry, besides its header: entries of one archive may share their bytes.
  constexpr std::size_t entry_bytes = std::size_t{1} << 12;
  zip_ = std::make_shared<Zip>();
  zip_->archive = open_zip(path_);
  zip_t* archive = zip_->archive.get();
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const char* file = zip_get_name(archive, index, 0);
    std::string name = file == nullptr ? "" : file;
    if (!name.ends_with(".npy")) continue;
    name.resize(name.size() - 4);
    const std::string where = path_ + ": " + name;
    budget_.charge(1, entry_bytes);
    ZipEntryReader reader(archive, index, file_bytes_, where, budget_);
    NpyHeader header = reader.header();
    if (item_bytes(header.array.dtype) || text_item_bytes(header.array.dtype))
      check_size(header.array, reader.left(), where);
    Entry entry{{std::move(header.array), where, 0, nullptr}, index, header.size, reader.compressed()};
    if (!entry.compressed) entry.array.read_bytes = Zip::stored(zip_, entry.index, entry.header, where);
    add(name, std::move(entry));
  }
}

void ArrayFile::list_tensors() {
  constexpr std::size_t first = 64;
  const std::size_t end = safetensors_header_end(read_start(path_, first), file_bytes_, path_);
  budget_.charge(1, end);
  SafetensorsHeader header = parse_safetensors_header(read_start(path_, end), file_bytes_, path_);
  const auto file = std::make_shared<const Descriptor>(open_to_read(path_));
  if (*file < 0) throw unable_error("{}: cannot be read: {}", path_, std::strerror(errno));
  for (SafetensorsHeader::Entry& entry : header.entries) {
    const std::string where = path_ + ": " + entry.name;
    add(entry.name,
        Entry{{std::move(entry.array), where, 0, part_of(file, header.data + entry.begin, where)}});
  }
  metadata_ = std::move(header.metadata);
}

void ArrayFile::unpack(Entry& entry) try {
  const std::size_t size = data_bytes(entry.array.header, entry.array.where);
  budget_.charge(1, size);
  const std::lock_guard lock(zip_->mutex);
  ZipEntryReader reader(zip_->archive.get(), entry.index, file_bytes_, entry.array.where, budget_);
  reader.header();
  check_size(entry.array.header, reader.left(), entry.array.where);
  auto bytes = std::make_shared<const std::string>(reader.read(size));
  reader.check_rest();
  entry.array.read_bytes = [bytes = std::move(bytes)](std::size_t begin, std::span<char> to) {
    std::copy_n(bytes->data() + begin, to.size(), to.data());
  };
  entry.array.unpacked = size;
} catch (const std::bad_alloc&) {
  throw unable_error("{}: does not fit into memory", entry.array.where);
}

const FiledArray* ArrayFile::find(const std::string& name) {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) return nullptr;
  Entry& entry = found->second;
  data_bytes(entry.array.header, entry.array.where);
  if (entry.array.header.fortran_order && entry.array.header.shape.size() > 1)
    throw input_error("{}: in Fortran's order; expected C's, as numpy.ascontiguousarray gives",
                      entry.array.where);
  if (entry.compressed && !entry.array.read_bytes) unpack(entry);
  return &entry.array;
}

std::vector<ArrayInfo> list_arrays(const std::string& path) {
  const ArrayFile file = ArrayFile::open(path);
  std::vector<ArrayInfo> list;
  for (const std::string& name : file.names())
    list.push_back({name, file.header(name).dtype, file.header(name).shape});
  return list;
}

std::span<const ArrayReader> array_readers() {
  static constexpr ArrayReader rows[] = {
      {".npz", list_arrays}, {".safetensors", list_arrays}, {".npy", list_npy}};
  return rows;
}

}  // namespace headscope
