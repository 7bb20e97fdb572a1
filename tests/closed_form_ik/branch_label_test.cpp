#include "torsor/closed_form_ik/branch_label.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("labels are read as they are written, and with fewer or more blanks") {
  for (const BranchLabel& label : {BranchLabel{1, -1, 1, 0}, {-1, 0, -1, 0}, {0, 0, 0, 0}})
    CHECK(parse_label(label_text(label)) == label);
  CHECK(label_text({0, 0, -1, 2}) == "root 2 -");
  CHECK(parse_label("2 -") == BranchLabel{0, 0, -1, 2});
  CHECK(parse_label("+-+") == BranchLabel{1, -1, 1, 0});
  CHECK(parse_label(" +,- , +") == BranchLabel{1, -1, 1, 0});
  for (const char* none : {"", "+", "++", "++++", "abc", "17 +", "0 +", "2 x"}) CHECK_FALSE(parse_label(none));
}

TEST_CASE("a wanted label fits where its signs agree, and one that is lost or left open is no reason against it") {
  const BranchLabel wanted{1, 0, -1, 0};
  CHECK(fits(wanted, {1, 1, -1, 0}));
  CHECK(fits(wanted, {1, -1, -1, 0}));
  CHECK(fits(wanted, {0, 1, 0, 0}));
  CHECK_FALSE(fits(wanted, {-1, 1, -1, 0}));
  CHECK_FALSE(fits(wanted, {1, 1, 1, 0}));
  CHECK_FALSE(fits({0, 0, 0, 2}, {0, 0, 1, 1}));
}
