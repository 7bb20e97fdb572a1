#include "python/bindings/loads.hpp"

namespace torsor::python {
namespace {

Vec3<double> vec(std::span<const double> row, std::size_t first) {
  return {row[first], row[first + 1], row[first + 2]};
}

Force<double> force(std::span<const double> row, std::size_t first) { return {vec(row, first), vec(row, first + 3)}; }

}  // namespace

LoadRows::LoadRows(RowCall& call, const Robot& robot, nb::handle given) : call_(call), robot_(robot) {
  if (given.is_none()) return;
  if (!nb::isinstance(given, nb::module_::import_("torsor._loads").attr("Loads")))
    throw nb::type_error((std::string(call.function()) +
                          ": loads is no torsor.Loads; expected Loads(base=..., wrench=..., external=...)")
                             .c_str());
  first_ = call.taken();
  frame_ = robot.frame(call.function(), nb::object(given.attr("frame")));
  call.take("loads.base", nb::object(given.attr("base")), 9, Need::optional);
  call.take("loads.wrench", nb::object(given.attr("wrench")), 6, Need::optional);
  call.take("loads.external", nb::object(given.attr("external")), {robot.tree().size(), 6}, Need::optional);
  call.take("loads.gravity", nb::object(given.attr("gravity")), 3, Need::optional);
}

const Loads& LoadRows::at(std::int64_t state, Loads& loads) const {
  loads.assign({});
  if (first_ < 0) return loads;
  const Model<double>& model = robot_.tree();
  const auto base = call_.row(first_, state), wrench = call_.row(first_ + 1, state),
             external = call_.row(first_ + 2, state), gravity = call_.row(first_ + 3, state);
  if (!base.empty()) loads.base = {vec(base, 0), vec(base, 3), vec(base, 6)};
  // a base that is accelerated upwards feels as much more weight
  if (!gravity.empty()) loads.base.a += model.gravity - vec(gravity, 0);
  // users give forces in link frames and tools, the library takes them in those of the joints
  if (!external.empty())
    for (int i = 0; i < model.size(); ++i)
      loads.external.push_back(model[i].link * force(external, 6 * static_cast<std::size_t>(i)));
  if (!wrench.empty()) loads.add_wrench(frame_, force(wrench, 0));
  return loads;
}

LoadsOfRows LoadRows::rows(std::int64_t first, std::int64_t count, std::vector<double>& room) const {
  LoadsOfRows out;
  if (first_ < 0) return out;
  out.base = call_.given(first_, first);
  out.wrench = call_.given(first_ + 1, first);
  out.gravity = call_.given(first_ + 3, first);
  out.frame = frame_;
  const StateRows<const double> external = call_.given(first_ + 2, first);
  if (!external.data) return out;
  // from link frames to those of the joints
  const std::vector<Body<double>>& bodies = robot_.tree().bodies;
  const std::size_t width = 6 * bodies.size();
  const std::int64_t rows = external.stride == 0 ? 1 : count;
  room.clear();
  for (std::int64_t s = 0; s < rows; ++s)
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto [n, f] = bodies[i].link * force({external.row(s), width}, 6 * i);
      room.insert(room.end(), {n.x, n.y, n.z, f.x, f.y, f.z});
    }
  out.external = {room.data(), external.stride == 0 ? 0 : static_cast<std::ptrdiff_t>(width)};
  return out;
}

}  // namespace torsor::python
