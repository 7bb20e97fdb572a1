// Formulation: the catalogue of published algorithms, run on a robot, with their operation counts and agreement.
#pragma once

#include "torsor/formulations/agreement.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/formulations/forward_catalogue.hpp"
#include "torsor/formulations/operation_census.hpp"
