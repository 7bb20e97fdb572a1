// torsor inertia ROBOT: masses and inertias of links that have none, from their shapes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/deliver.hpp"
#include "cli/file_use.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/files/fill_inertia.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/mjcf_writer.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/files/urdf_patch.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/result_table.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/text/xml.hpp"

namespace torsor {
namespace {

struct InertiaArguments {
  RobotArgument robot;
  std::optional<std::vector<double>> density, total_mass, thickness;
  std::vector<std::string> masses;
  std::optional<std::string> shapes, open, output;
  bool up_axis = false, partial = false;
  PrintArguments print;

  void add_to(Options& options) {
    robot.add_to(options);
    options
        .numbers("--density", "KG/M3", density,
                 "of all links that have no mass: water 1000, aluminium 2700, steel 7850")
        .numbers("--total-mass", "KG", total_mass,
                 "of the whole robot; what links with a mass leave of it is shared by volume")
        .texts("--mass", "LINK=KG", masses, "the mass of one link, spread over its shapes; as often as needed")
        .text("--shapes", "KIND", shapes,
              "collision, visual, or auto (default): collision shapes where a link has any, else visual ones")
        .one_of({"collision", "visual", "auto"})
        .text("--open", "MODEL", open,
              "what an open mesh is taken for: closed (default: rims of holes closed by fans; its convex hull where "
              "that makes no "
              "body), hull, sheet (with --thickness), or refuse")
        .one_of({"closed", "hull", "sheet", "refuse"})
        .numbers("--thickness", "M", thickness, "of open meshes with --open sheet")
        .flag("--up-axis", up_axis, "turn Collada and glTF meshes so that what they call up is z")
        .writes("-o,--output", "FILE", output,
                "the robot with these masses: .urdf, .toml, .mjcf or .mjcf.xml; without it they are only printed")
        .flag("--partial", partial, "write also where a link that has shapes could not be filled");
    print.add_to(options);
    options.example("arm.urdf --density 2700 -o arm_with_masses.urdf", "all links of aluminium")
        .example("arm.urdf --total-mass 18 -o arm_with_masses.urdf", "18 kg, shared by volume")
        .example("arm.urdf --mass upper_arm=3.2 --mass forearm=1.8 --density 1200 -o out.urdf", "some masses known")
        .example("arm.urdf --packages ~/src --shapes visual --json", "volumes and centres of the visual meshes");
  }
};

std::optional<double> one(const std::optional<std::vector<double>>& given, const char* option, Faults& errors) {
  if (!given) return std::nullopt;
  if (given->size() == 1 && given->front() > 0) return given->front();
  errors.push_back(
      {{}, option, "option-value", "it takes one positive number", fmt::format("for example {} 2", option)});
  return std::nullopt;
}

template <class Choice>
void choose(const std::optional<std::string>& word, const char* option,
            std::initializer_list<std::pair<const char*, Choice>> words, Choice& target, Faults& errors) {
  if (!word) return;
  std::string all;
  for (const auto& [name, value] : words) {
    if (*word == name) {
      target = value;
      return;
    }
    all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  }
  errors.push_back(
      {{}, option, "option-value", fmt::format("\"{}\" is none of its words", *word), "use one of " + all});
}

InertiaOptions read_options(const InertiaArguments& given, Faults& errors) {
  InertiaOptions options;
  options.density = one(given.density, "--density", errors);
  options.total_mass = one(given.total_mass, "--total-mass", errors);
  for (const std::string& text : given.masses) {
    const std::size_t sign = text.rfind('=');
    const ParsedNumber mass = parse_number(sign == std::string::npos ? "" : std::string_view(text).substr(sign + 1));
    if (sign == std::string::npos || sign == 0 || !mass)
      errors.push_back(
          {{}, fmt::format("--mass \"{}\"", text), "option-value", "it is not LINK=KG", "write --mass forearm=3.2"});
    else if (!options.masses.emplace(text.substr(0, sign), mass.value).second)
      errors.push_back(
          {{}, fmt::format("--mass \"{}\"", text), "option-value", "this link has one already", "give each link once"});
  }
  choose<ShapeChoice>(
      given.shapes, "--shapes",
      {{"auto", ShapeChoice::automatic}, {"collision", ShapeChoice::collision}, {"visual", ShapeChoice::visual}},
      options.shapes.shapes, errors);
  choose<OpenMesh>(given.open, "--open",
                   {{"closed", OpenMesh::closed},
                    {"hull", OpenMesh::hull},
                    {"sheet", OpenMesh::sheet},
                    {"refuse", OpenMesh::refused}},
                   options.shapes.open, errors);
  options.shapes.thickness = one(given.thickness, "--thickness", errors).value_or(0);
  const bool sheet = options.shapes.open == OpenMesh::sheet;
  refuse_if(given.thickness && !sheet, "--thickness", "without --open sheet", errors);
  if (sheet && !given.thickness)
    errors.push_back(
        {{}, "--open sheet", "option-value", "a sheet has a thickness", "add --thickness 0.002, in metres"});
  options.shapes.apply_up_axis = given.up_axis;
  const bool any = given.density || given.total_mass || !given.masses.empty();
  if (given.output && !any)
    errors.push_back(fault_of("--output", "option-value", "there is no mass to write",
                              "give --density, --total-mass or --mass LINK=KG"));
  refuse_if(given.partial && !given.output, "--partial", "without --output", errors);
  refuse_if(given.robot.chain.cuts(), "--tool, --base, --hold or --followers",
            "here: fill the whole robot, then convert a chain of it", errors);
  refuse_if(given.print.json && given.output == "-", "--json", "while the robot goes to standard output, too", errors);
  return options;
}

/// The text of a URDF file that this verb may write into; nothing where the robot came from something else.
std::optional<std::string> own_text(const Description& robot) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(robot.file, ignored)) return std::nullopt;
  const auto text = read_text_file(robot.file);
  if (!text || xml_root_name(*text) != "robot" || text->find("xacro:") != std::string::npos) return std::nullopt;
  return *text;
}

