#include "torsor/text/npy_header.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace torsor;

namespace {

// a file of that version around a header text
std::string npy_file(std::string text, int version = 1) {
  const std::size_t length = text.size();
  std::string file = "\x93NUMPY";
  file += {static_cast<char>(version), '\0', static_cast<char>(length % 256), static_cast<char>(length / 256)};
  if (version > 1) file += {'\0', '\0'};
  return file + text;
}

std::string npy_text(const std::string& type, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }          \n";
}

Result<NpyHeader> npy_read(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_npy_header(in, "a.npy");
}

std::string npy_fault(const std::string& bytes) {
  const auto header = npy_read(bytes);
  REQUIRE(!header);
  REQUIRE(header.faults().size() == 1);
  CHECK(header.faults()[0].where.file == "a.npy");
  CHECK_FALSE(header.faults()[0].remedy.empty());
  return header.faults()[0].rule;
}

}  // namespace

TEST_CASE("heads of all versions tell type and shape, and leave the stream at the data") {
  for (const int version : {1, 2, 3}) {
    std::istringstream in(npy_file(npy_text("<f8", "(1000, 18)"), version) + "data");
    const auto header = read_npy_header(in, "a.npy");
    REQUIRE(header);
    CHECK(header->bytes == 8);
    CHECK(header->rows == 1000);
    CHECK(header->columns == 18);
    std::string rest;
    in >> rest;
    CHECK(rest == "data");
  }
  CHECK(npy_read(npy_file(npy_text("<f4", "(2,3)")))->bytes == 4);
  CHECK(npy_read(npy_file("{\"shape\":(2L,3L),\"fortran_order\":False,\"descr\":\"<f8\"}"))->rows == 2);
}

TEST_CASE("an array of one dimension is one row") {
  const auto header = npy_read(npy_file(npy_text("<f8", "(7,)")));
  REQUIRE(header);
  CHECK(header->rows == 1);
  CHECK(header->columns == 7);
}

TEST_CASE("the head that is written is read, and is as long for every number of rows") {
  for (const std::int64_t rows : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 40}) {
    const std::string bytes = npy_header(rows, 6);
    CHECK(bytes.size() % 64 == 0);
    CHECK(bytes.size() == npy_header(0, 6).size());
    const auto header = npy_read(bytes);
    REQUIRE(header);
    CHECK(header->rows == rows);
    CHECK(header->columns == 6);
  }
  CHECK(npy_header(1, 900'000).size() == npy_header(0, 6).size());
}

TEST_CASE("each way in which a file is not a plain array of numbers has its rule") {
  CHECK(npy_fault("") == "npy-magic");
  CHECK(npy_fault("t,q1\n0,1\n") == "npy-magic");
  CHECK(npy_fault("\x93NUMP") == "npy-magic");
  CHECK(npy_fault("\x93NUMPY\x01") == "npy-header");
  CHECK(npy_fault(npy_file(npy_text("<f8", "(2, 3)"), 4)) == "npy-version");
  CHECK(npy_fault(npy_file(npy_text("<f8", "(2, 3)")).substr(0, 40)) == "npy-header");
  CHECK(npy_fault("\x93NUMPY\x02" + std::string("\0\xff\xff\xff\xff", 5)) == "npy-header");
  for (const char* text :
       {"", "{", "{}", "[1]", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': 0, 'shape': (1, 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), 'more': 1}",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)} x"})
    CHECK_MESSAGE(npy_fault(npy_file(text)) == "npy-header", text);
  for (const char* type : {">f8", ">f4", "<f2", "<i8", "|b1", "<c16", "|O", "<U3"})
    CHECK_MESSAGE(npy_fault(npy_file(npy_text(type, "(2, 3)"))) == "npy-dtype", type);
  CHECK(npy_fault(npy_file("{'descr': [('q', '<f8'), ('t', '<f8')], 'fortran_order': False, 'shape': (3,)}")) ==
        "npy-dtype");
  CHECK(npy_fault(npy_file(npy_text("<f8", "(2, 3)", "True"))) == "npy-order");
  for (const char* shape :
       {"()", "(2, 3, 4)", "(5, 0)", "(2, 2000000)", "(9000000000000000000, 100)", "(-1, 18)", "(3, -2)"})
    CHECK_MESSAGE(npy_fault(npy_file(npy_text("<f8", shape))) == "npy-shape", shape);
}

TEST_CASE("type and order that are both wrong are told both") {
  CHECK(npy_read(npy_file(npy_text("<i4", "(2, 3)", "True"))).faults().size() == 2);
}
