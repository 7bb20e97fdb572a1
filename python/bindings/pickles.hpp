// Pickles of what the package gives, so that it travels to other processes and comes back.
//
//   struct Share { std::string quantity; double share; };
//   template <> struct Parts<Share> { static void each(auto& take, auto& s) { take(s.quantity, s.share); } };
//   pickled_by_parts(nb::class_<Share>(m, "Share") ...);          // values: by what they are made of
//
//   m.def("point_to_point", remembered("point_to_point", make_point_to_point), ...);
//   pickled_as_made(nb::class_<Trajectory>(m, "JointMotion", nb::dynamic_attr()) ...);   // others: by the call that made them
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace torsor::python {

namespace nb = nanobind;

/// What a value is made of: each(take, x) calls take(parts...).
template <class T>
struct Parts;

namespace detail {

template <class T>
concept HasParts = requires { sizeof(Parts<T>); };

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T, std::size_t n>
inline constexpr bool is_list<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
nb::object packed(const T& x) {
  if constexpr (HasParts<T>) {
    nb::list out;
    const auto take = [&out](const auto&... parts) { (out.append(packed(parts)), ...); };
    Parts<T>::each(take, x);
    return out;
  } else if constexpr (is_list<T>) {
    nb::list out;
    for (const auto& each : x) out.append(packed(each));
    return out;
  } else if constexpr (is_optional<T>) {
    return x ? packed(*x) : nb::object(nb::none());
  } else if constexpr (std::is_enum_v<T>) {
    return nb::int_(static_cast<int>(x));
  } else {
    return nb::cast(x);
  }
}

template <class T>
void unpack(nb::handle from, T& x) {
  if constexpr (HasParts<T>) {
    std::size_t k = 0;
    const auto take = [&](auto&... parts) { (unpack(nb::object(from[k++]), parts), ...); };
    Parts<T>::each(take, x);
  } else if constexpr (is_list<T>) {
    if constexpr (requires { x.resize(0); }) x.resize(nb::len(from));
    std::size_t k = 0;
    for (auto& each : x) unpack(nb::object(from[k++]), each);
  } else if constexpr (is_optional<T>) {
    if (!from.is_none()) unpack(from, x.emplace());
  } else if constexpr (std::is_enum_v<T>) {
    x = static_cast<T>(nb::cast<int>(from));
  } else {
    x = nb::cast<T>(from);
  }
}

}  // namespace detail

/// By its class and what __getstate__ gives of it, in every protocol: of the oldest ones Python would make an object of
/// no class.
template <class T>
nb::class_<T>& pickled_by_state(nb::class_<T>& type) {
  return type.def("__reduce__", [](nb::handle self) {
    const nb::object rebuild = nb::module_::import_("torsor._functions").attr("rebuild");
    return nb::make_tuple(rebuild, nb::make_tuple(self.type(), self.attr("__getstate__")()));
  }, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

template <class T>
nb::class_<T>& pickled_by_parts(nb::class_<T>& type) {
  return pickled_by_state(type).def("__getstate__", [](const T& x) { return nb::make_tuple(detail::packed(x)); },
                  nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def("__setstate__", [](T& x, nb::tuple state) { detail::unpack(nb::object(state[0]), *new (&x) T{}); },
           nb::sig("def __setstate__(self, state: tuple[object, ...]) -> None"));
}

/// The object with a note of the call that made it, `path(arguments)` of the package. Arrays are copied: they may
/// change.
inline nb::object remember(nb::object made, const char* path, nb::tuple arguments) {
  nb::list kept;
  const nb::object copy = nb::module_::import_("numpy").attr("array"),
                   array = nb::module_::import_("numpy").attr("ndarray");
  for (const nb::handle each : arguments)
    kept.append(nb::isinstance(each, array) || nb::isinstance<nb::list>(each) ? copy(each) : nb::borrow(each));
  made.attr("_made_by") = nb::make_tuple(path, nb::tuple(kept));
  return made;
}

/// make() with such a note on what it gives.
template <class Answer, class... Arguments>
auto remembered(const char* path, Answer (*make)(Arguments...)) {
  return [path, make](Arguments... arguments) {
    return remember(nb::cast(make(arguments...)), path,
                    nb::make_tuple(nb::cast(arguments, nb::rv_policy::reference)...));
  };
}

template <class T>
nb::class_<T>& pickled_as_made(nb::class_<T>& type) {
  return type.def("__reduce__", [](nb::handle self) {
    const nb::object made = self.attr("_made_by");
    return nb::make_tuple(nb::module_::import_("torsor._functions").attr("remake"), made);
  }, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

}  // namespace torsor::python
