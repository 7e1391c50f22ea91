#include "run/trace.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/output_path.h"
#include "seesaw/error.h"

namespace seesaw {

LineFile::~LineFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void LineFile::put(const std::string& line) {
  const bool first = file_ == nullptr;
  if (first) file_ = open_output(OutputPath::of(path_), "wb");
  const bool written = file_ != nullptr && std::fputs((line + "\n").c_str(), file_) >= 0 && std::fflush(file_) == 0;
  if (first && !written) throw Error(fmt::format("cannot write the trace {}: {}.", path_, std::strerror(errno)));
  complete_ = complete_ && written;
}

}  // namespace seesaw
