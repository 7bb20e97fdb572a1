// What dynamics are going to be asked.
#pragma once

namespace torsor {

/// Memory for it is taken beforehand; the first call of what is not named allocates. All takes memory linear in the size of
/// the model, but for derivatives, and for forward dynamics of a coupled one (mimic joints, rotors as bodies, coupled
/// transmissions), which solves with an nv x nv matrix. all_but_forward is without derivatives, too.
enum class Questions { all, all_but_forward };

}  // namespace torsor
