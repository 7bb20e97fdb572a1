#include "torsor/structure/exact_structure.hpp"

#include <map>

#include "torsor/dynamics/coefficients_composite_body.hpp"
#include "torsor/scalar/modular.hpp"
#include "torsor/structure/exact_model.hpp"

namespace torsor {
namespace {

/// A robot's angles and numbers modulo the prime of the day, its inertias as the level wants them.
class ModularSource {
 public:
  ModularSource(const ExactRobot& robot, Level level, std::mt19937_64& engine)
      : level_(level), engine_(engine), parts_per_step_(robot.hundredths ? 1 : 100),
        zeta_(root_of_turn(engine, robot.hundredths ? 36000 : 360)) {
    for (std::size_t k = 0; k < robot.general_angles.size(); ++k) general_.push_back(random_circle_point(engine));
  }

  CirclePoint point(const ExactAngle& angle) const {
    const CirclePoint exact = power(zeta_, angle.parts / parts_per_step_);
    if (angle.general < 0) return exact;
    const CirclePoint general = general_[static_cast<std::size_t>(angle.general)];
    return exact * (angle.backwards ? CirclePoint{general.c, -general.s} : general);
  }
  TurnOf<Modular> turn(const ExactAngle& angle) const {
    const CirclePoint p = point(angle);
    return {p.c, p.s};
  }
  Modular number(double x) const { return x == 0 ? Modular() : modular(x); }
  Modular rotor(double x) { return inertial(x); }

  Inertia<Modular> inertia(const std::vector<Part>& parts, bool is_rotor) {
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

 private:
  Modular inertial(double x) {
    if (x == 0) return {};
    return level_ == Level::numbers ? number(x) : random_modular(engine_);
  }

  /// Entries of one tensor that are equal, or opposite, may have to stay so.
  Modular moment(double x) {
    if (level_ != Level::equal_moments || x == 0) return inertial(x);
    const auto [known, fresh] = equal_.try_emplace(abs(x));
    if (fresh) known->second = random_modular(engine_);
    return x < 0 ? -known->second : known->second;
  }

  Level level_;
  std::mt19937_64& engine_;
  std::int64_t parts_per_step_;
  CirclePoint zeta_;
  std::vector<CirclePoint> general_;
  std::map<double, Modular> equal_;
};

/// One prime, one robot modulo it, and its coefficients at random positions.
class Round {
 public:
  Round(const ExactRobot& robot, Level level, std::mt19937_64& engine)
      : modulus_(random_prime(engine, robot.hundredths ? 36000 : 360)), scope_(modulus_), robot_(robot), engine_(engine),
        source_(robot, level, engine), model_(exact_model<Modular>(robot, source_)), configuration_(model_), work_(model_),
        D_(static_cast<std::size_t>(model_.nv * model_.nv)), c_(D_.size() * static_cast<std::size_t>(model_.nv)),
        G_(static_cast<std::size_t>(model_.nv)) {
    for (int i = 0; i < model_.size(); ++i) offset_.push_back(source_.point(robot.bodies[static_cast<std::size_t>(i)].offset));
    for (int l = 0; l < model_.nv; ++l) draw(l);
  }

  /// Another value for coordinate l.
  void draw(int l) {
    const CirclePoint unit = random_circle_point(engine_);
    const Modular x = random_modular(engine_);
    for (int i = 0; i < model_.size(); ++i) {
      const Body<Modular>& b = model_[i];
      if (b.nv == 0 || b.v != l) continue;
      JointPosition<Modular>& j = configuration_[i];
      const ExactBody& exact = robot_.bodies[static_cast<std::size_t>(i)];
      if (b.kind != JointKind::prismatic && !exact.is_rotor) {
        const CirclePoint at =
            (exact.multiple == 1 ? unit : power(unit, exact.multiple)) * offset_[static_cast<std::size_t>(i)];
        j.c = at.c;
        j.s = at.s;
      }
      if (b.kind != JointKind::revolute) j.d = b.ratio * x + b.offset;
      if (b.kind == JointKind::helical) j.d = j.d * b.pitch;
    }
  }

  void evaluate(const std::vector<Coefficient>& which, std::vector<Modular>& values) {
    coefficients_composite_body<Modular>(model_, configuration_, work_, D_, c_, G_);
    for (std::size_t e = 0; e < which.size(); ++e)
      values[e] = value_of<Modular>(which[e], model_.nv, D_, c_, G_);
  }

  /// The position of the bodies that coordinate l moves, to be given back.
  Configuration<Modular> position() const { return configuration_; }
  void restore(const Configuration<Modular>& position) { configuration_ = position; }
  std::uint64_t prime() const { return modulus_.p; }

 private:
  PrimeModulus modulus_;
  ModulusScope scope_;
  const ExactRobot& robot_;
  std::mt19937_64& engine_;
  ModularSource source_;
  Model<Modular> model_;
  Configuration<Modular> configuration_;
  CoefficientsWork<Modular> work_;
  std::vector<CirclePoint> offset_;
  std::vector<Modular> D_, c_, G_;
};

CoefficientCounts count_where(const ExactStructure& s, bool only_constant) {
  CoefficientCounts counts{};
  for (std::size_t e = 0; e < s.coefficients.size(); ++e)
    if (s.nonzero[e] && (!only_constant || s.constant(e))) ++counts[static_cast<std::size_t>(s.coefficients[e].kind)];
  return counts;
}

}  // namespace

bool ExactStructure::constant(std::size_t coefficient) const {
  for (int l = 0; l < n; ++l)
    if (depends_on(coefficient, l)) return false;
  return true;
}

CoefficientCounts ExactStructure::nonzero_counts() const { return count_where(*this, false); }
CoefficientCounts ExactStructure::constant_counts() const { return count_where(*this, true); }

ExactStructure exact_structure(const ExactRobot& robot, Level level, const ExactOptions& options) {
  ExactStructure out;
  out.level = level;
  out.n = robot.model.nv;
  out.seed = options.seed;
  out.coefficients =
      independent_coefficients(out.n, robot.model.S.size() != static_cast<std::size_t>(robot.model.nv));
  out.error = exact_error(robot, level, options);
  const std::size_t count = out.coefficients.size(), n = static_cast<std::size_t>(out.n);
  out.nonzero.assign(count, 0);
  out.depends.assign(count * n, 0);

  std::mt19937_64 engine(options.seed);
  std::vector<Modular> here(count), there(count);
  for (int k = 0; k < out.error.rounds; ++k) {
    Round round(robot, level, engine);
    out.primes.push_back(round.prime());
    round.evaluate(out.coefficients, here);
    for (std::size_t e = 0; e < count; ++e)
      if (!is_zero(here[e])) out.nonzero[e] = 1;
    const Configuration<Modular> position = round.position();
    for (int l = 0; l < out.n; ++l) {
      round.draw(l);
      round.evaluate(out.coefficients, there);
      round.restore(position);
      for (std::size_t e = 0; e < count; ++e)
        if (!(here[e] == there[e])) out.depends[e * n + static_cast<std::size_t>(l)] = 1;
    }
  }
  return out;
}

}  // namespace torsor
