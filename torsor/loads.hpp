// What acts on a robot besides its drives and gravity.
#pragma once

#include "torsor/dynamics/loads.hpp"
