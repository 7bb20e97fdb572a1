// XML as a tree with lines, from any encoding; what is not XML is named where it is; nothing brings the parser down.
#include "torsor/text/xml.hpp"

#include <doctest/doctest.h>

#include "tests/files/file_text.hpp"
#include "tests/support/patience.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

XmlElement parsed(std::string_view text) {
  const auto root = parse_xml(text, "test.xml");
  for (const Fault& error : root.faults()) MESSAGE(to_string(error));
  REQUIRE(root);
  return *root;
}

std::string xml_fault(std::string_view text) {
  const auto root = parse_xml(text, "test.xml");
  return root ? "" : to_string(root.faults().front());
}

std::string utf16(std::string_view ascii, bool big_endian, bool mark) {
  std::string out;
  const auto unit = [&](unsigned value) {
    const char high = static_cast<char>(value >> 8U), low = static_cast<char>(value & 0xFFU);
    out += big_endian ? high : low;
    out += big_endian ? low : high;
  };
  if (mark) unit(0xFEFF);
  for (const char c : ascii) unit(static_cast<unsigned char>(c));
  return out;
}

}  // namespace

TEST_CASE("elements, attributes and text come with their lines") {
  const XmlElement root =
      parsed("<?xml version=\"1.0\"?>\n<a\n  x='1'\n  y=\"&lt;2&#33;\">\n<!-- no -->\n<b/> word <c>&amp;</c>\n</a>\n");
  CHECK(root.name == "a");
  CHECK(root.line == 2);
  REQUIRE(root.attributes.size() == 2);
  CHECK(root.attributes[0].line == 3);
  CHECK(root.attributes[1].line == 4);
  CHECK(*root.attribute("y") == "<2!");
  CHECK(root.attribute("z") == nullptr);
  CHECK(root.text == "word");
  REQUIRE(root.children.size() == 2);
  CHECK(root.children[0].line == 6);
  CHECK(root.child("c")->text == "&");
}

TEST_CASE("lines are the same in every encoding") {
  const std::string text = "<a>\n<b>\n\n<c name=\"x\"/></b></a>";
  for (const std::string& encoded :
       {text, "\xEF\xBB\xBF" + text, utf16(text, false, true), utf16(text, true, true), utf16(text, false, false),
        utf16(text, true, false), "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + text}) {
    const XmlElement root = parsed(encoded);
    CHECK(root.children[0].line == 2);
    CHECK(root.children[0].children[0].line == 4);
    CHECK(*root.children[0].children[0].attribute("name") == "x");
  }
  const std::string broken = "<a>\n<b>\n</c></a>";
  for (const std::string& encoded : {broken, utf16(broken, false, true), utf16(broken, true, false)})
    CHECK(xml_fault(encoded).starts_with("test.xml:3: </c>: <b> of line 2 is still open here"));
}

TEST_CASE("letters of other alphabets arrive as UTF-8") {
  CHECK(*parsed("<?xml version='1.0' encoding='iso-8859-1'?><a n='\xE9'/>").attribute("n") == "\u00e9");
  using namespace std::string_view_literals;
  CHECK(*parsed("\xFF\xFE<\0a\0 \0n\0=\0'\0\x3D\xD8\x16\xDE'\0/\0>\0"sv).attribute("n") == "\U0001F616");
}

TEST_CASE("what is not XML is named, with what was expected") {
  struct Case {
    std::string_view text, expected;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"<a>\n<b>\n", "test.xml:2: <b>: it is never closed [xml-syntax]; add </b> where it ends"},
           {"<a>\n</a>\n</a>", "test.xml:3: </a>: it closes nothing"},
           {"<a>\n<b c='>'>\n</a>", "test.xml:3: </a>: <b> of line 2 is still open here [xml-syntax]; close it first"},
           {"<a>\n<!-- x\n\n</a>", "test.xml:2: comment: it is not closed"},
           {"<a>\n<![CDATA[ x\n\n</a>", "test.xml:2: CDATA: it is not closed"},
           {"<a>\n<b c=1/></a>", "test.xml:2: <b>: an attribute is not written as name=\"value\""},
           {"<a b='1'c='2'/>", "test.xml:1: <a>: an attribute is not written"},
           {"<a", "test.xml:1: tag: the opening tag is not finished"},
           {"words", "test.xml: document: it holds no element"},
           {"words <a/>", "test.xml:1: text: there is text outside the root element"},
           {"<!-- nothing -->", "test.xml: document: it holds no element"},
           {"", "test.xml: document: it holds no element"},
           {"<a/>\n<b/>", "test.xml:2: <b>: it stands after the end of the root element"},
           {"<a x='1'\n x='2'/>", "test.xml:2: <a>: the attribute \"x\" is given twice"},
           {"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "test.xml:1: DOCTYPE: it defines entities, which are not expanded"},
       }) {
    CAPTURE(c.text);
    CHECK(xml_fault(c.text).starts_with(c.expected));
  }
  CHECK(xml_fault(std::string_view("<a>\n\0</a>", 9)).starts_with("test.xml:2: document: it holds a zero byte"));
  CHECK(xml_fault("<!DOCTYPE robot><a/>").empty());
}

