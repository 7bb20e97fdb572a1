#include "torsor/text/write_piece.hpp"

#include <cerrno>
#include <cstring>

namespace torsor {

std::optional<Fault> write_piece(std::ostream& out, std::string_view bytes, const std::string& file,
                                 const std::string& rule) {
  errno = 0;
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (out.good()) return std::nullopt;
  if (errno == EPIPE) return Fault{{file, 0}, "", rule, "it was closed by its reader", "the rest is not written"};
  const std::string reason = errno != 0 ? std::strerror(errno) : "the stream has failed";
  return Fault{{file, 0}, "", rule, "could not be written: " + reason, "check the free space and the permissions"};
}

}  // namespace torsor