/// The author's text with the masses in it: comments, order and all else stay.
Result<std::string> patched(const std::string& text, const FilledRobot& filled) {
  std::vector<InertialEdit> edits;
  const auto add = [&](const std::string& link, const std::vector<Part>& parts) {
    const bool is_new = std::ranges::any_of(filled.filling.links, [&](const FilledLink& row) {
      return row.link == link && row.state == LinkFilling::filled;
    });
    if (!is_new) return;
    const Inertia<double> sum = inertia_of(parts);
    edits.push_back({link, sum.m, mass_centre(sum), tensor_about_centre(sum)});
  };
  add(filled.description.base_name, filled.description.base_parts);
  for (const LinkDescription& link : filled.description.links) add(link.name, link.parts);
  return patch_urdf(text, edits);
}

Result<std::string> text_of(const Description& d, const std::string& path, std::vector<std::string>& notes) {
  if (path.ends_with(".mjcf") || path.ends_with(".mjcf.xml")) return write_mjcf(d, &notes);
  if (path.ends_with(".toml")) return write_robot_toml(d);
  if (path.ends_with(".urdf") || path.ends_with(".xml") || path == "-") return write_urdf(d, &notes);
  return fault_of(fmt::format("--output \"{}\"", path), "output-ending", "it does not end as a robot does",
                  "use .urdf, .toml, .mjcf or .mjcf.xml");
}

/// The file is read again before it is called done: its torques are those of the robot with masses.
Faults written_faults(const Description& filled, const std::string& text, const std::string& path) {
  const auto back = read_robot_text(text, path == "-" ? "written.urdf" : path);
  if (!back) return back.faults();
  const auto wanted = build(filled), found = build(*back);
  if (!wanted) return wanted.faults();
  if (!found) return found.faults();
  const double off = torque_difference(*wanted, *found, std::clamp(3200 / std::max(found->nv, 1), 1, 16));
  if (off <= 1e-12) return {};
  return {{{path, 0},
           filled.name,
           "inertia-written",
           fmt::format("its torques differ by {:.2g} of their size when it is read back", off),
           "report this robot: it is a fault of this program"}};
}

