// xacro: what the language means, by documents of our own; what is refused, and how fast.
#include "torsor/files/xacro.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/files/file_text.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/xacro_expression.hpp"
#include "torsor/files/yaml_subset.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

std::string document(const std::string& inside) {
  return "<r xmlns:xacro='http://ros.org/wiki/xacro'>\n" + inside + "\n</r>";
}

/// The elements in the root, on one line.
std::string expanded(const std::string& inside, const LoadOptions& options = {}) {
  const auto result = expand_xacro(document(inside), "text", options);
  if (!result) return result.faults()[0].rule;
  std::string text;
  for (const XmlElement& child : result->root.children) append_xml(text, child);
  std::string line;
  for (const char c : text)
    if (c != '\n') line += c;
  return line + result->root.text;
}

std::string property(const std::string& name, const std::string& value, const std::string& more = "") {
  return "<xacro:property name='" + name + "' value=\"" + value + "\" " + more + "/>";
}

/// The value of an expression as it is printed, or the rule that refuses it.
std::string value(const std::string& expression) {
  torsor::detail::XacroContext context;
  context.name = [](const std::string& name) { return torsor::detail::builtin_name(name); };
  try {
    return torsor::detail::to_text(torsor::detail::evaluate(*torsor::detail::parse_expression(expression), context));
  } catch (const torsor::detail::XacroError& error) {
    return error.rule;
  }
}

std::string yaml(const std::string& text) {
  try {
    return torsor::detail::to_repr(
        torsor::detail::read_yaml(text, [](const std::string& code) { return std::stod(code); }));
  } catch (const torsor::detail::XacroError& error) {
    return error.rule;
  }
}

}  // namespace

TEST_CASE("expressions have the values that Python gives them") {
  // each as printed by Python 3.11
  for (const auto& [expression, printed] :
       std::initializer_list<std::pair<const char*, const char*>>{{"1/3", "0.3333333333333333"},
                                                                  {"2", "2"},
                                                                  {"2.0", "2.0"},
                                                                  {"1e22", "1e+22"},
                                                                  {"1e16", "1e+16"},
                                                                  {"123456789012345680.0", "1.2345678901234568e+17"},
                                                                  {"1e15", "1000000000000000.0"},
                                                                  {"0.00001", "1e-05"},
                                                                  {"0.0001", "0.0001"},
                                                                  {"-0.0", "-0.0"},
                                                                  {"7 // 2", "3"},
                                                                  {"-7 // 2", "-4"},
                                                                  {"-7 % 3", "2"},
                                                                  {"7.5 // 2", "3.0"},
                                                                  {"-7.5 % 2", "0.5"},
                                                                  {"2**10", "1024"},
                                                                  {"2**-1", "0.5"},
                                                                  {"-2**2", "-4"},
                                                                  {"2**3**2", "512"},
                                                                  {"True + 1", "2"},
                                                                  {"not 0", "True"},
                                                                  {"1 < 2 < 3", "True"},
                                                                  {"1 < 2 > 3", "False"},
                                                                  {"'a' in 'abc'", "True"},
                                                                  {"2 not in [1]", "True"},
                                                                  {"0 or 'x'", "x"},
                                                                  {"1 and 0", "0"},
                                                                  {"1 if 0 else 2", "2"},
                                                                  {"[1, 2.5, 'x', None]", "[1, 2.5, 'x', None]"},
                                                                  {"(1,)", "(1,)"},
                                                                  {"[1,2,3][-1]", "3"},
                                                                  {"'abc'[::-1]", "cba"},
                                                                  {"[1,2,3,4][1:3]", "[2, 3]"},
                                                                  {"dict(a=1)['a']", "1"},
                                                                  {"len('äb')", "2"},
                                                                  {"[i*i for i in range(4) if i % 2]", "[1, 9]"},
                                                                  {"sum([a*b for a, b in zip([1,2],[3,4])])", "11"},
                                                                  {"round(2.5)", "2"},
                                                                  {"round(2.675, 2)", "2.67"},
                                                                  {"round(3.5)", "4"},
                                                                  {"int(3.9)", "3"},
                                                                  {"int('7')", "7"},
                                                                  {"float('1e3')", "1000.0"},
                                                                  {"str(1.0)", "1.0"},
                                                                  {"min(3, 1.5)", "1.5"},
                                                                  {"max([1, 3, 2])", "3"},
                                                                  {"abs(-3)", "3"},
                                                                  {"sqrt(2)", "1.4142135623730951"},
                                                                  {"math.cos(0)", "1.0"},
                                                                  {"radians(90)", "1.5707963267948966"},
                                                                  {"degrees(pi)", "180.0"},
                                                                  {"'%.3f|%d|%s' % (pi, 3, 'x')", "3.142|3|x"},
                                                                  {"'a,b'.split(',')", "['a', 'b']"},
                                                                  {"'-'.join(['a','b'])", "a-b"},
                                                                  {"'Ab'.lower() + 'c'.upper()", "abC"},
                                                                  {"'ab' 'cd'", "abcd"},
                                                                  {"\"it's\"", "it's"},
                                                                  {"[\"it's\"]", "[\"it's\"]"},
                                                                  {"1 if 'x' == \"x\" else 0", "1"},
                                                                  {"0x10", "16"},
                                                                  {"3 * 'ab'", "ababab"},
                                                                  {"sorted([3,1,2])", "[1, 2, 3]"},
                                                                  {"xacro.tokenize('a b;c')", "['a', 'b', 'c']"},
                                                                  {"dict(a=1).get('b', 5)", "5"},
                                                                  {"5 & 3 | 8", "9"}}) {
    const auto& which = expression;  // clang captures no structured binding
    CAPTURE(which);
    CHECK(value(expression) == printed);
  }
}

