// torsor agree --against with records that are longer than what causes are sought on: differences are those of every row, in
// memory that does not grow with the record.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/command.hpp"
#include "tests/support/sanitized.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

constexpr int long_rows = 60000;

/// Torques that a tool without gravity gives for a long motion of the planar arm.
void write_long_record(const std::string& name) {
  std::ostringstream motion;
  motion.precision(17);
  motion << "t,q1,q2,qd1,qd2,qdd1,qdd2\n";
  for (int k = 0; k < long_rows; ++k) {
    const double t = 0.001 * k, s = std::sin(t), c = std::cos(t);
    motion << t << ',' << s << ',' << c << ',' << c << ',' << -s << ',' << -s << ',' << -c << '\n';
  }
  write("long.csv", motion.str());
  REQUIRE(torsor("id two_link --gravity 0,0,0 --motion long.csv -o " + name).code == 0);
}

}  // namespace

TEST_CASE("causes of a long record are sought on rows spread evenly, differences are those of all rows") {
  write_long_record("still.csv");
  const Outcome still = torsor("agree two_link --against still.csv --json");
  REQUIRE(still.code == 1);
  const json answer = json_of(still);
  CHECK(answer["row_count"] == long_rows);
  const long searched = answer["searched_rows"].get<long>();
  CHECK(searched >= 10000);
  CHECK(searched <= 10002);
  REQUIRE(!answer["guesses"].empty());
  CHECK(answer["guesses"][0]["explains"] == true);
  CHECK(answer["guesses"][0]["reason"].get<std::string>().starts_with("gravity"));
  CHECK(contains(torsor("agree two_link --against still.csv").out,
                 "Reasons were sought on " + std::to_string(searched) + " of the 60000 rows"));

  // one row off, and none of those spread evenly: it is found, and no slip explains it
  std::string text = read(path("still.csv"));
  std::size_t at = 0;
  constexpr int spoilt = 12347;  // counted from 1
  for (int line = 0; line < spoilt; ++line) at = text.find('\n', at) + 1;
  const std::size_t end = text.find('\n', at), last = text.rfind(',', end);
  text.replace(last + 1, end - last - 1, "1000");
  const json odd = json_of(torsor("agree two_link --json --against " + write("spoilt.csv", text)));
  CHECK(odd["joints"][1]["row"] == spoilt);
  CHECK(odd["joints"][1]["there"] == 1000);
  for (const json& guess : odd["guesses"]) CHECK(guess["explains"] == false);

  // a record that agrees is compared to its last row
  REQUIRE(torsor("id two_link --motion long.csv -o same.csv").code == 0);
  CHECK(torsor("agree two_link --against same.csv").code == 0);
}

TEST_CASE("memory does not grow with the record" * doctest::skip(sanitized)) {
  write_long_record("still.csv");
  const Outcome small = torsor("--version >/dev/null; ulimit -v 65000; '" + places::command_path() +
                               "' agree two_link --json --against still.csv");
  CAPTURE(small.err);
  CHECK(small.code == 1);
}
