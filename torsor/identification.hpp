// Identification of parameters from records of motion and torques, with their deviations.
#pragma once

#include "torsor/identification/base_parameters.hpp"
#include "torsor/identification/group_text.hpp"
#include "torsor/identification/identification.hpp"
