// Equations of motion in symbols, to read, in LaTeX or as text.
#pragma once

#include "torsor/symbolic/equations.hpp"