TEST_CASE("what is no expression, has no value or reaches out is refused") {
  for (const char* wrong : {"",
                            "1 +",
                            "(1",
                            "1 2",
                            "'a",
                            "a b",
                            "1/0",
                            "0.0**-1",
                            "sqrt(-1)",
                            "log(0)",
                            "'a' + 1",
                            "[1][2]",
                            "dict(a=1)['b']",
                            "1 < 'a'",
                            "2**64",
                            "9223372036854775807 + 1",
                            "'a' * 10**9",
                            "range(10**9)",
                            "lambda: 1",
                            "().__class__",
                            "__import__('os')",
                            "dict(a=1).a",
                            "open('x')",
                            "int('x')",
                            "float('x')",
                            "min([])",
                            "f(*[1])",
                            "5mm",
                            "1 if 2",
                            "[x for y]",
                            "min(1, key=2)"}) {
    CAPTURE(wrong);
    CHECK(value(wrong).starts_with("xacro-"));
  }
  CHECK(value("nothing") == "xacro-undefined");
  CHECK(value("nothing") != value("1/0"));
}

TEST_CASE("properties are evaluated when they are used, in the scope where they were defined") {
  CHECK(expanded(property("a", "${b + 1}") + property("b", "41") + "<x v='${a}'/>") == "<x v=\"42\"/>");
  CHECK(expanded(property("a", "${b}", "lazy_eval='false'")) == "xacro-undefined");
  CHECK(expanded(property("a", "${b}") + property("b", "${a}") + "<x v='${a}'/>") == "xacro-circle");
  CHECK(expanded(property("t", "true") + property("n", "010") + property("q", "'5'") + property("f", "1e3") +
                 "<x v='${t} ${n} ${q} ${f}'/>") == "<x v=\"True 10 5 1000.0\"/>");
  CHECK(expanded("<x v='$${a} $5 $'/>") == "<x v=\"${a} $5 $\"/>");
  CHECK(expanded("<xacro:property name='b'><y/><z/></xacro:property><xacro:insert_block name='b'/>") == "<y/><z/>");
  CHECK(expanded(property("a", "1") + "<xacro:property name='a' default='2'/><x v='${a}'/>") == "<x v=\"1\"/>");
  CHECK(expanded(property("a", "1") + "<xacro:property name='a' remove='true'/><x v='${a}'/>") == "xacro-undefined");
  const std::string macro = "<xacro:macro name='m'>" + property("p", "3", "scope='parent'") +
                            property("g", "4", "scope='global'") + property("l", "5") + "</xacro:macro><xacro:m/>";
  CHECK(expanded(macro + "<x v='${p} ${g}'/>") == "<x v=\"3 4\"/>");
  CHECK(expanded(macro + "<x v='${l}'/>") == "xacro-undefined");
  CHECK(expanded(property("p", "3", "scope='parent'")) == "xacro-property");
}

