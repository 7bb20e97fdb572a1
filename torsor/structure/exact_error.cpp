// The probability that a zero of the exact structure is none, from the data of the robot: see exact_structure.hpp.
//
// A coefficient is a trigonometric polynomial of the joint angles, of second degree in each, and a polynomial of second
// degree in each slide. Each of its Fourier coefficients is at most its largest magnitude on the torus, at every choice of
// conjugates of the constant angles alike, and becomes an algebraic integer when it is multiplied by a power of ten (the
// digits after the points) and of two (cosines are halves of sums of roots of unity; so is c_jm(i)).
#include <cmath>

#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/scalar/modular.hpp"
#include "torsor/structure/exact_model.hpp"
#include "torsor/structure/exact_structure.hpp"
#include "torsor/scalar/majorant.hpp"

namespace torsor {
namespace {

class MajorantSource {
 public:
  explicit MajorantSource(Level level) : level_(level) {}

  TurnOf<Majorant> turn(const ExactAngle& angle) {
    if (angle.general >= 0 || angle.parts % 9000 != 0) return {Majorant(1), Majorant(1)};
    const bool across = (angle.parts / 9000) % 2 != 0;
    return {Majorant(across ? 0 : 1), Majorant(across ? 1 : 0)};
  }
  Majorant number(double x) { return Majorant(x); }
  Majorant rotor(double x) { return inertial(x); }
  Inertia<Majorant> inertia(const std::vector<Part>& parts, bool is_rotor) {
    if (level_ == Level::generic && !is_rotor) {
      const Majorant one(1);
      return {one, {one, one, one}, {one, one, one, one, one, one}};
    }
    Inertia<Majorant> sum;
    for (const Part& part : parts) {
      const Majorant m = inertial(part.mass);
      const Vec3<Majorant> com{inertial(part.com.x), inertial(part.com.y), inertial(part.com.z)};
      const Sym3<double>& I = part.tensor;
      const Sym3<Majorant> tensor{inertial(I.xx), inertial(I.yy), inertial(I.zz),
                                  inertial(I.xy), inertial(I.xz), inertial(I.yz)};
      sum += part.about == InertiaAbout::mass_centre ? inertia_about_centre(m, com, tensor)
                                                     : Inertia<Majorant>{m, com * m, tensor};
    }
    return sum;
  }

 private:
  Majorant inertial(double x) const { return level_ == Level::numbers ? Majorant(x) : Majorant(x == 0 ? 0 : 1); }

  Level level_;
};

/// The largest of all coefficients, with every cosine, sine and slide at one.
double largest_magnitude(const ExactRobot& robot, Level level) {
  MajorantSource source(level);
  const Model<Majorant> model = exact_model<Majorant>(robot, source);
  Configuration<Majorant> at(model);
  for (int i = 0; i < model.size(); ++i) {
    at[i].c = at[i].s = Majorant(1);
    at[i].d = model[i].ratio + model[i].offset;
    if (model[i].kind == JointKind::helical) at[i].d = at[i].d * model[i].pitch;
  }
  const std::size_t n = static_cast<std::size_t>(model.nv);
  std::vector<Majorant> D(n * n), c(n * n * n), G(n);
  CoefficientsWork<Majorant> work(model, Majorant(0.5));
  coefficients_composite_body<Majorant>(model, at, work, D, c, G);
  double largest = 0;
  for (const auto* values : {&D, &c, &G})
    for (const Majorant& value : *values) largest = std::max(largest, value.size);
  return largest;
}

/// Digits after the point, the most among some numbers.
class Digits {
 public:
  void see(double x) { most_ = std::max(most_, -shortest_decimal(x).exponent); }
  void see(const Vec3<double>& v) {
    see(v.x);
    see(v.y);
    see(v.z);
  }
  int most() const { return most_; }

