#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/decode.h"

namespace headscope {

/// numpy's .npy format, numpy.lib.format: magic, version, length of the header, the header as a Python
/// dictionary, the numbers.
struct NpyHeader {
  ArrayHeader array;
  std::size_t size = 0;  ///< bytes before the numbers
};

/// Size of the whole header including the magic, from the first 12 bytes of the file. Throws Error (input) if
/// it is not .npy.
std::size_t npy_header_size(std::string_view start, const std::string& where);
/// `bytes` begins with the whole header.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& where);

/// The header of an array in C order, padded so that the numbers start at a multiple of 64 bytes.
/// `descr` is numpy's: "<f4", "|u1".
std::string npy_header(std::string_view descr, const std::vector<Index>& shape);

/// The array of a file. Throws Error (input) naming file, what was found and expected; its size is checked
/// before memory is allocated. Rejects a file of more than `limit` bytes.
NamedArray read_npy(const std::string& path, std::size_t limit = SIZE_MAX);
/// The array of a file, only its header being read. Throws as read_npy() does.
std::vector<ArrayInfo> list_npy(const std::string& path);

}  // namespace headscope
