#include "standard_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "command.h"

namespace seesaw::app {
namespace {

int output_error = 0;  // errno of the first failure
bool in_a_file = false;

// All of it, or false.
bool put(int descriptor, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(descriptor, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

// Streams whose writes never fail for the caller.
ssize_t put_output(void*, const char* bytes, std::size_t size) {
  if (output_error == 0 && !put(STDOUT_FILENO, bytes, size)) output_error = errno == 0 ? EIO : errno;
  return static_cast<ssize_t>(size);
}
ssize_t put_error(void*, const char* bytes, std::size_t size) {
  put(STDERR_FILENO, bytes, size);
  return static_cast<ssize_t>(size);
}

// A descriptor that is closed would be given to the next file that is opened, and messages would be written into it.
void occupy(int descriptor) {
  if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) return;
  const int reading = open("/dev/null", O_RDONLY);  // writing to it fails, as to a closed one
  if (reading >= 0 && reading != descriptor) {
    dup2(reading, descriptor);
    close(reading);
  }
}

std::FILE* stream(cookie_write_function_t* write_function, int buffering) {
  cookie_io_functions_t functions{};
  functions.write = write_function;
  std::FILE* file = fopencookie(nullptr, "w", functions);
  if (file != nullptr) std::setvbuf(file, nullptr, buffering, BUFSIZ);
  return file;
}

}  // namespace

void guard_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) occupy(descriptor);
  if (std::FILE* out = stream(put_output, isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF)) stdout = out;
  if (std::FILE* err = stream(put_error, _IONBF)) stderr = err;
}

void outlive_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void result_is_written() { in_a_file = true; }

bool standard_output_failed() {
  std::fflush(stdout);
  return output_error != 0;
}

int code_after_output(int code) {
  if (!standard_output_failed()) return code;
  fmt::print(stderr, "seesaw: standard output could not be written: {}.\n", std::strerror(output_error));
  return in_a_file ? code : bad_input;
}

}  // namespace seesaw::app
