#include "torsor/text/npy_writer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "torsor/text/npy_header.hpp"

using namespace torsor;

TEST_CASE("an array has its number of rows in the head and its numbers behind it") {
  std::ostringstream out;
  {
    NpyWriter writer(out, "r.npy", 2);
    CHECK(writer.row(std::array{1.0, 2.0}));
    CHECK(writer.row(std::array{3.0, 4.0}));
  }
  CHECK(out.str().substr(0, 128) == npy_header(2, 2));
  CHECK(out.str().size() == 128 + 32);
  // 1 as a little-endian double
  CHECK(out.str().substr(128, 8) == std::string("\0\0\0\0\0\0\xf0\x3f", 8));
}

TEST_CASE("rows after finish are counted by the next one") {
  std::ostringstream out;
  NpyWriter writer(out, "r.npy", 1);
  CHECK(writer.finish());
  CHECK(out.str() == npy_header(0, 1));
  CHECK(writer.row(std::array{5.0}));
  CHECK(writer.finish());
  CHECK(out.str().substr(0, 128) == npy_header(1, 1));
  CHECK(out.str().size() == 136);
}

TEST_CASE("a full disk under an array is noticed") {
  std::ofstream full("/dev/full");
  if (!full.is_open()) return;  // no such device on this system
  NpyWriter writer(full, "out.npy", 1);
  for (int i = 0; i < 1'000'000 && writer.row(std::array{1.0}); ++i) {
  }
  CHECK_FALSE(writer.finish());
  REQUIRE(writer.faults().size() == 1);
  CHECK(writer.faults()[0].rule == "npy-write");
  CHECK(writer.faults()[0].where.file == "out.npy");
}
