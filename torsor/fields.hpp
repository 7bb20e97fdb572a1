// The list of fields of a result, written once beside its type; JSON, Python, type stubs and tables are made from it.
//
//   struct Shaft { double peak_torque = 0; double rms() const; };
//   constexpr auto fields(Of<Shaft>) {
//     return field_list("Shaft", "What a motion asks of one shaft.",
//                       field("peak_torque", "N m", "largest torque, with its sign", &Shaft::peak_torque),
//                       field("rms_torque", "N m", "root of its mean square", &Shaft::rms));
//   }
//
// A value is a number, a truth, a text, a result with a list of its own, a value of torsor/spatial, an enum with a status_name;
// a vector, array or optional of these (JSON: null, Python: None), a map by names, or a NumberArray. A new figure is one line.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace torsor {

/// The result whose fields are asked for: fields(Of<T>{}).
template <class T>
struct Of {};

/// The unit of a part of a whole, 1 for all of it; tables show it in per cent.
inline constexpr const char* share_unit = "1";

/// One field: get(result) is its value.
template <class Get>
struct ResultField {
  const char *name, *unit, *meaning;
  Get get;
  bool may_be_infinite = false, may_be_absent = false;

  /// A value that is no finite number is an answer here: null in JSON, without a note.
  constexpr ResultField or_null() const { return {name, unit, meaning, get, true}; }
  /// An optional value that is not there has no key in JSON.
  constexpr ResultField or_absent() const { return {name, unit, meaning, get, false, true}; }
};

template <class Get>
constexpr ResultField<Get> field(const char* name, const char* unit, const char* meaning, Get get) {
  return {name, unit, meaning, get};
}

/// The fields of a part as fields of the whole.
template <class Get>
struct FieldsOfPart {
  Get get;
};

template <class Get>
constexpr FieldsOfPart<Get> fields_of_part(Get get) {
  return {get};
}

namespace detail {
// one field of a list, and all of them: what std::tuple holds, at a fraction of the time that it takes to compile
template <std::size_t, class F>
struct FieldAt {
  F field;
};
template <class Places, class... F>
struct FieldPack;
template <std::size_t... I, class... F>
struct FieldPack<std::index_sequence<I...>, F...> : FieldAt<I, F>... {
  template <class Each>
  constexpr void visit(const Each& each) const {
    (each(static_cast<const FieldAt<I, F>&>(*this).field), ...);
  }
};
}  // namespace detail

/// Name of the type in Python and its meaning, with the fields in order; a row is a tuple with names there.
template <class... F>
struct FieldList {
  const char *name, *meaning;
  bool is_row;
  detail::FieldPack<std::index_sequence_for<F...>, F...> fields;
};

template <class... F>
constexpr FieldList<F...> field_list(const char* name, const char* meaning, F... fields) {
  return {name, meaning, false, {{fields}...}};
}

template <class... F>
constexpr FieldList<F...> row_list(const char* name, const char* meaning, F... fields) {
  return {name, meaning, true, {{fields}...}};
}

template <class T>
concept HasFields = requires { fields(Of<T>{}); };

/// visit(field, get) for every field of T, those of parts included: get(x) is the value of x.
template <HasFields T, class Visit>
constexpr void for_each_field(Visit&& visit) {
  constexpr auto list = fields(Of<T>{});
  const auto each = [&visit](const auto& one) {
    if constexpr (requires { one.name; }) {
      visit(one, [&one](const T& x) -> decltype(auto) { return std::invoke(one.get, x); });
    } else {
      using Inner = std::remove_cvref_t<std::invoke_result_t<decltype(one.get), const T&>>;
      for_each_field<Inner>([&](const auto& inner, const auto& get) {
        visit(inner, [&](const T& x) -> decltype(auto) { return get(std::invoke(one.get, x)); });
      });
    }
  };
  list.fields.visit(each);
}

/// Numbers in several axes, row by row.
struct NumberArray {
  std::vector<double> numbers = {};
  std::vector<std::size_t> shape = {};
};

/// Rows of so many numbers.
inline NumberArray matrix_of(std::vector<double> numbers, std::size_t columns) {
  const std::size_t rows = columns > 0 ? numbers.size() / columns : 0;
  return {std::move(numbers), {rows, columns}};
}

/// The number, or nothing where it is none.
inline std::optional<double> if_finite(double x) { return std::isfinite(x) ? std::optional(x) : std::nullopt; }

// kinds of values that all who write results tell apart
template <class T>
inline constexpr bool is_optional_value = false;
template <class T>
inline constexpr bool is_optional_value<std::optional<T>> = true;
template <class T>
concept TextValue = std::convertible_to<T, std::string_view>;
template <class T>
concept ListValue = !TextValue<T> && requires(const T& x) {
  typename T::value_type;
  x.begin();
  x.size();
};
template <class T>
concept MapValue = ListValue<T> && requires { typename T::mapped_type; };
template <class T>
concept NumberList =
    ListValue<T> && std::is_arithmetic_v<typename T::value_type> && !std::is_same_v<typename T::value_type, bool>;
template <class T>
concept NamedValue = std::is_enum_v<T> && requires(T x) { status_name(x); };

}  // namespace torsor
