#pragma once
#include <array>
#include <cstddef>
#include <streambuf>
#include <string>

namespace headscope {

/// A stream buffer on a file descriptor that keeps the system's error number, which std::ofstream loses.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);
  /// errno of the first write that failed, or 0.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize size) override;
  int sync() override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir direction, std::ios_base::openmode which) override;

 private:
  bool write_out(const char* bytes, std::size_t size);

  int descriptor_;
  int error_ = 0;
  std::streamoff written_ = 0;
  std::array<char, 1 << 16> buffer_;
};

/// Appends the rest of the file to `bytes`. Returns 0 or errno; EFBIG for more than `limit` bytes in total,
/// ENOMEM if memory is exhausted.
int read_all(int descriptor, std::string& bytes, std::size_t limit);

}  // namespace headscope
