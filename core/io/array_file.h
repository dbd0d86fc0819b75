#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/budget.h"
#include "core/io/decode.h"

namespace headscope {

/// The bytes of one array of a file.
class ArrayBytes {
 public:
  ArrayBytes() = default;
  virtual ~ArrayBytes() = default;
  ArrayBytes(const ArrayBytes&) = delete;
  ArrayBytes& operator=(const ArrayBytes&) = delete;
  /// As many as there is room for, from a place on. Any thread may ask. Throws Error (input) where the file
  /// has been cut short, unable where it cannot be read.
  virtual void read(std::size_t begin, std::span<char> to) const = 0;
};

/// An array whose numbers stay in the file until they are asked for.
struct FiledArray {
  ArrayHeader header;
  std::string where;         ///< "FILE: NAME", for messages
  std::size_t unpacked = 0;  ///< bytes that lie in memory because the file has them compressed
  std::shared_ptr<const ArrayBytes> bytes;

  /// The product of the shape.
  Index size() const;
  /// Numbers of C order from a place on, as many as there is room for. Any thread may ask. Throws Error as
  /// ArrayBytes::read().
  void read(Index begin, std::span<float> to) const;
  /// All of it as text.
  std::string text() const;
  /// Of strings: each of them.
  std::vector<std::string> texts() const;
};

/// The arrays of an .npz or a .safetensors file, which is read by position: nothing but what describes them
/// is read at first, however large it is. A file that is cut short meanwhile ends in an Error, where a mapped
/// one would end the program.
class ArrayFile {
 public:
  /// Throws Error (input) as list_npz() and list_safetensors() do, and for arrays of one name.
  static ArrayFile open(const std::string& path);

  const std::string& path() const { return path_; }
  std::vector<std::string> names() const;
  bool has(const std::string& name) const { return arrays_.contains(name); }
  /// nullptr where there is none of this name. Of a compressed array all is unpacked into memory here. Throws
  /// Error (input) for numbers that are not read, in another order than C's, or packed too tightly.
  const FiledArray* find(const std::string& name);
  /// Of .safetensors.
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
  void unpack(Entry& entry);

  std::string path_;
  std::size_t file_bytes_ = 0;
  Budget budget_;
  std::map<std::string, Entry> arrays_;
  std::map<std::string, std::string> metadata_;
  std::shared_ptr<Zip> zip_;
};

}  // namespace headscope
