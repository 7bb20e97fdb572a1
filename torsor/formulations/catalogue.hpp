// The catalogues: one per question, each with its own signature; adding a formulation is one file and one row in
// catalogue_rows.hpp. A formulation is prepared for a robot (which sizes its workspace) and then run at any number of states
// without allocating. What it cannot do it refuses beforehand, with the reason.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "torsor/dynamics/loads.hpp"
#include "torsor/model/robot_forms.hpp"

namespace torsor {

/// What a formulation is written in.
enum class Frames { tree, standard_dh, modified_dh };

/// What a formulation does beyond serial arms of revolute joints, and what it gives on the way.
struct Abilities {
  bool prismatic = true;
  bool trees = false;         // branches, joints of all kinds, coupled coordinates
  bool coefficients = false;  // finds D, h and c apart
  bool tip_load = false;      // forces from outside on the last link (a formulation for trees: on any)
  bool moving_base = false;   // a base that turns and accelerates
};

// the questions, and how a prepared formulation answers them at the position of the forms

/// tau (nv), friction apart. Under loads only where load_refusal() has nothing to say.
template <class T>
class InverseRun {
 public:
  InverseRun() = default;
  /// f(forms, qd, qdd, tau), or f(forms, qd, qdd, loads, tau) with a pointer to the loads, null without any.
  template <class F>
  InverseRun(F f) requires(!std::is_same_v<F, InverseRun>) {
    if constexpr (std::is_invocable_v<F&, const RobotForms<T>&, Rates<const T>, Rates<const T>, Rates<T>>)
      run_ = [f = std::move(f)](const RobotForms<T>& forms, Rates<const T> qd, Rates<const T> qdd, const BodyLoads<T>*,
                                Rates<T> tau) mutable { f(forms, qd, qdd, tau); };
    else
      run_ = std::move(f);
  }

  void operator()(const RobotForms<T>& forms, Rates<const T> qd, Rates<const T> qdd, Rates<T> tau) const {
    run_(forms, qd, qdd, nullptr, tau);
  }
  void operator()(const RobotForms<T>& forms, Rates<const T> qd, Rates<const T> qdd, const BodyLoads<T>& loads,
                  Rates<T> tau) const {
    run_(forms, qd, qdd, &loads, tau);
  }

 private:
  std::function<void(const RobotForms<T>&, Rates<const T>, Rates<const T>, const BodyLoads<T>*, Rates<T>)> run_;
};
/// D (row-major nv x nv), h (nv) and c (nv) of tau = D qdd + h + c.
template <class T>
using CoefficientsRun =
    std::function<void(const RobotForms<T>&, Rates<const T> qd, std::span<T> D, Rates<T> h, Rates<T> c)>;
/// h_ikm at [(i nv + k) nv + m], symmetric in k and m: the velocity torques are sum over k, m of h_ikm qd_k qd_m.
template <class T>
using ChristoffelRun = std::function<void(const RobotForms<T>&, std::span<T> h)>;
/// D, row-major nv x nv.
template <class T>
using MassRun = std::function<void(const RobotForms<T>&, std::span<T> D)>;
/// c (nv): the torques that hold the arm still.
template <class T>
using GravityRun = std::function<void(const RobotForms<T>&, Rates<T> c)>;

enum class Question { inverse, coefficients, christoffel, mass, gravity };

template <class T, class Run, Question question>
struct Formulation {
  std::string_view name, source, complexity;
  Frames frames;
  Abilities can;
  Run (*prepare)(const RobotForms<T>&);
  /// A premise of its own: empty where a robot meets it, or the reason why not; null where there is none.
  std::string (*premise)(const RobotForms<T>&) = nullptr;
};

template <class T>
using InverseFormulation = Formulation<T, InverseRun<T>, Question::inverse>;
template <class T>
using CoefficientsFormulation = Formulation<T, CoefficientsRun<T>, Question::coefficients>;
template <class T>
using ChristoffelFormulation = Formulation<T, ChristoffelRun<T>, Question::christoffel>;
template <class T>
using MassFormulation = Formulation<T, MassRun<T>, Question::mass>;
template <class T>
using GravityFormulation = Formulation<T, GravityRun<T>, Question::gravity>;

// in the library over double and Trace, inverse also over Poly and Modular; catalogue_rows.hpp makes them over others
template <Ring T>
std::span<const InverseFormulation<T>> inverse_formulations();
template <Ring T>
std::span<const CoefficientsFormulation<T>> coefficients_formulations();
template <Ring T>
std::span<const ChristoffelFormulation<T>> christoffel_formulations();
template <Ring T>
std::span<const MassFormulation<T>> mass_formulations();
template <Ring T>
std::span<const GravityFormulation<T>> gravity_formulations();

namespace detail {

/// What stands between the robot as it was typed and a special geometry.
std::string as_typed_hint(const std::vector<Snap>& nearly);

}  // namespace detail

/// Why a formulation cannot serve a robot as it was typed, in a sentence; empty if it can.
template <class T, class Run, Question question>
std::string refusal(const Formulation<T, Run, question>& formulation, const RobotForms<T>& forms) {
  if (formulation.frames != Frames::tree) {
    if (!forms.standard)
      return forms.not_serial.empty() ? "it has no DH table"
                                      : forms.not_serial[0].offender + ": " + forms.not_serial[0].what;
    int joint = 0;
    for (const DhLink<T>& l : forms.standard->links) {
      if (!l.held) ++joint;
      if (l.prismatic && !formulation.can.prismatic)
        return "joint " + std::to_string(joint) + " is prismatic, and the formulation is for revolute joints";
    }
  }
  std::string reason = formulation.premise ? formulation.premise(forms) : "";
  if (!reason.empty() && !forms.nearly.empty()) reason += detail::as_typed_hint(forms.nearly);
  return reason;
}

/// Why it cannot take these loads, in a sentence; empty if it can, or if there are none.
std::string load_refusal(Frames, const Abilities&, const Model<double>&, const BodyLoads<double>&);

/// The row of that name, or null.
template <class Row>
const Row* find_formulation(std::span<const Row> rows, std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace torsor
