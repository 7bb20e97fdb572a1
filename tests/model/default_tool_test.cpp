// The default tool of a file that names none: by its name, else the end of the longest chain; never what cannot move.
#include "torsor/model/default_tool.hpp"

#include <doctest/doctest.h>

#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

struct Row {
  const char *link, *parent;
  JointKind kind;
};

std::string tool_of(std::initializer_list<Row> rows) {
  Description d;
  d.name = "test";
  for (const Row& row : rows) {
    LinkDescription& link = d.links.emplace_back();
    link.name = row.link;
    link.joint_name = std::string(row.link) + "_joint";
    link.parent = row.parent;
    link.kind = row.kind;
  }
  const auto model = build(d);
  REQUIRE(model);
  return model->frames.back().name;
}

}  // namespace

TEST_CASE("the default tool moves, and is the one that a name or the longest chain tells") {
  constexpr JointKind R = JointKind::revolute, fixed = JointKind::fixed;
  CHECK(tool_of({{"a", "base", R}, {"b", "a", R}}) == "b");
  // the last link of the file cannot move
  CHECK(tool_of({{"a", "base", R}, {"b", "a", R}, {"stand", "base", fixed}}) == "b");
  CHECK(tool_of({{"a", "base", R}, {"b", "a", R}, {"camera", "a", fixed}}) == "b");
  CHECK(tool_of({{"a", "base", R}, {"tool0", "a", fixed}, {"c", "a", fixed}}) == "tool0");
  CHECK(tool_of({{"a", "base", R}, {"left_flange", "a", fixed}, {"finger", "left_flange", R}}) == "left_flange");
  CHECK(tool_of({{"a", "base", R}, {"ee_link", "a", fixed}, {"tcp", "a", fixed}}) == "tcp");
  // a name does not help a link on the base, nor one that only ends like it
  CHECK(tool_of({{"tool0", "base", fixed}, {"a", "base", R}}) == "a");
  CHECK(tool_of({{"a", "base", R}, {"mytool0", "a", fixed}, {"z", "a", fixed}}) == "z");
  CHECK(tool_of({{"a", "base", fixed}, {"b", "a", fixed}}) == "b");
}