TEST_CASE("macros take values, defaults, values of the caller and blocks") {
  const std::string macro =
      "<xacro:macro name='m' params='a b:=2 c:=^ d:=^|${1+3} *one **all'><x v='${a} ${b} ${c} "
      "${d}'/><xacro:insert_block name='one'/><xacro:insert_block name='all'/></xacro:macro>";
  CHECK(expanded(macro + property("c", "3") + "<xacro:m a='1'><p/><q><r/><s/></q></xacro:m>") ==
        "<x v=\"1 2 3 4\"/><p/><r/><s/>");
  CHECK(expanded(macro + property("c", "3") + property("d", "5") + "<xacro:m a='1' b='7'><p/><q/></xacro:m>") ==
        "<x v=\"1 7 3 5\"/><p/>");
  CHECK(expanded(macro + "<xacro:m a='1'><p/><q/></xacro:m>") == "xacro-parameter");
  CHECK(expanded(macro + property("c", "3") + "<xacro:m><p/><q/></xacro:m>") == "xacro-parameter");
  CHECK(expanded(macro + property("c", "3") + "<xacro:m a='1' z='2'><p/><q/></xacro:m>") == "xacro-parameter");
  CHECK(expanded(macro + property("c", "3") + "<xacro:m a='1'><p/></xacro:m>") == "xacro-block");
  CHECK(expanded(macro + property("c", "3") + "<xacro:m a='1'><p/><q/><t/></xacro:m>") == "xacro-block");
  CHECK(expanded("<xacro:nothing/>") == "xacro-macro");
  CHECK(expanded(property("w", "m2") +
                 "<xacro:macro name='m2' params='a'><y v='${a}'/></xacro:macro><xacro:call macro='${w}' a='6'/>") ==
        "<y v=\"6\"/>");
}

TEST_CASE("conditions, elements and attributes that are made, substitutions") {
  CHECK(expanded("<xacro:if value='${1 &lt; 2}'><a/></xacro:if><xacro:unless value='true'><b/></xacro:unless>") ==
        "<a/>");
  CHECK(expanded("<xacro:if value='maybe'><a/></xacro:if>") == "xacro-condition");
  CHECK(
      expanded("<xacro:element xacro:name='made${1}' t='${2}'><xacro:attribute name='u' value='v'/></xacro:element>") ==
      "<made1 t=\"2\" u=\"v\"/>");
  const LoadOptions options{
      .arguments = {{"x", "5"}}, .packages = {}, .package_folders = {}, .environment = {{"SEEN", "yes"}}};
  CHECK(expanded("<xacro:arg name='x' default='1'/><xacro:arg name='y' default='${2*3}'/><a v='$(arg x) $(arg y)' "
                 "w='$(eval x + y)'/>",
                 options) == "<a v=\"5 6\" w=\"11\"/>");
  CHECK(expanded("<a v='$(arg x)'/>") == "xacro-argument");
  CHECK(expanded("<a v='$(env SEEN) $(optenv NOT a b)'/>", options) == "<a v=\"yes a b\"/>");
  CHECK(expanded("<a v='$(env HOME)'/>", options) == "xacro-environment");
  CHECK(expanded("<a v='$(find nowhere_at_all)'/>") == "xacro-package");
  CHECK(expanded("<a v='${\"%r %r %x %04X %o\" % (0.1, \"b\", 255, 255, 8)}' w='${range(3)} ${range(1, 9, 2)} "
                 "${list(range(3))} ${range(3)[1]}'/>") ==
        "<a v=\"0.1 'b' ff 00FF 10\" w=\"range(0, 3) range(1, 9, 2) [0, 1, 2] 1\"/>");
  CHECK(expanded("<a v='${\"%x\" % -1}'/>") == "xacro-expression");
  CHECK(expanded("<a v='$(run x)'/>") == "xacro-substitution");
  CHECK(expanded("<a v='${1'/>") == "xacro-expression");
  CHECK(expanded("<xacro:include filename='x.xacro'/>") == "xacro-outside");
}

