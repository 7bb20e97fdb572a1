// Parameters of possible bodies with the least misfit. Least squares knows nothing of bodies: noise makes of a light
// link one of negative inertia, which no robot file can hold. A body is possible if and only if its pseudo-inertia
//
//   P = [ Sigma  h ]     Sigma = tr(I) / 2 - I,  h first moments, m mass, all about the origin of the body frame
//       [ h^T    m ]
//
// has no negative eigenvalue (P. M. Wensing, S. Kim & J.-J. E. Slotine, Linear matrix inequalities for physically
// consistent inertial parameter identification, IEEE RA-L 3 (2018) 60-67), and P is linear in the ten parameters. So
// the misfit, a square, is minimised over a convex set:
//
//   minimise  1/2 |R (b(phi) - b)|^2 + rho/2 |S^-1 (phi - phi_file)|^2 + gamma sum_i D(P_i | P_i,file)
//   D(P | Q) = tr(Q^-1 P) - log det (Q^-1 P) - 4
//
// The second part decides what the record says nothing about: with the scales S of parameter_scales it is the distance
// from the file that BaseParameters::nearest makes least, so that parameters return to the file along all directions
// that the record leaves open, as far as bodies allow. rho is a tenth: a parameter that moves by its scale costs a
// twentieth of a unit of likelihood, so that one that is known to a deviation s moves towards the file by rho (s /
// scale)^2 of the way; one known to 1 % by a hundred-thousandth. That matters where least misfit alone has no bound: a
// moment with hardly any inertia beneath noise is fitted better and better by a larger and larger mass. The logarithm
// keeps every P_i positive definite by construction, and has no slope at the file (T. Lee, P. M. Wensing & F. C. Park,
// Geometric robot dynamic identification, IEEE T-RO 36 (2020) 348-365). gamma goes down to 1e-8, from the file's
// bodies, by steps of Newton's method on a function that is convex and self-concordant (Y. Nesterov & A. Nemirovskii,
// Interior-point polynomial algorithms in convex programming, 1994). Each step is one triangle of rows, no normal
// equations. Rotor inertias and levels of friction are kept positive in the same way.
#pragma once

#include <span>
#include <vector>

#include "torsor/identification/base_parameters.hpp"
#include "torsor/numeric/row_triangle.hpp"

namespace torsor {

/// Whether these ten parameters can be those of a body, rounding aside.
bool is_possible_body(const Inertia<double>&);

/// The bodies of the list, by their number in the model, that no matter could make with these parameters.
std::vector<int> impossible_bodies(const Model<double>& model, std::span<const DynamicParameter> list,
                                   std::span<const double> phi);

/// The place in the list of the sliding level that a breakaway level must not be below; -1 for any other parameter.
int sliding_level(std::span<const DynamicParameter> list, int place);

/// What a record says of base parameters: R (b - value), in units of noise, over the columns that it excites.
struct BaseKnowledge {
  RowTriangle equations{0};      // R, over `columns`
  std::vector<int> columns;      // base parameters that are known
  std::vector<double> value;     // of all base parameters: identified, or the file's where they are not known
};

/// Values of all parameters, every body possible and every level positive, with the least misfit. A body that the file itself
/// has impossible, or without extent, stands for the nearest ball-like one that is possible.
std::vector<double> consistent_parameters(const Model<double>& file, const BaseParameters&, const BaseKnowledge&);

}  // namespace torsor
