#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

void write_axes(JsonWriter& json, std::span<const double> numbers, std::span<const std::size_t> shape) {
  if (shape.size() <= 1) {
    json.value(numbers);
    return;
  }
  json.begin_array();
  const std::size_t size = shape[0] > 0 ? numbers.size() / shape[0] : 0;
  for (std::size_t k = 0; k < shape[0]; ++k) write_axes(json, numbers.subspan(k * size, size), shape.subspan(1));
  json.end_array();
}

void write_numbers(JsonWriter& json, std::initializer_list<double> numbers) {
  json.value(std::span<const double>(numbers.begin(), numbers.size()));
}

}  // namespace

void write_value(JsonWriter& json, const NumberArray& array) { write_axes(json, array.numbers, array.shape); }
void write_value(JsonWriter& json, const Vec3<double>& v) { write_numbers(json, {v.x, v.y, v.z}); }
void write_value(JsonWriter& json, const Force<double>& F) {
  write_numbers(json, {F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z});
}
void write_value(JsonWriter& json, const Motion<double>& V) {
  write_numbers(json, {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z});
}

void write_value(JsonWriter& json, const Transform<double>& X) {
  const Quaternion<double> e = quaternion(X.R);
  const RollPitchYaw angles = roll_pitch_yaw(X.R);
  json.begin_object().key("position");
  write_value(json, X.p);
  json.key("quaternion");
  write_numbers(json, {e.e0, e.e1, e.e2, e.e3});
  json.key("rpy");
  write_numbers(json, {angles.roll, angles.pitch, angles.yaw});
  json.end_object();
}

}  // namespace torsor
