#include "torsor/structure/exact_round.hpp"

#include "torsor/numeric/row_major.hpp"

namespace torsor {

ModularSource::ModularSource(const ExactRobot& robot, Level level, std::mt19937_64& engine)
    : level_(level),
      engine_(engine),
      parts_per_step_(robot.hundredths ? 1 : 100),
      zeta_(root_of_turn(engine, robot.hundredths ? 36000 : 360)) {
  for (std::size_t k = 0; k < robot.general_angles.size(); ++k) general_.push_back(random_circle_point(engine));
}

CirclePoint ModularSource::point(const ExactAngle& angle) const {
  const CirclePoint exact = power(zeta_, angle.parts / parts_per_step_);
  if (angle.general < 0) return exact;
  const CirclePoint general = general_[static_cast<std::size_t>(angle.general)];
  return exact * (angle.backwards ? CirclePoint{general.c, -general.s} : general);
}

TurnOf<Modular> ModularSource::turn(const ExactAngle& angle) const {
  const CirclePoint p = point(angle);
  return {p.c, p.s};
}

Inertia<Modular> ModularSource::inertia(const std::vector<Part>& parts, bool is_rotor) {
  if (level_ == Level::generic && !is_rotor) {
    const auto any = [this] { return random_modular(engine_); };
    return {any(), {any(), any(), any()}, {any(), any(), any(), any(), any(), any()}};
  }
  Inertia<Modular> sum;
  for (const Part& part : parts) {
    equal_.clear();
    const Modular m = inertial(part.mass);
    const Vec3<Modular> com{inertial(part.com.x), inertial(part.com.y), inertial(part.com.z)};
    const Sym3<double>& I = part.tensor;
    const Sym3<Modular> tensor{moment(I.xx), moment(I.yy), moment(I.zz), moment(I.xy), moment(I.xz), moment(I.yz)};
    sum += part.about == InertiaAbout::mass_centre ? inertia_about_centre(m, com, tensor)
                                                   : Inertia<Modular>{m, com * m, tensor};
  }
  return sum;
}

Modular ModularSource::inertial(double x) {
  if (x == 0) return {};
  return level_ == Level::numbers ? number(x) : random_modular(engine_);
}

/// Entries of one tensor that are equal, or opposite, may have to stay so.
Modular ModularSource::moment(double x) {
  if (level_ != Level::equal_moments || x == 0) return inertial(x);
  const auto [known, fresh] = equal_.try_emplace(abs(x));
  if (fresh) known->second = random_modular(engine_);
  return x < 0 ? -known->second : known->second;
}

ExactRound::ExactRound(const ExactRobot& robot, Level level, std::mt19937_64& engine)
    : modulus_(random_prime(engine, robot.hundredths ? 36000 : 360)),
      scope_(modulus_),
      robot_(robot),
      engine_(engine),
      source_(robot, level, engine),
      model_(exact_model<Modular>(robot, source_)),
      configuration_(model_),
      work_(model_),
      D_(cells(model_.nv, model_.nv)),
      c_(D_.size() * static_cast<std::size_t>(model_.nv)),
      G_(static_cast<std::size_t>(model_.nv)) {
  for (const ExactBody& body : robot.bodies) offset_.push_back(source_.point(body.offset));
  for (int l = 0; l < model_.nv; ++l) draw(l);
}

void ExactRound::draw(int l) {
  const CirclePoint unit = random_circle_point(engine_);
  const Modular x = random_modular(engine_);
  for (int i = 0; i < model_.size(); ++i) {
    const Body<Modular>& b = model_[i];
    if (b.nv == 0 || b.v != l) continue;
    JointPosition<Modular>& j = configuration_[i];
    const ExactBody& exact = robot_.bodies[static_cast<std::size_t>(i)];
    if (b.kind != JointKind::prismatic && !exact.is_rotor) {
      const CirclePoint turned = exact.multiple == 1 ? unit : power(unit, exact.multiple);
      const CirclePoint at = turned * offset_[static_cast<std::size_t>(i)];
      j.c = at.c;
      j.s = at.s;
    }
    if (b.kind != JointKind::revolute) j.d = b.ratio * x + b.offset;
    if (b.kind == JointKind::helical) j.d = j.d * b.pitch;
  }
}

void ExactRound::evaluate() { coefficients_composite_body<Modular>(model_, configuration_, work_, D_, c_, G_); }

void ExactRound::values(const std::vector<Coefficient>& which, std::vector<Modular>& out) const {
  out.resize(which.size());
  for (std::size_t e = 0; e < which.size(); ++e) out[e] = value_of<Modular>(which[e], model_.nv, D_, c_, G_);
}

}  // namespace torsor
