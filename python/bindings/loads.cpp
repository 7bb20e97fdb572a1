#include "python/bindings/loads.hpp"

namespace torsor::python {
namespace {

Vec3<double> vec(std::span<const double> row, std::size_t first) { return {row[first], row[first + 1], row[first + 2]}; }

Force<double> force(std::span<const double> row, std::size_t first) { return {vec(row, first), vec(row, first + 3)}; }

}  // namespace

LoadRows::LoadRows(RowCall& call, const Robot& robot, nb::handle given) : call_(call), robot_(robot) {
  if (given.is_none()) return;
  if (!nb::isinstance(given, nb::module_::import_("torsor._loads").attr("Loads")))
    throw nb::type_error((std::string(call.function()) + ": loads is no torsor.Loads; expected Loads(base=..., wrench=..., external=...)").c_str());
  first_ = call.taken();
  frame_ = robot.frame(call.function(), nb::object(given.attr("frame")));
  call.take("loads.base", nb::object(given.attr("base")), 9, Need::optional);
  call.take("loads.wrench", nb::object(given.attr("wrench")), 6, Need::optional);
  call.take("loads.external", nb::object(given.attr("external")), {robot.model.size(), 6}, Need::optional);
}

Loads<double> LoadsAt::operator()(std::int64_t state) {
  if (!rows_) return {};
  const Model<double>& model = rows_.robot_.model;
  const auto base = rows_.call_.row(rows_.first_, state), wrench = rows_.call_.row(rows_.first_ + 1, state),
             external = rows_.call_.row(rows_.first_ + 2, state);
  Loads<double> loads;
  if (!base.empty()) loads.base = {vec(base, 0), vec(base, 3), vec(base, 6)};
  if (wrench.empty() && external.empty()) return loads;
  // users give forces in link frames and tools, the library takes them in those of the joints
  for (std::size_t i = 0; i < external_.size(); ++i)
    external_[i] = external.empty() ? Force<double>{} : model[static_cast<int>(i)].link * force(external, 6 * i);
  if (!wrench.empty()) external_[static_cast<std::size_t>(rows_.frame_.body)] += rows_.frame_.X_body_frame * force(wrench, 0);
  loads.external = external_;
  return loads;
}

}  // namespace torsor::python
