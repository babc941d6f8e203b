#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <typeindex>
#include <utility>

#include "monitor.hpp"

namespace banditplan {

/// What is made from a task when it is first needed, and then shared by all who use the task, in whatever thread. A
/// task that was copied or moved starts with nothing: what is made may refer to the task.
class Shared {
 public:
  Shared() = default;
  Shared(const Shared&) {}
  Shared& operator=(const Shared& other) {
    if (this != &other) parts_.clear();
    return *this;
  }

  /// The T of the given variant. Who comes first makes it, by `make()`; others wait. Whoever is stopped meanwhile, by
  /// the monitor or by `make`, leaves it to the next one.
  template <class T, class Make>
  std::shared_ptr<const T> get(int variant, Monitor& monitor, Make&& make) const {
    return renew<T>(variant, monitor,
                    [&](std::shared_ptr<const T> made) { return made ? made : std::make_shared<const T>(make()); });
  }

  /// Likewise, what `make(made)` returns for the one that is there, or for none; who has that one keeps it.
  template <class T, class Make>
  std::shared_ptr<const T> renew(int variant, Monitor& monitor, Make&& make) const {
    Part& part = find({std::type_index(typeid(T)), variant});
    std::unique_lock lock(part.mutex, std::defer_lock);
    while (!lock.try_lock()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      monitor.check();
    }
    const std::shared_ptr<const T> made = make(std::static_pointer_cast<const T>(part.made));
    part.made = made;
    return made;
  }

 private:
  struct Part {
    std::mutex mutex;
    std::shared_ptr<const void> made;
  };
  using Key = std::pair<std::type_index, int>;

  Part& find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    return parts_[key];
  }

  mutable std::mutex mutex_;
  mutable std::map<Key, Part> parts_;
};

}  // namespace banditplan
