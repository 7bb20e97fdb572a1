// ReducedModel: the few terms of the equations that a motion needs, with the bound of what is left out.
#pragma once

#include "torsor/reduction/reduce.hpp"
