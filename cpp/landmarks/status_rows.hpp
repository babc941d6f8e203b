#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace banditplan {

/// A row of words per state, for dense numbers of states, in segments that never move.
class StatusRows {
 public:
  explicit StatusRows(std::size_t words) : words_(words) {}

  std::size_t bytes() const { return segments_.size() * kRows * words_ * sizeof(std::uint32_t); }

  /// Valid for ever; zero when first asked for.
  std::uint32_t* row(std::size_t state) {
    const std::size_t segment = state / kRows;
    while (segments_.size() <= segment) segments_.push_back(std::make_unique<std::uint32_t[]>(kRows * words_));
    return segments_[segment].get() + state % kRows * words_;
  }

 private:
  static constexpr std::size_t kRows = 1024;

  std::size_t words_;
  std::vector<std::unique_ptr<std::uint32_t[]>> segments_;
};

}  // namespace banditplan
