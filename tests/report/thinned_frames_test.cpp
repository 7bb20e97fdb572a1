#include "torsor/report/thinned_frames.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("few frames are all kept, of many an even choice with the first and the last") {
  for (const std::size_t n : {0, 1, 2, 9, 10, 11, 19, 20, 21, 1000, 1023, 1024, 1025, 99999}) {
    CAPTURE(n);
    ThinnedFrames<std::vector<std::size_t>> frames(10);
    for (std::size_t k = 0; k < n; ++k) frames.push({k});
    std::vector<std::size_t> all;
    for (const std::vector<std::size_t>& frame : frames.all()) {
      REQUIRE(frame.size() == 1);
      all.push_back(frame.front());
    }
    CHECK(all.size() <= 10);
    CHECK(all.size() >= std::min<std::size_t>(n, 5));
    if (n == 0) continue;
    CHECK(all.front() == 0);
    CHECK(all.back() == n - 1);
    if (n < 10) CHECK(all.size() == n);
    // evenly but for the last
    for (std::size_t k = 2; k + 1 < all.size(); ++k) CHECK(all[k] - all[k - 1] == all[1] - all[0]);
  }
}
