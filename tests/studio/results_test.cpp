// The Studio's types of results are those of the field lists: studio/src/results.ts is written from them.
// TORSOR_WRITE=1 tests/test_studio writes it anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/places.hpp"
#include "torsor/formulations/agreement_result.hpp"
#include "torsor/formulations/census_result.hpp"
#include "torsor/drives/sizing_result.hpp"
#include "torsor/formulations/agreement.hpp"
#include "torsor/formulations/operation_census.hpp"
#include "torsor/formulations/worked_example.hpp"
#include "torsor/loops/assembly_result.hpp"
#include "torsor/numeric_ik/ik_result.hpp"
#include "torsor/numeric_ik/parallel_result.hpp"
#include "torsor/text/result_json.hpp"

using namespace torsor;

namespace {

/// Interfaces of TypeScript for results, each after those it has in it.
class Interfaces {
 public:
  template <HasFields T>
  void add() {
    type<T>();
  }
  const std::string& text() const { return text_; }

 private:
  /// As write_json writes a value of it.
  template <class T>
  std::string type() {
    if constexpr (is_optional_value<T>) {
      return type<typename T::value_type>() + " | null";
    } else if constexpr (HasFields<T>) {
      return interface_of<T>();
    } else if constexpr (std::is_same_v<T, bool>) {
      return "boolean";
    } else if constexpr (std::is_arithmetic_v<T>) {
      return "number";
    } else if constexpr (TextValue<T> || NamedValue<T>) {
      return "string";
    } else if constexpr (std::is_same_v<T, Transform<double>>) {
      return "Pose";
    } else if constexpr (std::is_same_v<T, Vec3<double>>) {
      return "number[]";
    } else if constexpr (std::is_same_v<T, NumberArray>) {
      return "Axes";
    } else if constexpr (MapValue<T>) {
      return "Record<string, " + type<typename T::mapped_type>() + ">";
    } else if constexpr (ListValue<T>) {
      const std::string item = type<std::remove_cvref_t<typename T::value_type>>();
      return (item.find(' ') == std::string::npos ? item : "(" + item + ")") + "[]";
    } else {
      // a pair
      return "[" + type<std::remove_cvref_t<decltype(std::declval<T>().first)>>() + ", " +
             type<std::remove_cvref_t<decltype(std::declval<T>().second)>>() + "]";
    }
  }

  template <HasFields T>
  std::string interface_of() {
    constexpr auto list = fields(Of<T>{});
    const std::string name = list.name;
    if (text_.find("export interface " + name + " {") != std::string::npos) return name;
    std::ostringstream lines;
    for_each_field<T>([&](const auto& field, const auto& get) {
      using Value = std::remove_cvref_t<decltype(get(std::declval<const T&>()))>;
      std::string value;
      if constexpr (is_optional_value<Value>)
        value = field.may_be_absent ? type<typename Value::value_type>() : type<Value>();
      else
        value = type<Value>() + (field.may_be_infinite ? " | null" : "");
      lines << "  " << field.name << (field.may_be_absent ? "?" : "") << ": " << value << ";";
      const std::string unit = field.unit, meaning = field.meaning;
      if (!unit.empty() || !meaning.empty())
        lines << "  // " << meaning << (meaning.empty() || unit.empty() ? "" : "; ") << unit;
      lines << "\n";
    });
    text_ += "/** " + std::string(list.meaning) + " */\nexport interface " + name + " {\n" + lines.str() + "}\n\n";
    return name;
  }

  std::string text_;
};

}  // namespace

TEST_CASE("the Studio's types of results are those of the field lists") {
  Interfaces all;
  all.add<IkResult>();
  all.add<PoseSolutions>();
  all.add<ParallelSolutions>();
  all.add<AssemblyModes>();
  all.add<WorkedExample>();
  all.add<Agreement>();
  all.add<CensusRow>();
  all.add<SizingResult>();
  const std::string expected =
      "// Results as the engine writes them: made from their lists of fields (torsor/fields.hpp) by "
      "tests/studio/results_test.cpp, not by "
      "hand.\nimport type {Pose} from './answers';\n\n/** Numbers in several axes, row by row. */\nexport type Axes = "
      "(number | Axes)[];\n\n" +
      all.text();
  const std::string path = places::in_project("studio/src/results.ts");
  if (std::getenv("TORSOR_WRITE")) std::ofstream(path) << expected;
  std::ostringstream found;
  found << std::ifstream(path).rdbuf();
  CHECK_MESSAGE(found.str() == expected,
                "studio/src/results.ts is not what the lists of fields say; TORSOR_WRITE=1 writes it");
}
