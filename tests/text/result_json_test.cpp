#include "torsor/text/result_json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "torsor/text/result_table.hpp"

namespace torsor {
namespace {

enum class ListedEnding { reached, lost };
std::string_view status_name(ListedEnding e) { return e == ListedEnding::reached ? "reached" : "lost"; }

struct ListedPoint {
  std::string name;
  double x = 0;
  double doubled() const { return 2 * x; }
};

constexpr auto fields(Of<ListedPoint>) {
  return row_list("Point", "A point.", field("name", "", "", &ListedPoint::name),
                  field("x", "m", "where it is", &ListedPoint::x),
                  field("doubled", "m", "a member function", &ListedPoint::doubled));
}

struct ListedWhole {
  ListedPoint part{"a", 1.5};
  std::vector<ListedPoint> points{{"b", 2}, {"c", 3}};
  std::optional<double> none, some = 0.25;
  std::vector<double> numbers{1, 2};
  std::vector<std::string> texts{"u", "v"};
  std::map<std::string, ListedPoint> by_name{{"d", {"d", 4}}};
  NumberArray table = matrix_of({1, 2, 3, 4, 5, 6}, 3);
  ListedEnding ending = ListedEnding::lost;
  Transform<double> pose = Transform<double>::translation({1, 2, 3});
  Force<double> wrench{{1, 2, 3}, {4, 5, 6}};
  double infinite = std::numeric_limits<double>::infinity();
  std::pair<double, double> range{3, 4};
  bool good = true;
};

constexpr auto fields(Of<ListedWhole>) {
  using W = ListedWhole;
  return field_list("Whole", "Everything.", fields_of_part(&W::part), field("points", "", "", &W::points),
                    field("none", "", "", &W::none), field("some", share_unit, "", &W::some),
                    field("numbers", "", "", &W::numbers), field("texts", "", "", &W::texts),
                    field("by_name", "", "", &W::by_name), field("table", "", "", &W::table),
                    field("ending", "", "", &W::ending), field("pose", "", "", &W::pose),
                    field("wrench", "", "", &W::wrench), field("infinite", "", "", &W::infinite).or_null(),
                    field("range", "", "", &W::range), field("good", "", "", &W::good));
}

struct ListedChoice {
  std::optional<double> given = 1.5, left_out;
  std::optional<std::optional<double>> unknown = std::optional<double>();
};

constexpr auto fields(Of<ListedChoice>) {
  return field_list("Choice", "What may have no value.", field("given", "", "", &ListedChoice::given).or_absent(),
                    field("left_out", "", "", &ListedChoice::left_out).or_absent(),
                    field("unknown", "", "there, and without a value", &ListedChoice::unknown).or_absent());
}

}  // namespace

TEST_CASE("a field that may be absent has a key where it has a value") {
  std::ostringstream out;
  JsonWriter json(out);
  write_json(json, ListedChoice{});
  CHECK(nlohmann::json::parse(out.str()) == nlohmann::json::parse(R"({"given": 1.5, "unknown": null})"));
}

TEST_CASE("every kind of field is written, parts as fields of the whole, what has no value as null") {
  std::ostringstream out;
  JsonWriter json(out);
  write_json(json, ListedWhole{});
  CHECK(nlohmann::json::parse(out.str()) == nlohmann::json::parse(R"({"name": "a", "x": 1.5, "doubled": 3.0,
    "points": [{"name": "b", "x": 2.0, "doubled": 4.0}, {"name": "c", "x": 3.0, "doubled": 6.0}], "none": null, "some": 0.25,
    "numbers": [1.0, 2.0], "texts": ["u", "v"], "by_name": {"d": {"name": "d", "x": 4.0, "doubled": 8.0}},
    "table": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "ending": "lost",
    "pose": {"position": [1.0, 2.0, 3.0], "quaternion": [1.0, 0.0, 0.0, 0.0], "rpy": [0.0, 0.0, 0.0]},
    "wrench": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "infinite": null, "range": [3.0, 4.0], "good": true})"));
  CHECK(json.notes().empty());
}

TEST_CASE("a number that is not finite is noted where the list does not allow it") {
  std::ostringstream out;
  JsonWriter json(out);
  write_json(json, ListedPoint{"a", std::numeric_limits<double>::infinity()});
  CHECK(json.notes().size() == 2);
}

TEST_CASE("a table has the columns that are asked for, with their units; shares are in per cent") {
  const std::vector<ListedPoint> points{{"b", 2}, {"c", 3}};
  const TextTable table = table_of<ListedPoint>("two", points, {"name", {"doubled", "twice"}});
  REQUIRE(table.columns.size() == 2);
  CHECK(table.columns[1].name == "twice");
  CHECK(table.columns[1].unit == "m");
  CHECK(std::get<double>(table.rows[1][1]) == 6);
  const TextTable whole = table_of<ListedWhole>("", std::array{ListedWhole{}}, {"x", "none", "some", "good", "ending"});
  CHECK(std::get<double>(whole.rows[0][0]) == 1.5);
  CHECK(std::get<std::string>(whole.rows[0][1]) == "-");
  CHECK(std::get<std::string>(whole.rows[0][2]) == "25 %");
  CHECK(std::get<std::string>(whole.rows[0][3]) == "yes");
  CHECK(std::get<std::string>(whole.rows[0][4]) == "lost");
}

}  // namespace torsor
