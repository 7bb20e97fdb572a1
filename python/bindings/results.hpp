// Results in Python, from their lists of fields (torsor/fields.hpp): objects of the package with those attributes, and the text
// of the classes, which the build writes into torsor/_results.py.
#pragma once

#include <nanobind/stl/string.h>

#include <complex>
#include <set>

#include "python/bindings/answer.hpp"
#include "torsor/fields.hpp"
#include "torsor/result.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor::python {

nb::object value_of_field(const NumberArray& array);
inline nb::object value_of_field(const RunRows& rows) { return rows.array(); }
nb::object value_of_field(const Vec3<double>& v);
nb::object value_of_field(const Motion<double>& V);
nb::object value_of_field(const Force<double>& F);
inline nb::object value_of_field(const Transform<double>& X) { return new_array(X); }
nb::object value_of_field(const std::vector<std::complex<double>>& numbers);
/// A list of torsor.Fault.
nb::object value_of_field(const Faults& faults);
/// A torsor.Robot, or None.
struct RobotValue {
  nb::object of = nb::none();
};
inline nb::object value_of_field(const RobotValue& robot) { return robot.of; }
// what a value of the extension is to the classes; all others are arrays
constexpr const char* annotation_of(Of<Faults>) { return "list[Fault]"; }
constexpr const char* annotation_of(Of<RobotValue>) { return "Robot | None"; }
nb::object whole_numbers(std::span<const long long> numbers);

/// Any value of a field; a result is an object of the type of that name in the package.
template <class T>
nb::object answer_of(const T& x) {
  if constexpr (requires { value_of_field(x); }) {
    return value_of_field(x);
  } else if constexpr (HasFields<T>) {
    nb::dict parts;
    for_each_field<T>([&](const auto& field, const auto& get) {
      parts[field.name] = answer_of<std::remove_cvref_t<decltype(get(x))>>(get(x));
    });
    constexpr auto list = fields(Of<T>{});
    return nb::module_::import_("torsor").attr(list.name)(**parts);
  } else if constexpr (is_optional_value<T>) {
    return x ? answer_of(*x) : nb::object(nb::none());
  } else if constexpr (TextValue<T>) {
    const std::string_view text(x);
    return nb::str(text.data(), text.size());
  } else if constexpr (NamedValue<T>) {
    return answer_of(std::string(status_name(x)));
  } else if constexpr (MapValue<T>) {
    nb::dict out;
    for (const auto& [name, value] : x) out[nb::str(std::string(name).c_str())] = answer_of(value);
    return out;
  } else if constexpr (NumberList<T>) {
    if constexpr (std::is_floating_point_v<typename T::value_type>)
      return new_array(std::span<const double>(x));
    else
      return whole_numbers(std::vector<long long>(x.begin(), x.end()));
  } else if constexpr (ListValue<T>) {
    nb::list out;
    for (std::size_t k = 0; k < x.size(); ++k) out.append(answer_of<typename T::value_type>(x[k]));
    return out;
  } else if constexpr (requires { x.first; }) {
    return nb::make_tuple(answer_of(x.first), answer_of(x.second));
  } else {
    return nb::cast(x);
  }
}

/// The classes of results as Python text, those of parts in front of what has them.
class ResultClasses {
 public:
  template <HasFields T>
  ResultClasses& add() {
    constexpr auto list = fields(Of<T>{});
    if (!known_.insert(list.name).second) return *this;
    std::string text = std::string("\n\nclass ") + list.name + "(" + (list.is_row ? "NamedTuple" : base_of(list.name)) +
                       "):\n    \"\"\"" + list.meaning + "\"\"\"\n\n";
    for_each_field<T>([&](const auto& field, const auto& get) {
      using Value = std::remove_cvref_t<decltype(get(std::declval<const T&>()))>;
      text += std::string("    ") + field.name + ": " + annotation<Value>() + comment(field.unit, field.meaning) + "\n";
    });
    text_ += text;
    return *this;
  }
  /// A module: every class, and __all__.
  std::string text() const;

 private:
  template <class T>
  std::string annotation() {
    if constexpr (requires { annotation_of(Of<T>{}); }) {
      return annotation_of(Of<T>{});
    } else if constexpr (requires(const T& x) { value_of_field(x); } || NumberList<T>) {
      return "Array";
    } else if constexpr (HasFields<T>) {
      add<T>();
      constexpr auto list = fields(Of<T>{});
      return list.name;
    } else if constexpr (is_optional_value<T>) {
      return annotation<typename T::value_type>() + " | None";
    } else if constexpr (TextValue<T> || NamedValue<T>) {
      return "str";
    } else if constexpr (MapValue<T>) {
      return "dict[str, " + annotation<typename T::mapped_type>() + "]";
    } else if constexpr (ListValue<T>) {
      return "list[" + annotation<typename T::value_type>() + "]";
    } else if constexpr (requires(const T& x) { x.first; }) {
      return "tuple[" + annotation<decltype(T::first)>() + ", " + annotation<decltype(T::second)>() + "]";
    } else if constexpr (std::is_same_v<T, bool>) {
      return "bool";
    } else {
      return std::is_integral_v<T> ? "int" : "float";
    }
  }
  static std::string base_of(const std::string& name);
  static std::string comment(const std::string& unit, const std::string& meaning);

  std::set<std::string> known_;
  std::string text_;
};

}  // namespace torsor::python
