#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "searches/guct.hpp"

namespace banditplan {

/// A record of a tree search as lines of JSON, for pictures: for some of its expansions, the choices that led there
/// with what the bandit was shown, and the state of the search. Bounded: when there are too many lines, every other one
/// is dropped, and from then on half as many are written.
class TreeTrace : public TreeObserver {
 public:
  static constexpr std::size_t kMostLines = 2000;
  static constexpr std::size_t kMostChoices = 12;  // per expansion, from the root
  static constexpr std::size_t kMostArms = 24;     // per choice; the chosen one is among them

  void chosen(const Tree& tree, Id parent, std::span<const Id> candidates, std::span<const Arm> arms,
              std::size_t index) override;
  void visited(const Tree& tree, Id leaf, const SearchResult& result) override;
  void ended(const Tree&) override {}

  /// The lines, each with its line break.
  std::string text() const;

 private:
  std::int64_t visits_ = 0;
  std::int64_t stride_ = 1;
  std::size_t choices_ = 0;
  std::string choice_lines_;  // of the expansion under way, if it is sampled
  std::vector<std::string> lines_;
};

}  // namespace banditplan
