#include "cli/studio_http.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <thread>

namespace torsor {
namespace {

using Clock = std::chrono::steady_clock;

// scripts and styles of our own files alone; nothing is sent anywhere else, nobody may frame the page
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; connect-src "
    "'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_token_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

/// 128 bits that nobody guesses; empty where the system has none.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

/// In a time that does not depend on where they differ.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size() || a.empty()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k) difference |= static_cast<unsigned>(a[k] ^ b[k]);
  return difference == 0;
}

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 421: return "Misdirected Request";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    default: return "Error";
  }
}

HttpAnswer http_refusal(int status) {
  return {status, "text/plain; charset=utf-8", fmt::format("{} {}\n", status, reason_of(status))};
}

/// What a browser at the address of a Studio that has ended is shown: where to find the new one.
HttpAnswer other_address() {
  return {403, "text/html; charset=utf-8",
          "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"><title>Torsor Studio: another "
          "address</title><h1>The Studio has another address now</h1><p>Every start has an address of its own. Open the one "
          "that <code>torsor studio</code> printed where it was started last.</p><p>Nothing that was entered is lost: this "
          "browser goes on from there. For what a link holds put its part from <code>#</code> on behind the new "
          "address.</p></html>\n"};
}

/// Waits until the socket can be read or written; false when the time is over.
bool wait_for(int socket, short what, Clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd entry{socket, what, 0};
    const int ready = poll(&entry, 1, static_cast<int>(std::min<long long>(left, 60000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool send_all(int socket, std::string_view bytes, Clock::time_point end) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (sent < 0 && errno == EINTR) {
      continue;
    } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for(socket, POLLOUT, end)) return false;
    } else {
      return false;
    }
  }
  return true;
}

/// More of what comes, at the end of the buffer; 0, or the status: 408 where nothing comes in time, -1 where it was closed.
int receive(int socket, std::string& buffer, Clock::time_point end) {
  std::array<char, 16384> piece;
  for (;;) {
    const ssize_t count = recv(socket, piece.data(), piece.size(), MSG_DONTWAIT);
    if (count > 0) {
      buffer.append(piece.data(), static_cast<std::size_t>(count));
      return 0;
    }
    if (count == 0) return -1;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    if (!wait_for(socket, POLLIN, end)) return 408;
  }
}

/// The lines of a head after the first into headers; false where one is not plain, or comes twice.
bool read_headers(std::string_view lines, std::map<std::string, std::string>& headers) {
  while (!lines.empty()) {
    const std::size_t end = lines.find("\r\n");
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 2);
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string_view::npos) return false;
    const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
    if (!std::all_of(name.begin(), name.end(), is_token_letter)) return false;
    if (std::any_of(value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) < 32 && c != '\t'; }))
      return false;
    if (!headers.emplace(small_letters(name), value).second) return false;
  }
  return true;
}

}  // namespace

HttpServer::HttpServer(std::map<std::string, HttpAnswer> files, Call call, HttpLimits limits)
    : files_(std::move(files)), call_(std::move(call)), limits_(limits), token_(random_token()) {}

HttpServer::~HttpServer() {
  if (listener_ >= 0) close(listener_);
}

Faults HttpServer::listen(int port) {
  const auto fault = [port](const char* what) {
    return Faults{{{},
                   fmt::format("port {}", port),
                   "studio-port",
                   fmt::format("{}: {}", what, std::strerror(errno)),
                   "name another: --port N"}};
  };
  if (token_.empty()) return fault("the system has no random numbers");
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) return fault("no socket can be opened");
  const int yes = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof at;
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&at), size) != 0 || ::listen(listener_, 64) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    Faults errors = fault("it cannot be listened at");
    close(listener_);
    listener_ = -1;
    return errors;
  }
  port_ = ntohs(at.sin_port);
  return {};
}

std::string HttpServer::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

void HttpServer::serve() {
  std::atomic<int> open = 0;
  for (;;) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
      // no free file, or a caller who is gone already: the next one is waited for
      if (errno != EINTR && errno != ECONNABORTED) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    if (open >= limits_.connections) {
      close(socket);
      continue;
    }
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ++open;
    std::thread([this, socket, &open] {
      converse(socket);
      close(socket);
      --open;
    }).detach();
  }
}

