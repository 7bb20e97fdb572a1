// The structure of a robot's dynamic model as a plain result. Rows refer to the answer that they are of, which outlives them.
#pragma once

#include "torsor/dynamics/snap_result.hpp"
#include "torsor/report/structure_report.hpp"
#include "torsor/structure/reasons.hpp"

namespace torsor {

constexpr std::string_view status_name(CoefficientKind kind) {
  constexpr std::array<std::string_view, coefficient_kinds> names{"self_inertia", "mutual_inertia", "centrifugal",
                                                                  "coriolis", "gravity"};
  return names[static_cast<std::size_t>(kind)];
}
constexpr std::string_view status_name(Level level) {
  constexpr std::array<std::string_view, levels.size()> names{"numbers", "equal_moments", "zeros", "generic"};
  return names[static_cast<std::size_t>(level)];
}

struct KindCounts {
  CoefficientCounts of{};
};

constexpr auto fields(Of<KindCounts>) {
  using K = CoefficientKind;
  const auto of = [](K kind) { return [kind](const KindCounts& c) { return c.of[static_cast<std::size_t>(kind)]; }; };
  return field_list(
      "KindCounts", "How many coefficients of each kind.", field("self_inertia", "", "", of(K::self_inertia)),
      field("mutual_inertia", "", "", of(K::mutual_inertia)), field("centrifugal", "", "", of(K::centrifugal)),
      field("coriolis", "", "", of(K::coriolis)), field("gravity", "", "", of(K::gravity)),
      field("total", "", "", [](const KindCounts& c) { return total(c.of); }));
}

constexpr auto fields(Of<ExactStructure>) {
  using E = ExactStructure;
  return field_list("ExactStructure", "Which coefficients are not zero, and how certain that is.",
                    field("nonzero", "", "", [](const E& e) { return KindCounts{e.nonzero_counts()}; }),
                    field("constant", "", "of these", [](const E& e) { return KindCounts{e.constant_counts()}; }),
                    field("rounds", "", "", [](const E& e) { return e.error.rounds; }),
                    field("log2_error", "", "of any error at all", [](const E& e) { return e.error.log2_error; }),
                    field("primes", "", "one per round; texts, since they are beyond doubles", [](const E& e) {
                      std::vector<std::string> texts;
                      for (const std::uint64_t p : e.primes) texts.push_back(std::to_string(p));
                      return texts;
                    }));
}

/// The structure at every level.
struct StructureLevels {
  const StructureAnswer& of;
};

constexpr auto fields(Of<StructureLevels>) {
  const auto at = [](Level level) {
    return field(status_name(level).data(), "", "", [level](const StructureLevels& s) { return s.of.at(level); });
  };
  return field_list("StructureLevels", "Whose zeros they are.", at(Level::numbers), at(Level::equal_moments),
                    at(Level::zeros), at(Level::generic));
}

constexpr auto fields(Of<Spread>) {
  return field_list("Spread", "Over positions or instants.", field("least", "", "", &Spread::least),
                    field("mean", "", "", &Spread::mean), field("most", "", "", &Spread::most));
}

/// Over the workspace, with the positions where it is least and most.
struct WorkspaceSpread {
  const WorkspaceSurvey& survey;
  Spread spread;

  std::optional<std::vector<double>> position(int k) const {
    return survey.positions.empty() ? std::nullopt : std::optional(survey.positions[static_cast<std::size_t>(k)]);
  }
};

constexpr auto fields(Of<WorkspaceSpread>) {
  using W = WorkspaceSpread;
  return field_list("WorkspaceSpread", "Over the workspace.", fields_of_part(&W::spread),
                    field("at_least", "", "q", [](const W& w) { return w.position(w.spread.at_least); }).or_absent(),
                    field("at_most", "", "q", [](const W& w) { return w.position(w.spread.at_most); }).or_absent());
}

/// A coefficient by its number among the independent ones.
struct CoefficientRow {
  const StructureAnswer& of;
  std::size_t e;
  WorkspaceSpread spread{of.survey, of.survey.values[e]};