TEST_CASE("an attribute given twice is found among very many") {
  std::string text = "<a";
  for (int i = 0; i < 100'000; ++i) text += " x" + std::to_string(i) + "=''";
  CHECK(parsed(text + "/>").attributes.size() == 100'000);
  CHECK(xml_fault(text + " x7=''/>").find("\"x7\" is given twice") != std::string::npos);
}

TEST_CASE("half a million nested tags, closed or not, are an error within a second") {
  const double took = processor_seconds([] {
    const std::string deep = repeated("<a>", 500'000);
    CHECK(xml_fault(deep).find("it is never closed") != std::string::npos);
    CHECK(xml_fault(deep + repeated("</a>", 500'000)).find("[xml-depth]") != std::string::npos);
  });
  CHECK(took < patience);
}

TEST_CASE("more elements than any robot has are refused before they fill the memory") {
  CHECK(xml_fault("<a>" + repeated("<b/>", 2'000'001) + "</a>").find("[xml-size]") != std::string::npos);
  CHECK(xml_fault("<a" + repeated(" b=''", 4'000'001) + "/>").find("[xml-size]") != std::string::npos);
}

TEST_CASE("what is written reads back as the same elements") {
  XmlElement root;
  root.name = "robot";
  root.attributes = {{"name", "<\"&'>\t\n\r \u00e9", 0}};
  root.children.resize(2);
  root.children[0].name = "a";
  root.children[0].text = "1 < 2 & 3";
  root.children[1].name = "b";
  root.children[1].children = {root.children[0]};
  std::string text;
  append_xml(text, root);
  const XmlElement again = parsed(text);
  CHECK(same_xml(again, root));
  CHECK_FALSE(same_xml(again, root.children[0]));
  // a control character that XML cannot hold becomes a blank
  root.attributes[0].value = "a\x01z";
  text.clear();
  append_xml(text, root);
  CHECK(*parsed(text).attribute("name") == "a z");
  // others stand as references: the file commands no terminal
  const std::string commands = "a\x7f\u009b2J\u202ez";
  root.attributes[0].value = root.children[0].text = commands;
  text.clear();
  append_xml(text, root);
  CHECK(printable(text.substr(0, text.find('\n'))) == text.substr(0, text.find('\n')));
  CHECK(text.find("\u009b") == std::string::npos);
  CHECK(*parsed(text).attribute("name") == commands);
}

TEST_CASE("no bytes bring the parser down") {
  testing::Random random(5);
  const std::string alphabet = "<<<>>>/ab='\"!-[]?&;# \n\xC3\xFF\xFE";
  int sound = 0;
  for (int run = 0; run < testing::draws(20'000); ++run) {
    std::string text;
    for (int length = random.below(30); length > 0; --length)
      text += alphabet[static_cast<std::size_t>(random.below(static_cast<int>(alphabet.size())))];
    if (random.chance(0.5)) text = "<a>" + text + "</a>";
    sound += static_cast<bool>(parse_xml(text, "test.xml"));
  }
  CHECK(sound > 100);
}

TEST_CASE("an entity that XML does not define is a fault where it stands, and only there") {
  const auto refused = parse_xml("<a>\n<b c='&foo;&lt;'/>\n<d>&#65; &bar.baz; &amp;ok;</d></a>", "f");
  REQUIRE_FALSE(refused);
  REQUIRE(refused.faults().size() == 2);
  CHECK(refused.faults()[0].rule == "xml-entity");
  CHECK(refused.faults()[0].where.line == 2);
  CHECK(refused.faults()[0].offender == "&foo;");
  CHECK(refused.faults()[1].where.line == 3);
  CHECK(refused.faults()[1].offender == "&bar.baz;");
  const XmlElement sound = parsed(
      "<?xml version='1.0'?><!DOCTYPE a [<!ELEMENT a ANY>]><!-- &x; --><a b='R & D; 1&2 &apos;&#x41;&amp;x;'>"
      "<![CDATA[&y;]]>&quot;&gt;</a>");
  CHECK(*sound.attribute("b") == "R & D; 1&2 'A&x;");
  CHECK(sound.text == "&y;\">");
}
