#pragma once

#include <algorithm>
#include <memory>
#include <vector>

namespace banditplan {

/// An array that grows at its end and whose items never move: memory is taken in segments, since a growing vector would
/// need its double while it is copied.
template <class T>
class Segments {
 public:
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return segments_[i / kSegment][i % kSegment]; }
  const T& operator[](std::size_t i) const { return segments_[i / kSegment][i % kSegment]; }

  void push_back(const T& item) {
    if (size_ == kSegment * segments_.size()) segments_.push_back(std::make_unique_for_overwrite<T[]>(kSegment));
    (*this)[size_++] = item;
  }
  /// So many, each as `make(i)` makes it, from 0 on.
  template <class Make>
  void append(std::size_t count, Make&& make) {
    for (std::size_t done = 0; done < count;) {
      const std::size_t begin = size_ % kSegment, end = done + std::min(count - done, kSegment - begin);
      if (begin == 0) segments_.push_back(std::make_unique_for_overwrite<T[]>(kSegment));
      size_ += end - done;
      for (T* next = &segments_.back()[begin]; done < end; ++done) *next++ = make(done);
    }
  }

 private:
  static constexpr std::size_t kSegment = 1 << 12;

  std::vector<std::unique_ptr<T[]>> segments_;
  std::size_t size_ = 0;
};

}  // namespace banditplan
