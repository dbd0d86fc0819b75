#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/budget.h"
#include "core/io/decode.h"

namespace headscope {

/// Fills `to` with bytes of one array of a file from position `begin`. Thread-safe. Throws Error: input if
/// the file was truncated, unable if it cannot be read.
using ReadArray = std::function<void(std::size_t begin, std::span<char> to)>;

/// An array whose numbers stay in the file until they are requested.
struct FiledArray {
  ArrayHeader header;
  std::string where;         ///< "FILE: NAME", for messages
  std::size_t unpacked = 0;  ///< bytes held in memory because the file has them compressed
  ReadArray read_bytes;

  /// Number of elements.
  Index size() const;
  /// Fills `to` with numbers in C order from position `begin`. Thread-safe. Throws Error as
  /// ReadArray.
  void read(Index begin, std::span<float> to) const;
  /// All of it as text.
  std::string text() const;
  /// The strings of an array of strings.
  std::vector<std::string> texts() const;
};

/// The arrays of an .npz or a .safetensors file, which is read by position: only the headers are read at
/// first, however large the file is. If the file is truncated meanwhile, this throws an Error, whereas a
/// mapped file would end the program.
class ArrayFile {
 public:
  /// Throws Error (input) naming file, array, what was found and expected, also for duplicate array names.
  static ArrayFile open(const std::string& path);

  const std::string& path() const { return path_; }
  /// In file order.
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return arrays_.contains(name); }
  /// nullptr if there is no array of this name. A compressed array is unpacked into memory here. Throws Error
  /// (input) for an unsupported type, an order other than C, or an excessive compression ratio.
  const FiledArray* find(const std::string& name);
  /// Of a name of names().
  const ArrayHeader& header(const std::string& name) const { return arrays_.at(name).array.header; }
  /// The metadata of a .safetensors file.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  std::size_t file_bytes() const { return file_bytes_; }

 private:
  struct Zip;
  struct Entry {
    FiledArray array;
    std::size_t index = 0;   ///< in the archive
    std::size_t header = 0;  ///< bytes before the numbers
    bool compressed = false;
  };
  explicit ArrayFile(const std::string& path);
  void list_archive();
  void list_tensors();
  void add(const std::string& name, Entry entry);
  void unpack(Entry& entry);

  std::string path_;
  std::size_t file_bytes_ = 0;
  Budget budget_;
  std::map<std::string, Entry> arrays_;
  std::vector<std::string> names_;
  std::map<std::string, std::string> metadata_;
  std::shared_ptr<Zip> zip_;
};

/// The arrays of such a file in file order. Throws as ArrayFile::open().
std::vector<ArrayInfo> list_arrays(const std::string& path);

/// A file format that arrays are read from.
struct ArrayReader {
  const char* ending;
  std::vector<ArrayInfo> (*list)(const std::string& path);
};
std::span<const ArrayReader> array_readers();

}  // namespace headscope
