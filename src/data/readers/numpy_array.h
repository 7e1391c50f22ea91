// The array in the bytes of a .npy file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace seesaw {

struct NumpyArray {
  char kind = 'f';            // 'f' float, 'i' signed, 'u' unsigned, 'b' bool, 'S' bytes
  std::size_t item_size = 8;  // bytes
  bool swapped = false;       // in the other byte order
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::string_view bytes;  // the elements

  std::size_t size() const;  // the number of elements
  // Elements begin ... begin + count - 1 as doubles. Integers beyond 2^53 become NaN: they are not exact.
  void read(std::size_t begin, std::size_t count, double* to) const;
};

// Throws Error: "name: sentence".
[[noreturn]] void refuse_numpy(const std::string& name, const std::string& sentence);

// `name` is for messages. The array refers to `bytes`. Throws Error.
NumpyArray parse_numpy_array(std::string_view bytes, const std::string& name);

// The files of a .npz archive by name, or one file named "" if it is not an archive; both may be compressed.
std::map<std::string, std::string> unpacked_files(const std::string& path);

}  // namespace seesaw