TEST_CASE("a file that never ends is refused") {
  CHECK(expanded("<xacro:macro name='m'><xacro:m/></xacro:macro><xacro:m/>") == "xacro-endless");
  CHECK(expanded("<xacro:macro name='m' params='n'><xacro:if value='${n}'><xacro:m n='${n-1}'/><xacro:m "
                 "n='${n-1}'/></xacro:if></xacro:macro><xacro:m n='90'/>") == "xacro-endless");
  std::string laughs = property("p0", "aaaaaaaaaa");
  for (int i = 1; i < 40; ++i)
    laughs += property("p" + std::to_string(i), "${p" + std::to_string(i - 1) + "}${p" + std::to_string(i - 1) + "}");
  CHECK(expanded(laughs + "<a v='${p39}'/>") == "xacro-endless");
  // a macro that calls itself often enough is a loop
  CHECK(expanded("<xacro:macro name='m' params='n'><xacro:if value='${n}'><xacro:m "
                 "n='${n-1}'/></xacro:if></xacro:macro><xacro:m n='200'/>") == "");
}

TEST_CASE("YAML is read as PyYAML reads it") {
  CHECK(yaml("a: 1\nb:\n  c: [1, 2.5, x]\n  d: {e: yes, f: ~}\n# end\n") ==
        "{'a': 1, 'b': {'c': [1, 2.5, 'x'], 'd': {'e': True, 'f': None}}}");
  CHECK(yaml("- 1\n- a: 1\n  b: 2\n-\n  - 3\n  - 4\n") == "[1, {'a': 1, 'b': 2}, [3, 4]]");
  CHECK(yaml("a:\n- 1\n- 2\nb: 3\n") == "{'a': [1, 2], 'b': 3}");
  CHECK(yaml("x: 1e-5\ny: 1.0e-5\nz: 010\nw: .5\nv: -3\n") == "{'x': '1e-5', 'y': 1e-05, 'z': 8, 'w': 0.5, 'v': -3}");
  // hours, minutes: whole while a double can tell whole numbers
  CHECK(yaml("a: 1:30\nb: -1:00\n") == "{'a': 90, 'b': -60}");
  CHECK(yaml("a: 222222222222322222232322:22\n").find("e+25") != std::string::npos);
  CHECK(yaml("a: 'it''s' # c\nb: \"x\\ty\"\nc: a b\n   c\nd: a#b\n") ==
        "{'a': \"it's\", 'b': 'x\\ty', 'c': 'a b c', 'd': 'a#b'}");
  CHECK(yaml("a: !degrees 180\nb: !millimeters 5\n") == "{'a': 3.141592653589793, 'b': 0.005}");
  CHECK(yaml("a: &x {k: 1}\nb: *x\nc:\n  <<: *x\n  l: 2\n") == "{'a': {'k': 1}, 'b': {'k': 1}, 'c': {'k': 1, 'l': 2}}");
  CHECK(yaml("a: |\n  one\n  two\nb: >-\n  one\n  two\n") == "{'a': 'one\\ntwo\\n', 'b': 'one two'}");
  CHECK(yaml("a: [1,\n    2]\n---\n") == "yaml");
  CHECK(yaml("") == "None");
  for (const char* wrong : {"a: [1", "a: 'x", "a: *none", "a: !python/object x", "a: 1\n b: 2\n", "? [1]\n: 2\n",
                            "\ta: 1\n", "a: 1\n---\nb: 2\n", "a: {b 1, c"}) {
    CAPTURE(wrong);
    CHECK(yaml(wrong) == "yaml");
  }
}