 private:
  int most_ = 0;
};

/// Digits after the point of a whole coefficient, m l l, I, m l g, times ratios and pitches of up to three joints.
int digits_of_coefficient(const ExactRobot& robot, Level level) {
  Digits mass, length, tensor, gravity, ratio;
  gravity.see(robot.model.gravity);
  const auto see_steps = [&](const std::vector<ExactStep>& steps) {
    for (const ExactStep& step : steps) length.see(step.shift);
  };
  see_steps(robot.base);
  for (const ExactBody& body : robot.bodies) {
    see_steps(body.to_joint);
    see_steps(body.to_link);
    if (level != Level::numbers) continue;
    for (const Part& part : body.parts) {
      mass.see(part.mass);
      length.see(part.com);
      tensor.see({part.tensor.xx, part.tensor.yy, part.tensor.zz});
      tensor.see({part.tensor.xy, part.tensor.xz, part.tensor.yz});
    }
  }
  for (const Body<double>& b : robot.model.bodies) {
    ratio.see(b.ratio);
    ratio.see(b.pitch);
    length.see(b.offset);
  }
  if (level == Level::numbers) {
    for (const double r : robot.model.rotor) tensor.see(r);
    for (const auto& coupling : robot.model.rotor_coupling) tensor.see(coupling.value);
  }
  return mass.most() + 2 * length.most() + tensor.most() + gravity.most() + 6 * ratio.most();
}

/// Euler's totient: the degree of the field of the m-th roots of unity.
double totient(std::int64_t m) {
  std::int64_t degree = m, rest = m;
  for (std::int64_t q = 2; rest > 1; ++q) {
    if (rest % q != 0) continue;
    while (rest % q == 0) rest /= q;
    degree = degree / q * (q - 1);
  }
  return static_cast<double>(degree);
}

}  // namespace

ExactError exact_error(const ExactRobot& robot, Level level, const ExactOptions& options) {
  ExactError out;
  const std::int64_t order = robot.hundredths ? 36000 : 360;

  // degrees in what is drawn, and halves from cosines
  std::vector<double> of_coordinate(static_cast<std::size_t>(robot.model.nv), 0.0);
  double halves = 1;
  int slides = 0;
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Body<double>& b = robot.model.bodies[i];
    if (b.nv == 0 || robot.bodies[i].is_rotor) continue;
    double& degree = of_coordinate[static_cast<std::size_t>(b.v)];
    if (b.kind != JointKind::prismatic) degree += 4 * std::abs(static_cast<double>(robot.bodies[i].multiple));
    if (b.kind != JointKind::revolute) degree += 2;
    halves += b.kind != JointKind::prismatic ? 2 : 0;
    slides += b.kind != JointKind::revolute ? 1 : 0;
  }
  double drawn_again = 0;
  for (const double degree : of_coordinate) {
    out.degree += degree;
    drawn_again = std::max(drawn_again, degree);
  }
  out.degree += drawn_again + (level == Level::numbers ? 0 : 3);
  for (const GeneralAngle& general : robot.general_angles) {
    out.degree += 4 * general.uses;
    halves += 2 * general.uses;
  }

  // the field of the constant angles: roots of unity of the order that their common part has, with i
  std::int64_t part = 9000;
  const auto see = [&](const ExactAngle& angle) {
    part = std::gcd(part, angle.parts);
    if (angle.parts % 9000 != 0) halves += 2;
  };
  for (const ExactStep& step : robot.base) see(step.angle);
  for (const ExactBody& body : robot.bodies) {
    for (const ExactStep& step : body.to_joint) see(step.angle);
    for (const ExactStep& step : body.to_link) see(step.angle);
    see(body.offset);
  }
  const double field_degree = totient(36000 / part);

  // a difference of two values, and two bits per slide for the coefficients of its powers
  const double largest = largest_magnitude(robot, level);
  out.bits = field_degree * std::max(0.0, (largest > 0 ? std::log2(largest) : 0) + 1 + 2 * slides + halves +
                                              std::log2(10.0) * digits_of_coefficient(robot, level));
  out.log2_primes = 60 - std::log2(std::log(2.0) * 61 * totient(order)) - 1;
  const double bad = std::floor(out.bits / 60);
  out.log2_round = std::log2(std::max(out.degree, 1.0) / std::exp2(60) + bad / std::exp2(out.log2_primes));

  const double questions = static_cast<double>(
      independent_coefficients(robot.model.nv, robot.model.S.size() != static_cast<std::size_t>(robot.model.nv))
          .size() *
      (static_cast<std::size_t>(robot.model.nv) + 1));
  const auto error_of = [&](int rounds) { return std::log2(std::max(questions, 1.0)) + rounds * out.log2_round; };
  out.rounds = std::max(options.rounds, 1);
  while (error_of(out.rounds) > options.log2_error && out.rounds < 1000) ++out.rounds;
  out.log2_error = error_of(out.rounds);
  return out;
}

}  // namespace torsor
