#include "core/io/descriptor.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <stdexcept>

namespace headscope {

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

bool DescriptorBuffer::write_out(const char* bytes, std::size_t size) {
  while (size > 0 && error_ == 0) {
    const ssize_t done = ::write(descriptor_, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      error_ = errno;
      return false;
    }
    bytes += done;
    size -= static_cast<std::size_t>(done);
    written_ += done;
  }
  return error_ == 0;
}

int DescriptorBuffer::sync() {
  const bool good = write_out(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return good ? 0 : -1;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize DescriptorBuffer::xsputn(const char* bytes, std::streamsize size) {
  if (size < epptr() - pptr()) return std::streambuf::xsputn(bytes, size);
  if (sync() != 0 || !write_out(bytes, static_cast<std::size_t>(size))) return 0;
  return size;
}

DescriptorBuffer::pos_type DescriptorBuffer::seekoff(off_type offset, std::ios_base::seekdir direction,
                                                     std::ios_base::openmode which) {
  // Only tellp(): a pipe cannot go back.
  if (offset != 0 || direction != std::ios_base::cur || (which & std::ios_base::out) == 0)
    return {off_type(-1)};
  return {written_ + (pptr() - pbase())};
}

int read_all(int descriptor, std::string& bytes, std::size_t limit) try {
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size > limit) return EFBIG;
    bytes.reserve(size);
  }
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t got = ::read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    if (static_cast<std::size_t>(got) > limit - bytes.size()) return EFBIG;
    bytes.append(part.data(), static_cast<std::size_t>(got));
  }
} catch (const std::bad_alloc&) {
  return ENOMEM;
} catch (const std::length_error&) {
  return ENOMEM;
}

}  // namespace headscope
