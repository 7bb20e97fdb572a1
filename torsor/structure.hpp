// Structure of the equations of motion: exact zeros and constants, coupling, their reasons.
#pragma once

#include "torsor/structure/structure_answer.hpp"
