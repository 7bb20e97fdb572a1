// Sizing: what a motion asks of joints and motors, and which motors and gears will do.
#pragma once

#include "torsor/drives/assign_drives.hpp"
#include "torsor/drives/sizing.hpp"
#include "torsor/files/drive_toml.hpp"
