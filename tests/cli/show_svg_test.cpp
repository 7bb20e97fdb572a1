// torsor show --svg: the figure of a robot at a position.
#include <doctest/doctest.h>

#include "command.hpp"

using namespace cli_test;

TEST_CASE("show --svg writes a figure, where it is seen best or at the position asked for") {
  const Outcome show = torsor("show puma560 --svg puma.svg --q '20 45 -120 0 30 0' --degrees");
  CHECK(show.code == 0);
  CHECK(contains(show.out, "PUMA 560"));
  const std::string bent = read(path("puma.svg")), straight = torsor("show puma560 --svg - --q zero").out;
  CHECK(bent.starts_with("<svg "));
  CHECK(bent.ends_with("</svg>\n"));
  CHECK(straight.starts_with("<svg "));
  CHECK(straight != bent);
  const std::string best = torsor("show puma560 --svg -").out;
  CHECK(best.starts_with("<svg "));
  CHECK(best != straight);
}

TEST_CASE(
    "show --svg refuses a position of the wrong length, a position without a figure, a place it cannot write to") {
  const Outcome few = torsor("show puma560 --svg - --q 0,1");
  CHECK(few.code == 2);
  CHECK(few.out.empty());
  CHECK(tells(few.err, "option-count"));
  const Outcome alone = torsor("show puma560 --q zero");
  CHECK(alone.code == 2);
  CHECK(tells(alone.err, "option-mode", {"--q", "--svg"}));
  CHECK(torsor("show puma560 --svg none/puma.svg").code == 3);
}
