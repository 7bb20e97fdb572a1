// A small HTTP/1.1 server for one user on this machine: loopback alone, and nobody is answered who does not know the token of
// the address, who names another host (DNS rebinding) or who comes from a page of another origin. Requests are bounded in size,
// in time and in number; what is not plain HTTP/1.1 with a length is refused, not guessed at.
//
//   http://127.0.0.1:8642/TOKEN/            the page: files that were read at the start, and no others
//   http://127.0.0.1:8642/TOKEN/call        POST, JSON in, JSON or numbers out
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "torsor/result.hpp"

namespace torsor {

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json", body = {};
};

struct HttpLimits {
  std::size_t head = 16 << 10, body = 48 << 20;  // bytes
  int connections = 48;                          // at once
  int seconds = 20;                              // for a whole request to come, and for an answer to go
};

class HttpServer {
 public:
  using Call = std::function<HttpAnswer(const std::string& body)>;

  /// files: by their names, `index.html` is the page itself.
  HttpServer(std::map<std::string, HttpAnswer> files, Call call, HttpLimits limits = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Binds 127.0.0.1 at the port; 0: one that is free. Or why it cannot.
  Faults listen(int port);
  int port() const { return port_; }
  /// The address with its token.
  std::string address() const;

  /// Answers, each connection in a thread of its own; does not return.
  void serve();

 private:
  struct Request {
    std::string method, target, body;
    std::map<std::string, std::string> headers;  // names in small letters
  };
  void converse(int socket);
  /// A request; 0, or the status that refuses it. Nothing more can be read after a refusal.
  int read(int socket, std::string& buffer, Request& out) const;
  HttpAnswer answer(const Request&) const;
  bool is_ours(std::string_view authority) const;

  std::map<std::string, HttpAnswer> files_;
  Call call_;
  HttpLimits limits_;
  std::string token_;
  int listener_ = -1, port_ = 0;
};

}  // namespace torsor
