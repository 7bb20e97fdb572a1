// torsor studio [FILE]: a robot or mechanism in the browser, to be moved and understood.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

#include "cli/child_process.hpp"
#include "cli/files.hpp"
#include "cli/options.hpp"
#include "cli/studio_session.hpp"

namespace torsor {
namespace {

namespace fs = std::filesystem;

constexpr int usual_port = 8642, ports_tried = 20;

struct FileType {
  std::string_view ending, type;
};
constexpr FileType types[] = {{".html", "text/html; charset=utf-8"},
                              {".js", "text/javascript; charset=utf-8"},
                              {".css", "text/css; charset=utf-8"},
                              {".svg", "image/svg+xml"},
                              {".woff2", "font/woff2"},
                              {".json", "application/json"}};

/// The folder of the page: TORSOR_STUDIO, beside the build, or where it was installed.
std::string page_folder() {
  if (const char* given = std::getenv("TORSOR_STUDIO")) return given;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {self / "../../studio", self / "../share/torsor/studio"})
    if (fs::is_regular_file(place / "index.html", error)) return place.string();
  return "";
}

/// All files of the page, read once: no request opens a file of it.
std::map<std::string, HttpAnswer> read_page(const std::string& folder) {
  std::map<std::string, HttpAnswer> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    for (const FileType& t : types) {
      if (!name.ends_with(t.ending)) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      files[name] = {200, std::string(t.type), {std::istreambuf_iterator<char>(in), {}}};
    }
  }
  return files;
}

/// In the user's browser, where there is a screen.
void show_in_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::thread([address] { run_program({"xdg-open", address}, "/dev/null", "/dev/null", 20); }).detach();
}

}  // namespace

int studio_verb(Arguments arguments) {
  StudioRules rules;
  std::optional<long long> port;
  std::vector<std::string> roots;
  bool no_open = false, json = false;
  Options options(
      "studio",
      "A robot or mechanism in the browser: moved with the mouse, with its torques, all solutions of a pose, motions, "
      "equations and simulations beside it (docs/studio.md). A server on this machine alone, 127.0.0.1, answers; who "
      "has not the token of its address is refused. It runs until it is ended (Ctrl-C).");
  options
      .optional_positional("FILE", rules.file,
                           "a robot or mechanism, as a file or by its name; default: chosen on the page")
      .whole("--port", 0, 65535, port,
             fmt::format("of the address; 0: any; default: {}, or the next that is free", usual_port))
      .texts("--root", "DIR", roots, "a folder whose robot files the page may open; as often as needed")
      .flag("--no-open", no_open, "print the address and open no browser")
      .flag("--json", json, "the address as JSON on standard output")
      .example("puma560", "a built-in robot")
      .example("my_arm.urdf --root ~/robots", "a file, and a folder with more of them");
  if (const auto code = options.parse(arguments)) return *code;
  Faults errors;
  std::error_code error;
  for (const std::string& root : roots) {
    const fs::path path = fs::canonical(root, error);
    if (error || !fs::is_directory(path, error))
      errors.push_back(
          {{}, "--root", "option-value", fmt::format("\"{}\" is no folder", root), "name one that is there"});
    else
      rules.roots.push_back(path);
  }
  // a file may be named from anywhere; its meshes are looked for beside it
  if (const fs::path path = fs::canonical(rules.file, error); !rules.file.empty() && !error) rules.file = path.string();
  const std::string folder = page_folder();
  if (folder.empty())
    errors.push_back({{},
                      "page",
                      "studio-page",
                      "the files of the page are not there",
                      "start it by ./run studio, which builds them, or set TORSOR_STUDIO to their folder"});
  if (!errors.empty()) return complain(errors, exit_bad_input);

  StudioSession session(std::move(rules));
  HttpServer server(read_page(folder), [&session](const std::string& body) { return session.call(body); });
  if (port) {
    errors = server.listen(static_cast<int>(*port));
  } else {
    for (int k = 0; k < ports_tried; ++k)
      if ((errors = server.listen(usual_port + k)).empty()) break;
  }
  if (!errors.empty()) return complain(errors, exit_impossible);
  if (json)
    std::cout << fmt::format("{{\"address\": \"{}\", \"port\": {}}}", server.address(), server.port()) << std::endl;
  else
    std::cout << server.address() << std::endl;
  if (!no_open) show_in_browser(server.address());
  server.serve();
  return finish_standard_output();
}

}  // namespace torsor