void HttpServer::converse(int socket) {
  std::string buffer;
  for (;;) {
    Request request;
    const int refused = read(socket, buffer, request);
    if (refused < 0) return;
    HttpAnswer out = refused > 0 ? http_refusal(refused) : answer(request);
    const bool last = refused > 0 || request.headers["connection"] == "close";
    const std::string head = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: "
        "no-store\r\nContent-Security-Policy: {}\r\n"
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: "
        "same-origin\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\nConnection: {}\r\n\r\n",
        out.status, reason_of(out.status), out.type, out.body.size(), policy, last ? "close" : "keep-alive");
    const auto end = Clock::now() + std::chrono::seconds(limits_.seconds);
    if (!send_all(socket, request.method == "HEAD" ? head : head + out.body, end) || last) {
      // a refusal is not lost to a body that is still under way
      shutdown(socket, SHUT_WR);
      std::array<char, 4096> rest;
      const auto patience = Clock::now() + std::chrono::milliseconds(200);
      while (wait_for(socket, POLLIN, patience) && recv(socket, rest.data(), rest.size(), MSG_DONTWAIT) > 0) {
      }
      return;
    }
  }
}

int HttpServer::read(int socket, std::string& buffer, Request& out) const {
  // between requests a connection may rest; from its first byte on a request has its time
  constexpr auto rest = std::chrono::minutes(5);
  if (buffer.empty() && receive(socket, buffer, Clock::now() + rest) != 0) return -1;
  const auto end = Clock::now() + std::chrono::seconds(limits_.seconds);
  std::size_t head_end = buffer.find("\r\n\r\n");
  while (head_end == std::string::npos) {
    if (buffer.size() > limits_.head) return 431;
    if (const int status = receive(socket, buffer, end); status != 0) return status;
    head_end = buffer.find("\r\n\r\n");
  }
  if (head_end > limits_.head) return 431;
  const std::string_view head = std::string_view(buffer).substr(0, head_end), first = head.substr(0, head.find("\r\n"));
  const std::size_t blank = first.find(' '), second = first.rfind(' ');
  if (blank == std::string_view::npos || second == blank || first.substr(second + 1) != "HTTP/1.1") return 400;
  out.method = first.substr(0, blank);
  out.target = first.substr(blank + 1, second - blank - 1);
  if (!std::all_of(out.target.begin(), out.target.end(), [](char c) { return c > 32 && c < 127; })) return 400;
  if (!read_headers(head.size() > first.size() ? head.substr(first.size() + 2) : std::string_view(), out.headers))
    return 400;
  if (out.headers.contains("transfer-encoding")) return 501;
  std::size_t length = 0;
  if (const auto given = out.headers.find("content-length"); given != out.headers.end()) {
    const std::string& text = given->second;
    const auto [place, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error == std::errc::result_out_of_range) return 413;
    if (error != std::errc() || place != text.data() + text.size() || text.starts_with('-')) return 400;
  }
  if (length > limits_.body) return 413;
  // who may not ask at all need not send a body either
  if (length > 0 && !is_ours(out.headers["host"])) return 421;
  buffer.erase(0, head_end + 4);
  while (buffer.size() < length)
    if (const int status = receive(socket, buffer, end); status != 0) return status;
  out.body = buffer.substr(0, length);
  buffer.erase(0, length);
  return 0;
}

bool HttpServer::is_ours(std::string_view authority) const {
  return authority == fmt::format("127.0.0.1:{}", port_) || authority == fmt::format("localhost:{}", port_);
}

HttpAnswer HttpServer::answer(const Request& request) const {
  const auto header = [&](const char* name) {
    const auto found = request.headers.find(name);
    return found == request.headers.end() ? std::string() : found->second;
  };
  if (!is_ours(header("host"))) return http_refusal(421);
  if (const std::string origin = header("origin"); !origin.empty()) {
    constexpr std::string_view scheme = "http://";
    if (!origin.starts_with(scheme) || !is_ours(std::string_view(origin).substr(scheme.size())))
      return http_refusal(403);
  }
  if (const std::string site = header("sec-fetch-site"); !site.empty() && site != "same-origin" && site != "none")
    return http_refusal(403);
  // /TOKEN/NAME
  std::string_view path = request.target;
  path = path.substr(0, path.find('?'));
  if (!path.starts_with('/')) return http_refusal(400);
  path.remove_prefix(1);
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos || !same_secret(path.substr(0, slash), token_))
    return request.method == "GET" ? other_address() : http_refusal(403);
  const std::string name(path.substr(slash + 1));
  if (name == "call") {
    if (request.method != "POST") return http_refusal(405);
    if (!header("content-type").starts_with("application/json")) return http_refusal(415);
    return call_(request.body);
  }
  if (request.method != "GET" && request.method != "HEAD") return http_refusal(405);
  const auto file = files_.find(name.empty() ? "index.html" : name);
  return file == files_.end() ? http_refusal(404) : file->second;
}

}  // namespace torsor
