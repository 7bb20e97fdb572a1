// Workspaces that threads borrow: each call takes one that nobody uses, or has one made, and gives it back.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <utility>
#include <vector>

namespace torsor::python {

template <class Work>
class Pool {
 public:
  Pool() = default;
  ~Pool() { delete spare_.load(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Work> work) : pool_(pool), work_(std::move(work)) {}
    ~Lease() { pool_.give_back(std::move(work_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Work* operator->() const { return work_.get(); }
    Work& operator*() const { return *work_; }

   private:
    Pool& pool_;
    std::unique_ptr<Work> work_;
  };

  /// A workspace of the caller's own until the lease ends; make() gives a std::unique_ptr<Work>. ready(work) is called of one that
  /// had another owner before.
  template <class Make>
  Lease lease(const Make& make) {
    return lease(make, [](Work&) {});
  }
  template <class Make, class Ready>
  Lease lease(const Make& make, const Ready& ready) {
    std::unique_ptr<Work> work = idle();
    if (!work) return Lease(*this, make());
    ready(*work);
    return Lease(*this, std::move(work));
  }

 private:
  std::unique_ptr<Work> idle() {
    // one of them without the lock: nearly all calls come one after the other
    if (Work* const spare = spare_.exchange(nullptr)) return std::unique_ptr<Work>(spare);
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<Work> work = std::move(idle_.back());
    idle_.pop_back();
    return work;
  }

  void give_back(std::unique_ptr<Work> work) {
    Work* none = nullptr;
    if (spare_.compare_exchange_strong(none, work.get())) {
      static_cast<void>(work.release());
      return;
    }
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(work));
  }

  std::atomic<Work*> spare_ = nullptr;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Work>> idle_;
};

/// Pools of any workspaces, each found by its type and a key.
class Pools {
 public:
  template <class Work>
  Pool<Work>& of(const void* key = nullptr) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<void>& pool = pools_[{std::type_index(typeid(Work)), key}];
    if (!pool) pool = std::make_shared<Pool<Work>>();
    return *static_cast<Pool<Work>*>(pool.get());
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::type_index, const void*>, std::shared_ptr<void>> pools_;
};

}  // namespace torsor::python
