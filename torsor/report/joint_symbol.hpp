// The symbols of joints in figures of robots, as small solids that show the joint's axis:
//
//   revolute    cylinder along the axis        spherical   ball in a socket
//   prismatic   box along the axis             free        dashed ring
//   helical     cylinder with a thread         fixed       dot
//   planar      plate across the axis
#pragma once

#include <string>
#include <string_view>

#include "torsor/report/page_view.hpp"
#include "torsor/model/joint.hpp"
#include "torsor/model/mechanism_joint_kind.hpp"

namespace torsor {

/// Half the size of a symbol along its axis, in pixels: symbols farther apart than twice this do not touch.
constexpr double symbol_reach = 13;

/// An SVG group of class `joint KIND` with the joint's name as its title; z of R is the axis.
std::string joint_symbol(const PageView& view, JointKind kind, std::string_view name, const Vec3<double>& centre,
                         const Mat3<double>& R);

/// CSS of the symbols.
std::string_view joint_symbol_css();

/// What a joint between two bodies of a mechanism is drawn as in a moving view.
std::string_view symbol_of(MechanismJointKind kind);

}  // namespace torsor