  const Coefficient& which() const { return of.numbers().coefficients[e]; }
  bool zero() const { return of.numbers().nonzero[e] == 0; }
  std::vector<std::string> depends_on() const;
  std::vector<std::string_view> zero_at_levels() const;
  std::optional<std::string> because() const;
};

constexpr auto fields(Of<CoefficientRow>) {
  using C = CoefficientRow;
  return field_list(
      "StructureCoefficient", "A coefficient of the equations of motion.",
      field("name", "", "d12, c23(1), G4", [](const C& c) { return to_text(c.which(), c.of.numbers().n); }),
      field("kind", "", "", [](const C& c) { return c.which().kind; }), field("zero", "", "identically", &C::zero),
      field("constant", "", "", [](const C& c) { return c.of.numbers().constant(c.e); }),
      field("depends_on", "", "coordinates", &C::depends_on),
      field("zero_at_levels", "", "for which other robots, too", &C::zero_at_levels),
      field("meaning", "", "", [](const C& c) { return meaning(c.which(), c.of.robot.model); }),
      field("because", "", "why it is zero", &C::because).or_absent(),
      field("relative_size", "", "to what its kind allows", [](const C& c) { return c.of.survey.relative(c.e); }),
      fields_of_part(&C::spread));
}

/// What a coefficient does for an entry of C.
struct CoriolisTermRow {
  const StructureAnswer& of;
  CoriolisTerm term;
};

constexpr auto fields(Of<CoriolisTermRow>) {
  using T = CoriolisTermRow;
  return field_list(
      "CoriolisTerm", "sign * coefficient * velocity.", field("sign", "", "", [](const T& t) { return t.term.sign; }),
      field("coefficient", "", "", [](const T& t) { return to_text(t.term.of, t.of.numbers().n); }),
      field("velocity", "", "of which coordinate", [](const T& t) {
        return t.of.robot.model.velocity_names[static_cast<std::size_t>(t.term.m)];
      }));
}

/// An entry of the matrix C, C qd the centrifugal and Coriolis torques, by the coefficients that are not zero.
struct CoriolisEntry {
  const StructureAnswer& of;
  int i, j;

  std::vector<CoriolisTermRow> terms(bool zero = false) const;
  std::optional<std::string> because() const;
};

constexpr auto fields(Of<CoriolisEntry>) {
  using E = CoriolisEntry;
  return field_list("CoriolisEntry", "An entry of C, C qd the centrifugal and Coriolis torques.",
                    field("i", "", "from 1", [](const E& e) { return e.i + 1; }),
                    field("j", "", "", [](const E& e) { return e.j + 1; }),
                    field("zero", "", "at every position and velocity", [](const E& e) { return e.terms().empty(); }),
                    field("because", "", "why it is zero", &E::because).or_absent(),
                    field("terms", "", "its sum", [](const E& e) { return e.terms(); }));
}

/// Two coordinates, from 1, and what is known of them.
template <class T>
struct JointPair {
  std::size_t i, j;
  T of;
};

constexpr auto fields(Of<PairCoupling>) {
  using P = PairCoupling;
  return field_list("PairCoupling", "How two joints are coupled.", field("coupling", "", "k_ij", &P::coupling),
                    field("loading", "", "sqrt(M_j / M_i)", &P::loading),
                    field("kinematic", "", "k_ij over that", &P::kinematic),
                    field("projected", "", "d_ij / M_j", &P::projected));
}

template <class T>
constexpr auto fields(Of<JointPair<T>>) {
  using P = JointPair<T>;
  return field_list("JointPair", "Two coordinates.", field("i", "", "from 1", &P::i), field("j", "", "above i", &P::j),
                    fields_of_part(&P::of));
}

/// At one position.
struct StateCoupling {
  std::vector<double> q;
  Coupling at;
  bool moves_masses = false;  // one by one: no joints share a coordinate

