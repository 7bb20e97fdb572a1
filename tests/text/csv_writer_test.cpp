#include "torsor/text/csv_writer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "torsor/text/csv_reader.hpp"

using namespace torsor;

TEST_CASE("numbers are written in the shortest form under a header") {
  std::ostringstream out;
  CsvWriter writer(out, "r.csv", {"t", "tau, 1"});
  CHECK(writer.row(std::array{0.1, -3.0}));
  CHECK(writer.row(std::array{1e-300, 0.30000000000000004}));
  CHECK(writer.finish());
  CHECK(out.str() == "t,\"tau, 1\"\n0.1,-3\n1e-300,0.30000000000000004\n");
}

TEST_CASE("what is written is read back bit for bit") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<std::array<double, 3>> rows(20000);
  std::stringstream file;
  {
    CsvWriter writer(file, "r.csv", {"a", "b \"x\"", "c;d"});
    for (auto& row : rows) {
      for (double& x : row) x = std::exp(20 * normal(random)) * normal(random);
      writer.row(row);
    }
  }
  CsvReader reader(file, "r.csv");
  CHECK(reader.header() == std::vector<std::string>{"a", "b \"x\"", "c;d"});
  std::array<double, 3> back{};
  for (const auto& row : rows) {
    REQUIRE(reader.next(back));
    REQUIRE(back == row);
  }
  CHECK_FALSE(reader.next(back));
  CHECK(reader.ok());
}

TEST_CASE("a full disk is noticed") {
  std::ofstream full("/dev/full");
  if (!full.is_open()) return;  // no such device on this system
  CsvWriter writer(full, "out.csv", {"t"});
  const double t = 1;
  for (int i = 0; i < 1000000 && writer.row({&t, 1}); ++i) {
  }
  CHECK_FALSE(writer.finish());
  REQUIRE(writer.faults().size() == 1);
  CHECK(writer.faults()[0].rule == "csv-write");
  CHECK(writer.faults()[0].where.file == "out.csv");
}

TEST_CASE("a file that could not be opened is noticed") {
  std::ofstream nowhere("/no/such/place/out.csv");
  CsvWriter writer(nowhere, "out.csv", {"t"});
  CHECK_FALSE(writer.finish());
  CHECK(writer.faults().size() == 1);
}

TEST_CASE("a result that is not finite is a fault, told once") {
  std::ostringstream out;
  CsvWriter writer(out, "r.csv", {"t", "tau"});
  CHECK_FALSE(writer.row(std::array{0.0, std::nan("")}));
  CHECK_FALSE(writer.row(std::array{1.0, std::numeric_limits<double>::infinity()}));
  CHECK_FALSE(writer.finish());
  REQUIRE(writer.faults().size() == 1);
  CHECK(to_string(writer.faults()[0]) ==
        "r.csv:2: column \"tau\": the result is nan [csv-finite]; check the input that leads to it");
}
