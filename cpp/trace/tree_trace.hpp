#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "searches/guct.hpp"
#include "trace/sample.hpp"

namespace banditplan {

/// A record of a tree search as lines of JSON, for pictures; docs/trace.md says what they mean. Bounded, however long
/// the search is.
class TreeTrace : public TreeObserver {
 public:
  static constexpr std::size_t kMostSteps = 1000;
  static constexpr std::size_t kMostPaths = 250;
  static constexpr std::size_t kFirstChoices = 8;  // per path, from the root
  static constexpr std::size_t kLastChoices = 4;   // per path, before the leaf
  static constexpr std::size_t kMostArms = 16;     // per choice
  static constexpr std::size_t kMostNodes = 5000;

  void chosen(const Tree& tree, Id parent, const Arms& arms, std::size_t index) override;
  void visited(const Tree& tree, Id leaf, const SearchResult& result) override;
  void ended(const Tree& tree, const SearchResult& result) override;

  /// All lines, each with its line break.
  std::string text(const Task& task, const SearchResult& result, std::string_view status) const;

 private:
  /// A child at the moment of a choice; it has an estimate and a score only if it was offered.
  struct Child {
    Id id;
    Node node;
    Arm arm;
    Statistics data;
    std::optional<double> estimate, score;
  };
  struct Choice {
    Id parent, chosen, g;
    std::size_t children, offered;
    std::uint32_t total;
    std::vector<Child> shown;
  };

  struct Line {
    std::string text;
    std::vector<Id> actions;  // that occur in it
  };

  static std::vector<Child> shown(const Tree& tree, const Arms& arms, Id first, Id chosen);
  Line step(const Tree& tree, Id leaf, const SearchResult& result) const;
  Line path(const Tree& tree, Id leaf);

  std::int64_t rounds_ = 0;
  std::int64_t plateaus_ = 0;
  std::size_t choices_ = 0;   // of the round under way
  std::vector<Choice> path_;  // the first of them, then the last ones in turn
  Sample<Line> steps_{kMostSteps}, paths_{kMostPaths};
  std::vector<Line> nodes_;
  std::vector<Id> plan_nodes_;
};

}  // namespace banditplan
