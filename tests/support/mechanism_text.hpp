// Texts of mechanism files in few words: each function gives a block, a file is their sum. Further keys of a block are written
// one after the other, "mass = 2; com = [0.1, 0, 0]".
#pragma once

#include <string>

namespace mechanism_text {

std::string block(const std::string& kind, const std::string& name, const std::string& keys);

/// Of mass 1 with these moments, unless `keys` say otherwise; with a moment of 0 a point.
std::string body(const std::string& name, const std::string& keys, double moment = 0.1);

/// `where` are the keys of its points and axes.
std::string joint(const std::string& name, const std::string& kind, const std::string& i, const std::string& j,
                  const std::string& where);

/// A hinge about the z axis through a point of the world, as "0, 0.5, 0".
std::string hinge(const std::string& name, const std::string& i, const std::string& j, const std::string& point,
                  const std::string& keys = "");

/// The same with its point and its axes told in the bodies.
std::string local_hinge(const std::string& name, const std::string& i, const std::string& j,
                        const std::string& point_i);

/// By a function of time.
std::string driver(const std::string& name, const std::string& joint, const std::string& function);

/// A slider drawn out of a two-bar linkage of 0.3 m and 0.5 m by driver "pull": it must stop at 0.8 m.
std::string stretched(const std::string& function);

/// A parallelogram: flat, it may go on as an antiparallelogram as well.
std::string parallelogram();

/// A crank of 0.1 m and a ram on a rod of 0.3 m, drawn out straight; driver "g" holds the ram there.
std::string dead_centre();

/// A bar on a hinge whose angle is that function, as TOML writes it.
std::string turned(const std::string& function);

}  // namespace mechanism_text