/// Collada is left as it is by other programs; of glTF they are of two minds.
std::string about_up_axis(const ShapeInertia& shape, bool turned) {
  if (turned) return fmt::format("the file calls {} up; it was turned, so that this is z", shape.up_axis);
  if (shape.file.ends_with(".dae") || shape.file.ends_with(".DAE"))
    return fmt::format(
        "the file calls {} up; it was left as it is, as RViz, Gazebo and Pinocchio leave it (--up-axis turns it)",
        shape.up_axis);
  return "a glTF calls y up; it was left as it is, as Gazebo and Pinocchio leave it, where RViz and Drake turn it "
         "(--up-axis turns it)";
}

/// What is worth knowing of meshes, a sentence each.
void note_meshes(const InertiaFilling& filling, bool turned) {
  for (const FilledLink& row : filling.links)
    for (const ShapeInertia& shape : row.shapes) {
      if (!shape.mesh) continue;
      const MeshSolid& m = *shape.mesh;
      const std::string whose = fmt::format("link \"{}\", mesh \"{}\": ", row.link, shape.file);
      if (m.inside_out) note(whose + "it is inside out, and was turned over");
      if (m.rewound) note(whose + "neighbouring triangles were wound against each other, and were made alike");
      if (!m.orientable) note(whose + "it has only one side: no orientation fits all of its triangles");
      if (m.stray_shells > 0)
        note(whose + fmt::format("{} of its {} pieces are inside out and lie in no other", m.stray_shells, m.shells));
      if (m.cavities > 0 && shape.model == ShapeModel::solid)
        note(whose + fmt::format("{} of its pieces are cavities, taken as empty: {:.6g} m^3; filled it has {:.6g} m^3",
                                 m.cavities, shape.volume, shape.volume_most));
      if (shape.model != ShapeModel::solid)
        note(whose + fmt::format("{}, {}: {:.6g} m^3, where {:.6g} to {:.6g} are possible",
                                 m.closed ? "it is no solid" : fmt::format("it is open at {} edges", m.open_edges),
                                 shape.model == ShapeModel::closed ? "its holes were closed"
                                 : shape.model == ShapeModel::hull ? "its convex hull was taken"
                                                                   : "it was taken as a sheet",
                                 shape.volume, shape.volume_least, shape.volume_most));
      if (shape.unit != 1) note(whose + fmt::format("one unit of the file is {} m, as it says", shape.unit));
      if (!shape.up_axis.empty() && shape.up_axis != "Z_UP") note(whose + about_up_axis(shape, turned));
    }
}

/// Of links whose meshes are open or hollow: between which principal moments those of the body lie.
TextTable moment_bounds(const InertiaFilling& filling, const PrintArguments& print) {
  TextTable table{"bounds of the moments of open and hollow meshes", {{"link"}}};
  for (const char* name : {"1 least", "1 most", "2 least", "2 most", "3 least", "3 most"})
    table.columns.push_back(column(name, "kg m^2", print));
  for (const FilledLink& row : filling.links) {
    if (!row.moments_least || !row.moments_most) continue;
    const auto &low = *row.moments_least, &high = *row.moments_most;
    if (high[2] - low[2] <= 1e-9 * high[2]) continue;
    table.rows.push_back({row.link});
    for (std::size_t k = 0; k < 3; ++k) {
      table.rows.back().emplace_back(low[k]);
      table.rows.back().emplace_back(high[k]);
    }
  }
  return table;
}

