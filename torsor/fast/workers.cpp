#include "torsor/fast/workers.hpp"

#include "torsor/fast/start_threads.hpp"

namespace torsor {

Workers::Workers(int threads) : others_(start_threads(threads - 1, [this](int k) { wait_for_tasks(k + 1); })) {}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : others_) thread.join();
}

void Workers::run(std::int64_t pieces, const void* piece, Call call) {
  if (others_.empty() || pieces <= 1) {
    for (std::int64_t k = 0; k < pieces; ++k) call(piece, 0, k);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    piece_ = piece;
    call_ = call;
    pieces_ = pieces;
    next_ = 0;
    working_ = static_cast<int>(others_.size());
    ++task_;
  }
  wake_.notify_all();
  work_off(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
}

void Workers::work_off(int worker) {
  for (std::int64_t k = next_++; k < pieces_; k = next_++) call_(piece_, worker, k);
}

void Workers::wait_for_tasks(int worker) {
  std::int64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return leaving_ || task_ != seen; });
    if (leaving_) return;
    seen = task_;
    lock.unlock();
    work_off(worker);
    lock.lock();
    if (--working_ == 0) done_.notify_one();
  }
}

}  // namespace torsor