TEST_CASE("a robot of several files and packages is read with its macros, and faults name the file they are in") {
  const std::string file = places::in_project("tests/xacro/arm_description/urdf/arm.urdf.xacro");
  LoadOptions options{.arguments = {{"name", "two"}}, .packages = {}, .package_folders = {}, .environment = {}};
  const auto robot = load_robot(file, options);
  for (const Fault& fault : robot.faults()) MESSAGE(to_string(fault));
  REQUIRE(robot);
  CHECK(robot->name == "two");
  REQUIRE(robot->links.size() == 3);
  CHECK(robot->links[0].limits.lower == doctest::Approx(-1.5707963267948966));
  CHECK(robot->links[1].limits.upper == 0.5);
  CHECK(robot->links[1].parts.at(0).mass == 1.5);
  CHECK(std::filesystem::path(robot->links[1].where.file).filename() == "links.xacro");
  CHECK(robot->links[1].where.line == 12);
  const auto model = build(*robot);
  REQUIRE(model);
  CHECK(model->frames.back().name == "tool0");
  options.arguments["tool"] = "false";
  CHECK(load_robot(file, options)->links.size() == 2);
  options.arguments.clear();
  CHECK(load_robot(file, options).faults().at(0).rule == "xacro-argument");
}

TEST_CASE("of two packages of one name the file's own comes first, and others are named") {
  namespace fs = std::filesystem;
  const fs::path top = fs::temp_directory_path() / ("torsor_packages_" + std::to_string(::getpid()));
  fs::remove_all(top);
  const auto package = [&](const std::string& folder, const std::string& name, const std::string& mass) {
    fs::create_directories(top / folder);
    std::ofstream(top / folder / "package.xml") << "<package><name>" << name << "</name></package>";
    std::ofstream(top / folder / "p.xacro")
        << "<robot xmlns:xacro='http://ros.org/wiki/xacro'><xacro:property name='m' value='" << mass << "'/></robot>";
  };
  package("ws/a/arm", "arm", "1");
  package("ws/z/arm", "arm", "2");
  package("mine/other", "other", "3");
  const std::string text =
      "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><xacro:include filename='$(find arm)/p.xacro'/>"
      "<link name='b'/><link name='l'><inertial><mass value='${m}'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
      "iyz='0'/></inertial></link><joint name='j' type='continuous'><parent link='b'/><child "
      "link='l'/></joint></robot>";
  for (const char* folder : {"ws/z/arm", "mine/other"}) std::ofstream(top / folder / "r.urdf.xacro") << text;
  LoadOptions options;
  options.package_folders = {(top / "ws").string()};
  const auto read = [&](const std::string& file) {
    const auto robot = load_robot((top / file).string(), options);
    for (const Fault& fault : robot.faults()) MESSAGE(to_string(fault));
    REQUIRE(robot);
    return *robot;
  };
  const auto doubts = [](const Description& d) {
    return std::ranges::count_if(d.notes, [](const Fault& note) {
      return note.rule == "xacro-package-twice" && note.severity == Severity::warning &&
             note.what.find("ws/a/arm") < note.what.find("ws/z/arm");
    });
  };
  const Description own = read("ws/z/arm/r.urdf.xacro");
  CHECK(own.links[0].parts.at(0).mass == 2);
  CHECK(doubts(own) == 0);
  const Description foreign = read("mine/other/r.urdf.xacro");
  CHECK(foreign.links[0].parts.at(0).mass == 1);
  CHECK(doubts(foreign) == 1);
  options.packages["arm"] = (top / "ws/z/arm").string();
  const Description said = read("mine/other/r.urdf.xacro");
  CHECK(said.links[0].parts.at(0).mass == 2);
  CHECK(doubts(said) == 0);
  fs::remove_all(top);
}
