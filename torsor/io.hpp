// Room: files in, files out.
#pragma once

#include "torsor/io/csv_reader.hpp"
#include "torsor/io/csv_writer.hpp"
#include "torsor/io/embedded_robots.hpp"
#include "torsor/io/json.hpp"
#include "torsor/io/load_robot.hpp"
#include "torsor/io/motion_reader.hpp"
#include "torsor/io/motion_stream.hpp"
#include "torsor/io/number.hpp"
#include "torsor/io/report.hpp"
#include "torsor/io/robot_toml.hpp"
#include "torsor/io/robot_toml_writer.hpp"
#include "torsor/io/stick_figure.hpp"
#include "torsor/io/suggest.hpp"
#include "torsor/io/text_table.hpp"
#include "torsor/io/urdf_reader.hpp"
#include "torsor/io/urdf_writer.hpp"