  std::vector<JointPair<PairCoupling>> pairs() const;
};

constexpr auto fields(Of<StateCoupling>) {
  using S = StateCoupling;
  return field_list("StateCoupling", "The coupling of the joints at a position.", field("q", "", "", &S::q),
                    field("D", "", "", [](const S& s) { return matrix_of(s.at.D, static_cast<std::size_t>(s.at.n)); }),
                    field("mass_moved", "kg", "by each joint",
                          [](const S& s) { return s.moves_masses ? std::optional(s.at.mass) : std::nullopt; })
                        .or_absent(),
                    field("pairs", "", "", &S::pairs));
}

/// The sizes of the terms of one torque.
struct TermSizeRow {
  std::string joint;
  Spread inertia, velocity, gravity;
};

constexpr auto fields(Of<TermSizeRow>) {
  using T = TermSizeRow;
  const auto mean = [](Spread T::*term) { return [term](const T& t) { return (t.*term).mean; }; };
  const auto largest = [](Spread T::*term) { return [term](const T& t) { return (t.*term).most; }; };
  return field_list(
      "TermSizes", "Magnitudes of the terms of a torque.", field("joint", "", "", &T::joint),
      field("inertia_mean", "", "of D qdd", mean(&T::inertia)), field("inertia_largest", "", "", largest(&T::inertia)),
      field("velocity_mean", "", "of C(q, qd)", mean(&T::velocity)),
      field("velocity_largest", "", "", largest(&T::velocity)), field("gravity_mean", "", "of G(q)", mean(&T::gravity)),
      field("gravity_largest", "", "", largest(&T::gravity)));
}
std::vector<TermSizeRow> size_rows(const Model<double>&, const TermSizes&);

constexpr auto fields(Of<TorqueSplit>) {
  using T = TorqueSplit;
  return field_list("TorqueSplit", "Terms of the torques.", field("inertia", "", "D qdd", &T::inertia),
                    field("velocity", "", "C(q, qd)", &T::velocity), field("gravity", "", "G(q)", &T::gravity));
}

struct StructureTerms {
  const RateLimits& limits;
  std::vector<TermSizeRow> workspace;
  std::optional<TorqueSplit> state;
};

constexpr auto fields(Of<StructureTerms>) {
  using T = StructureTerms;
  return field_list("StructureTerms", "What torques are made of.",
                    field("speeds", "", "of the states looked at", [](const T& t) { return t.limits.speed; }),
                    field("accelerations", "", "", [](const T& t) { return t.limits.acceleration; }),
                    field("workspace", "", "", &T::workspace), field("state", "", "", &T::state).or_absent());
}

constexpr auto fields(Of<ZeroPassage>) {
  using Z = ZeroPassage;
  return field_list("ZeroTime", "When a coefficient is zero.", field("from", "s", "", &Z::from),
                    field("to", "s", "", &Z::to), field("changes_sign", "", "", &Z::changes_sign));
}

/// A coefficient along a motion.
struct MotionCoefficient {
  const ExactStructure& structure;
  const MotionSurvey& survey;
  std::size_t e;
  Spread spread{survey.values[e]};

  double time(int instant) const { return survey.times[static_cast<std::size_t>(instant)]; }
  bool idle() const;
  std::vector<ZeroPassage> zeros() const;
};

constexpr auto fields(Of<MotionCoefficient>) {
  using C = MotionCoefficient;
  return field_list(
      "MotionCoefficient", "A coefficient along a motion.",
      field("name", "", "", [](const C& c) { return to_text(c.structure.coefficients[c.e], c.structure.n); }),
      fields_of_part(&C::spread), field("time_of_least", "s", "", [](const C& c) { return c.time(c.spread.at_least); }),
      field("time_of_most", "s", "", [](const C& c) { return c.time(c.spread.at_most); }),
      field("zero_throughout", "", "along this motion", &C::idle), field("zeros", "", "", &C::zeros));
}

struct StructureMotion {
  const StructureAnswer& of;
  const MotionView& motion;

