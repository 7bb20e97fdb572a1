#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace torsor {

Progress::Progress(std::optional<std::int64_t> total) : total_(total), shown_on_terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  // wipe the line: what follows starts clean
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::draw(std::int64_t done, std::int64_t rows) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string line = fmt::format("\r\033[K{} rows, {:.0f} s", rows, seconds);
  if (total_ && *total_ > 0 && done > 0) {
    constexpr int width = 30;
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(*total_));
    const int filled = static_cast<int>(part * width);
    line = fmt::format("\r\033[K[{:#<{}}{:.<{}}] {:3.0f} %  {} rows, {:.0f} s left", "", filled, "", width - filled,
                       100 * part, rows, seconds * (1 - part) / part);
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace torsor
