#include "python/bindings/loads.hpp"

namespace torsor::python {
namespace {

Vec3<double> vec(std::span<const double> row, std::size_t first) {
  return {row[first], row[first + 1], row[first + 2]};
}

Force<double> force(std::span<const double> row, std::size_t first) { return {vec(row, first), vec(row, first + 3)}; }

}  // namespace

LoadRows::LoadRows(RowCall& call, const RowSubject& subject, nb::handle given) : call_(call), subject_(subject) {
  if (given.is_none()) return;
  if (!nb::isinstance(given, nb::module_::import_("torsor._loads").attr("Loads")))
    throw nb::type_error((std::string(call.function()) +
                          ": loads is no torsor.Loads; expected Loads(base=..., wrench=..., external=...)")
                             .c_str());
  first_ = call.taken();
  const Robot& robot = subject.robot;
  const nb::object frame = given.attr("frame");
  frame_ = robot.frame(call.function(), frame);
  if (subject.robots) frames_ = subject.robots->frames(call.function(), frame);
  call.take("loads.base", nb::object(given.attr("base")), 9, Need::optional);
  call.take("loads.wrench", nb::object(given.attr("wrench")), 6, Need::optional);
  call.take("loads.external", nb::object(given.attr("external")), {robot.tree().size(), 6}, Need::optional);
  call.take("loads.gravity", nb::object(given.attr("gravity")), 3, Need::optional);
}

const Loads& LoadRows::at(std::int64_t state, Loads& loads) const {
  loads.assign({});
  if (first_ < 0) return loads;
  const Model<double>& model = subject_.robot.tree();
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
  const bool own_wrenches = out.wrench.data && frames_.data;
  if (!external.data && !own_wrenches) return out;
  // from link frames to those of the joints, which may be elsewhere from robot to robot
  const RobotNumbersOfRows* const own = subject_.robots && subject_.robots->own_frames() ? subject_.robots : nullptr;
  const std::vector<Body<double>>& bodies = subject_.robot.tree().bodies;
  const std::size_t width = 6 * bodies.size();
  const std::int64_t rows = external.stride == 0 && !own ? 1 : count;
  room.clear();
  const auto append = [&room](const Force<double>& at) {
    room.insert(room.end(), {at.n.x, at.n.y, at.n.z, at.f.x, at.f.y, at.f.z});
  };
  for (std::int64_t s = 0; external.data && s < rows; ++s)
    for (std::size_t i = 0; i < bodies.size(); ++i)
      append((own ? own->link((first + s) % own->count(), i) : bodies[i].link) *
             force({external.row(s), width}, 6 * i));
  const std::size_t wrenches = room.size();
  for (std::int64_t s = 0; own_wrenches && s < count; ++s) {
    const double* const x = frames_.row((first + s) % own->count());
    const Transform<double> X{{{x[0], x[3], x[6]}, {x[1], x[4], x[7]}, {x[2], x[5], x[8]}}, {x[9], x[10], x[11]}};
    append(X * force({out.wrench.row(s), 6}, 0));
  }
  if (external.data) out.external = {room.data(), rows == 1 ? 0 : static_cast<std::ptrdiff_t>(width)};
  if (own_wrenches) {
    out.wrench = {room.data() + wrenches, 6};
    out.frame.X_body_frame = {};
  }
  return out;
}

}  // namespace torsor::python
