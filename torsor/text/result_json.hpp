// Results as JSON, from their lists of fields (torsor/fields.hpp).
#pragma once

#include "torsor/fields.hpp"
#include "torsor/text/json.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor {

void write_value(JsonWriter& json, const NumberArray& array);
void write_value(JsonWriter& json, const Vec3<double>& v);
/// Moment before force, angular before linear.
void write_value(JsonWriter& json, const Force<double>& F);
void write_value(JsonWriter& json, const Motion<double>& V);
/// {position, quaternion, rpy}: metres; e0 e1 e2 e3; roll, pitch, yaw in radians.
void write_value(JsonWriter& json, const Transform<double>& X);

template <class T>
void write_json(JsonWriter& json, const T& x);

/// The fields of a result into an object that is open.
template <HasFields T>
void write_fields(JsonWriter& json, const T& result) {
  for_each_field<T>([&](const auto& field, const auto& get) {
    const auto& x = get(result);
    using Value = std::remove_cvref_t<decltype(x)>;
    if constexpr (is_optional_value<Value>)
      if (field.may_be_absent && !x) return;
    json.key(field.name);
    if constexpr (std::is_floating_point_v<Value> || std::is_same_v<Value, std::optional<double>>) {
      if (const std::optional<double> number = x; field.may_be_infinite && !(number && std::isfinite(*number))) {
        json.value(nullptr);
        return;
      }
    }
    write_json(json, x);
  });
}

/// Any value of a field; a result is an object.
template <class T>
void write_json(JsonWriter& json, const T& x) {
  if constexpr (requires { write_value(json, x); }) {
    write_value(json, x);
  } else if constexpr (HasFields<T>) {
    json.begin_object();
    write_fields(json, x);
    json.end_object();
  } else if constexpr (is_optional_value<T>) {
    if (x)
      write_json(json, *x);
    else
      json.value(nullptr);
  } else if constexpr (TextValue<T>) {
    json.value(std::string_view(x));
  } else if constexpr (NamedValue<T>) {
    json.value(std::string_view(status_name(x)));
  } else if constexpr (MapValue<T>) {
    json.begin_object();
    for (const auto& [name, value] : x) {
      json.key(name);
      write_json(json, value);
    }
    json.end_object();
  } else if constexpr (std::is_convertible_v<const T&, std::span<const double>>) {
    json.value(std::span<const double>(x));
  } else if constexpr (std::is_convertible_v<const T&, std::span<const std::string>>) {
    json.value(std::span<const std::string>(x));
  } else if constexpr (ListValue<T>) {
    json.begin_array();
    for (std::size_t k = 0; k < x.size(); ++k) write_json<typename T::value_type>(json, x[k]);
    json.end_array();
  } else if constexpr (requires { x.first; }) {
    json.begin_array();
    write_json(json, x.first);
    write_json(json, x.second);
    json.end_array();
  } else {
    json.value(x);
  }
}

}  // namespace torsor
