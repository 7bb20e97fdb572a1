// Workers: a few threads that wait for a task and share it out in pieces. The threads live as long as the object, so that
// a task costs no thread and no allocation; the caller works along.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace torsor {

class Workers {
 public:
  /// `threads` in all, the caller's included (at least 1); fewer where the system has no more.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return static_cast<int>(others_.size()) + 1; }

  /// Calls piece(worker, k) once for every k in 0 .. pieces - 1, worker in 0 .. threads - 1; returns when all are done.
  /// One task at a time.
  template <class Piece>
  void share(std::int64_t pieces, const Piece& piece) {
    run(pieces, &piece, [](const void* p, int worker, std::int64_t k) { (*static_cast<const Piece*>(p))(worker, k); });
  }

 private:
  using Call = void (*)(const void*, int, std::int64_t);

  void run(std::int64_t pieces, const void* piece, Call call);
  void work_off(int worker);
  void wait_for_tasks(int worker);

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::int64_t task_ = 0;  // number of the task under way
  int working_ = 0;        // others that have not finished it
  bool leaving_ = false;
  const void* piece_ = nullptr;
  Call call_ = nullptr;
  std::int64_t pieces_ = 0;
  std::atomic<std::int64_t> next_ = 0;
  std::vector<std::thread> others_;  // the last, since they use all before it as soon as they are there
};

}  // namespace torsor
