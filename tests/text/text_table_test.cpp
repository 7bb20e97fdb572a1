#include "torsor/text/text_table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/markup.hpp"
#include "torsor/text/json.hpp"

using namespace torsor;

namespace {

TextTable torques() {
  TextTable table;
  table.caption = "Peaks";
  table.columns = {{"joint"}, {"τ", "N m"}, {"n"}};
  table.add({"waist", 42.876, 3}).add({"wrist", -0.00312, 12});
  return table;
}

}  // namespace

TEST_CASE("numbers are rounded to significant digits, without trailing zeros") {
  CHECK(format_number(0, 4) == "0");
  CHECK(format_number(-0.0, 4) == "0");
  CHECK(format_number(97.2, 4) == "97.2");
  CHECK(format_number(-3.14159, 4) == "-3.142");
  CHECK(format_number(9.9996, 4) == "10");
  CHECK(format_number(0.00012345, 3) == "0.000123");
  CHECK(format_number(123456.7, 3) == "123457");
  CHECK(format_number(999999.7, 3) == "1e6");
  CHECK(format_number(999999.7, 7) == "999999.7");
  CHECK(format_number(1234567.0, 4) == "1.235e6");
  CHECK(format_number(4e-5, 4) == "4e-5");
  CHECK(format_number(5e-324, 2) == "4.9e-324");
  CHECK(format_number(1200, 2) == "1200");
  CHECK(format_number(0.1, 17) == "0.10000000000000001");
}

TEST_CASE("non-finite numbers are shown as what they are") {
  CHECK(format_number(std::nan(""), 4) == "nan");
  CHECK(format_number(std::numeric_limits<double>::infinity(), 4) == "inf");
  CHECK(format_number(-std::numeric_limits<double>::infinity(), 4) == "-inf");
}

TEST_CASE("plain text aligns decimal points and counts code points, with no trailing blanks") {
  CHECK(to_text(torques()) ==
        "Peaks\n"
        "joint   τ (N m)   n\n"
        "-------------------\n"
        "waist  42.88      3\n"
        "wrist  -0.00312  12\n");
}

TEST_CASE("columns can be aligned left, right and in the middle") {
  TextTable table;
  table.columns = {{"left", "", Align::left}, {"right", "", Align::right}, {"center", "", Align::center}};
  table.add({1.0, "a", "b"});
  CHECK(to_text(table) == "left  right  center\n-------------------\n1         a    b\n");
}

TEST_CASE("a table without rows or without columns is still printed") {
  TextTable table;
  CHECK(to_text(table) == "\n\n");
  CHECK(markup::markup_fault(to_html(table)) == "");
  table.columns = {{"a"}, {"b"}};
  CHECK(to_text(table) == "a  b\n----\n");
}

TEST_CASE("control characters of a cell do not reach the terminal") {
  TextTable table;
  table.columns = {{"name"}};
  table.add({"a\n\x1b[2Jb"});
  CHECK(to_text(table) == "name\n-------\na  [2Jb\n");
}

TEST_CASE("Markdown has an aligned source and says how columns are aligned") {
  CHECK(to_markdown(torques()) ==
        "**Peaks**\n\n"
        "| joint |  τ (N m) |   n |\n"
        "|:------|---------:|----:|\n"
        "| waist | 42.88    |   3 |\n"
        "| wrist | -0.00312 |  12 |\n");
}

TEST_CASE("Markdown shows a cell's text as it is, never as markup or a further column") {
  TextTable table;
  table.columns = {{"a|b"}};
  table.add({"<b>*x*</b> `y` | \\ [z](u)"});
  const std::string text = to_markdown(table);
  CHECK(text.find("a\\|b") != std::string::npos);
  CHECK(text.find("&lt;b>\\*x\\*&lt;/b> \\`y\\` \\| \\\\ \\[z\\](u)") != std::string::npos);
}

TEST_CASE("HTML is well formed, escaped, and keeps the decimal points below each other") {
  TextTable table = torques();
  table.add({"<img src=x onerror=alert(1)>", 7.0, 1});
  const std::string html = to_html(table);
  CHECK(markup::markup_fault(html) == "");
  CHECK(html.find("<img") == std::string::npos);
  // one punctuation space for the point and one figure space per missing decimal
  CHECK(html.find("<td class='right'>7\u2008\u2007\u2007\u2007\u2007\u2007</td>") != std::string::npos);
  CHECK(html.find("<td class='right'>42.88\u2007\u2007\u2007</td>") != std::string::npos);
  CHECK(html.find("τ (N\u00A0m)") != std::string::npos);
}

TEST_CASE("numbers among texts and short texts are marked, so that no line breaks within them") {
  TextTable table{"", {{"what"}, {"how much"}}};
  table.add({std::string("tau"), std::string("8.5e-16")});
  table.add({std::string("the first of two"), std::string("-1.2345678901e-16")});
  table.add({std::string("N m"), std::string("the mean of its magnitude")});
  const std::string html = to_html(table);
  for (const char* text : {"8.5e-16", "-1.2345678901e-16", "N m", "tau"})
    CHECK(html.find(std::string(" whole'>") + text + "</td>") != std::string::npos);
  for (const char* text : {"the first", "the mean"})
    CHECK(html.find(std::string("left'>") + text) != std::string::npos);
}

TEST_CASE("the data of a table keep full precision") {
  TextTable table = torques();
  table.add({"tip", 1.0 / 3, 9007199254740993});
  std::ostringstream out;
  JsonWriter json(out);
  write_data(table, json);
  const auto data = nlohmann::json::parse(out.str());
  CHECK(data["caption"] == "Peaks");
  CHECK(data["columns"][1] == nlohmann::json{{"name", "τ"}, {"unit", "N m"}});
  CHECK(data["rows"][2][0] == "tip");
  CHECK(data["rows"][2][1].get<double>() == 1.0 / 3);
  CHECK(data["rows"][2][2].get<long long>() == 9007199254740993);
}