  std::vector<JointPair<Spread>> coupling() const;
  std::vector<MotionCoefficient> coefficients() const;
};

constexpr auto fields(Of<StructureMotion>) {
  using M = StructureMotion;
  return field_list(
      "StructureMotion", "The structure along a motion.",
      field("name", "", "", [](const M& m) { return m.motion.name; }),
      field("instants", "", "looked at", [](const M& m) { return m.motion.survey.times.size(); }),
      field("terms", "", "", [](const M& m) { return size_rows(m.of.robot.model, m.motion.survey.sizes); }),
      field("dominance", "", "of the diagonal, row by row", [](const M& m) { return m.motion.survey.dominance; }),
      field("coupling", "", "k_ij", &M::coupling), field("coefficients", "", "that are not zero", &M::coefficients));
}

constexpr auto fields(Of<GeneralAngle>) {
  using G = GeneralAngle;
  return field_list("GeneralAngle", "An angle that is no multiple of 0.01 degrees.", field("size", "rad", "", &G::size),
                    field("uses", "", "how many", &G::uses), field("first", "", "where it is used first", &G::first));
}

constexpr auto fields(Of<PrintedRow>) {
  using P = PrintedRow;
  return field_list("PrintedRow", "A robot of the printed table.", field("name", "", "", &P::name),
                    field("printed", "", "not zero, as printed", [](const P& p) { return KindCounts{p.printed}; }),
                    field("found", "", "exactly", [](const P& p) { return KindCounts{p.found}; }),
                    field("masses", "", "that the counts are for", &P::masses),
                    field("note", "", "why the two differ", &P::note));
}

struct StructureResult {
  const StructureAnswer& of;
  const StructureView& view;
  std::vector<Snap> snaps = of.robot.snaps;
  TorqueDifference snap_effect = of.snap_effect;

  std::vector<WorkspaceSpread> dominance() const;
  std::vector<CoefficientRow> coefficients() const;
  std::vector<CoriolisEntry> coriolis() const;
  std::optional<StateCoupling> state() const;
  StructureTerms terms() const;
};

constexpr auto fields(Of<StructureResult>) {
  using R = StructureResult;
  const auto table = [](double StructureTable::*which) { return [which](const R& r) { return r.of.table.*which; }; };
  return field_list(
      "StructureResult", "Which coefficients of the equations are zero, constant or negligible.",
      field("robot", "", "", [](const R& r) { return r.of.robot.model.name; }),
      field("coordinates", "", "", [](const R& r) { return r.of.robot.model.velocity_names; }),
      field("seed", "", "of primes and positions", [](const R& r) { return r.of.numbers().seed; }),
      field("possible", "", "independent ones", [](const R& r) { return KindCounts{r.of.table.independent}; }),
      field("sparsity", share_unit, "of these, not zero", table(&StructureTable::sparsity)),
      field("anthropomorphism", share_unit, "N_R / N", table(&StructureTable::anthropomorphism)),
      field("expected_sparsity", share_unit, "by the empirical law", table(&StructureTable::expected_sparsity)),
      field("levels", "", "", [](const R& r) { return StructureLevels{r.of}; }),
      field("as_typed", "", "where numbers were snapped", [](const R& r) { return r.of.typed; }).or_absent(),
      field("snaps", "", "", &R::snaps), detail::snap_effect_field<R>().or_absent(),
      field("general_angles", "", "", [](const R& r) { return r.of.robot.general_angles; }),
      field("printed", "", "its row of the printed table",
            [](const R& r) { return r.of.printed() ? std::optional(*r.of.printed()) : std::nullopt; })
          .or_absent(),
      field("positions", "", "looked at", [](const R& r) { return r.of.survey.positions.size(); }),
      field("survey_seed", "", "", [](const R& r) { return r.of.survey.seed; }),
      field("dominance", "", "of the diagonal, row by row", &R::dominance),
      field("coefficients", "", "independent ones", &R::coefficients),
      field("coriolis", "", "entries of C, row by row", &R::coriolis), field("state", "", "", &R::state).or_absent(),
      field("terms", "", "", &R::terms),
      field("motion", "", "", [](const R& r) {
        return r.view.motion ? std::optional(StructureMotion{r.of, *r.view.motion}) : std::nullopt;
      }).or_absent());
}

}  // namespace torsor
