// The engine of the Studio in a worker of the browser: the calls that `torsor studio` answers by HTTP, through memory. A call is
// JSON; its answer is JSON, with rows behind it where has_rows says so (cli/studio_call.hpp).
#include <cstddef>
#include <string>

#include "cli/studio_session.hpp"

namespace {

torsor::StudioSession& session() {
  static torsor::StudioSession the{torsor::StudioRules{}};
  return the;
}

std::string request;
torsor::HttpAnswer answer;

}  // namespace

extern "C" {

/// Room for a request of so many bytes.
[[clang::export_name("request_room")]] char* request_room(std::size_t bytes) {
  request.resize(bytes);
  return request.data();
}

/// Answers what was written there; the answer stays until the next one.
[[clang::export_name("answer_request")]] const char* answer_request() {
  answer = session().call(request);
  return answer.body.data();
}

[[clang::export_name("answer_size")]] std::size_t answer_size() { return answer.body.size(); }
[[clang::export_name("answer_has_rows")]] int answer_has_rows() { return answer.type == "application/octet-stream" ? 1 : 0; }
}