int print_filling(const InertiaFilling& filling, const PrintArguments& print) {
  if (print.json) return print_result(filling);
  const int digits = print.significant();
  std::cout << to_text(table_of<FilledLink>(
      "", filling.links, {"link", "state", "source", "watertight", "volume", "mass", "mass_least", "mass_most"},
      digits));
  TextTable bodies{"", {{"link"}}};
  for (const char* name : {"cx", "cy", "cz"}) bodies.columns.push_back(column(name, "m", print));
  for (const char* name : {"moment 1", "moment 2", "moment 3"}) bodies.columns.push_back(column(name, "kg m^2", print));
  for (const FilledLink& row : filling.links) {
    if (!row.centre_if_any()) continue;
    const auto& [a, b, c] = row.moments;
    bodies.rows.push_back({row.link, row.centre.x, row.centre.y, row.centre.z});
    for (const double moment : {a, b, c})
      bodies.rows.back().push_back(row.mass ? TextTable::Cell(moment) : TextTable::Cell(std::string("-")));
  }
  if (!bodies.rows.empty()) std::cout << '\n' << to_text(without_noise(std::move(bodies)));
  if (const TextTable bounds = moment_bounds(filling, print); !bounds.rows.empty())
    std::cout << '\n' << to_text(bounds);
  std::cout << fmt::format("\ntotal mass {} kg", format_number(filling.total_mass, digits));
  if (filling.density) std::cout << fmt::format(", density {} kg/m^3", format_number(*filling.density, digits));
  std::cout << '\n';
  return finish_standard_output();
}

}  // namespace

int inertia_verb(Arguments arguments) {
  InertiaArguments given;
  Options options("inertia",
                  "Masses and inertias of links that have none, from their shapes: boxes, cylinders, spheres, capsules "
                  "and meshes (STL, "
                  "OBJ, DAE, glTF), each homogeneous, integrated exactly. Shapes of a link that overlap are summed. "
                  "Links that have a mass keep it.");
  given.add_to(options);
  if (const auto code = options.parse(arguments)) return *code;
  Faults errors;
  const InertiaOptions wanted = read_options(given, errors);
  const auto load = given.robot.load.read();
  collect(load, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  // what is doubtful about a robot without masses is what this verb is for
  const auto robot = read_unchecked(given.robot.name, given.robot.load);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  MeshFiles files(*load, robot->description().file);
  const FilesRead opened;
  const auto filled = fill_inertia(robot->description(), wanted, files);
  if (errors = file_use().also_reads(opened); !errors.empty()) return complain(errors, exit_bad_input);
  if (!filled) return complain(filled.faults(), exit_bad_input);

  for (const Fault& fault : filled->faults) std::cerr << to_string(fault) + "\n";
  note_meshes(filled->filling, given.up_axis);
  for (const FilledLink& row : filled->filling.links) {
    if (row.state == LinkFilling::bare) note(fmt::format("link \"{}\" has no shape, and stays without mass", row.link));
    if (row.state == LinkFilling::measured && (wanted.density || wanted.total_mass || !wanted.masses.empty()))
      note(fmt::format("link \"{}\" has shapes and no mass: give --mass {}=KG, --density or --total-mass", row.link,
                       row.link));
    if (row.shapes.size() > 1)
      note(fmt::format("link \"{}\": its {} shapes are summed, also where they overlap", row.link, row.shapes.size()));
  }
  if (given.output && (filled->faults.empty() || given.partial)) {
    std::vector<std::string> notes;
    const auto own = given.output->ends_with(".urdf") ? own_text(robot->description()) : std::nullopt;
    const auto text = own ? patched(*own, *filled) : text_of(filled->description, *given.output, notes);
    if (!text) return complain(text.faults(), exit_bad_input);
    if (const Faults wrong = written_faults(filled->description, *text, *given.output); !wrong.empty())
      return complain(wrong, exit_impossible);
    OutputFile file(*given.output);
    if (!file.faults().empty()) return complain(file.faults(), exit_not_written);
    file.stream() << *text;
    if (!file.finish()) return complain(file.faults(), exit_not_written);
    for (const std::string& each : notes) note(each);
  }
  const int code = given.output == "-" ? exit_done : print_filling(filled->filling, given.print);
  if (code != exit_done || filled->faults.empty()) return code;
  if (given.output && !given.partial)
    return complain({{{*given.output, 0},
                      "",
                      "inertia-partial",
                      fmt::format("not written: {} of {} links could not be filled",
                                  filled->filling.count(LinkFilling::failed), filled->filling.links.size()),
                      "mend what is listed above, or add --partial"}},
                    exit_bad_input);
  return given.partial ? exit_done : exit_bad_input;
}

}  // namespace torsor
