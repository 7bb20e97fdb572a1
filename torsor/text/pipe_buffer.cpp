#include "torsor/text/pipe_buffer.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace torsor {
namespace {

constexpr std::size_t most_held = std::size_t{1} << 16;
constexpr int pause_ms = 100;

}  // namespace

PipeBuffer::PipeBuffer(int descriptor) : descriptor_(descriptor), held_(most_held) {}

PipeBuffer::int_type PipeBuffer::underflow() {
  if (gptr() < egptr()) return traits_type::to_int_type(*gptr());
  if (idle_) {
    pollfd source{descriptor_, POLLIN, 0};
    if (poll(&source, 1, pause_ms) == 0) idle_();
  }
  ssize_t got = 0;
  do got = ::read(descriptor_, held_.data(), held_.size());
  while (got < 0 && errno == EINTR);
  // the stream above takes it for a failure, which is not an end
  if (got < 0) throw std::system_error(errno, std::generic_category());
  if (got == 0) return traits_type::eof();
  setg(held_.data(), held_.data(), held_.data() + got);
  return traits_type::to_int_type(*gptr());
}

}  // namespace torsor
