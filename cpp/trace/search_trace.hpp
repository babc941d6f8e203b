#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json.hpp"
#include "open_lists/tree_list.hpp"
#include "searches/observer.hpp"
#include "trace/sample.hpp"

namespace banditplan {

/// A record of a search as lines of JSON, for pictures; docs/trace.md says what they mean. The text is bounded, however
/// long the search is. A search with a tree shows how that grows; another one shows its search space as a tree, which
/// is made in the end and takes as much memory as a tree search would have.
class SearchTrace : public SearchObserver, public TreeObserver {
 public:
  static constexpr std::size_t kMostSteps = 1000;
  static constexpr std::size_t kMostPaths = 250;
  static constexpr std::size_t kFirstChoices = 8;  // per path, from the root
  static constexpr std::size_t kLastChoices = 4;   // per path, before the leaf
  static constexpr std::size_t kMostArms = 16;     // per choice
  static constexpr std::size_t kMostNodes = 5000;
  static constexpr std::size_t kMostOrigins = 50'000;

  void began(Frontier& open, const FoundStates& found) override;
  void chosen(const Tree& tree, NodeId parent, const Arms& arms, std::size_t index) override;
  void revalued(StateId state, std::span<const Value> row) override;
  void expanded(const Expansion& expansion) override;
  void visited(StateId state, const SearchResult& result) override;
  void ended(const SearchResult& result) override;
  std::unique_ptr<SearchObserver> fork(std::size_t) override { return std::make_unique<SearchTrace>(); }
  void take_over(SearchObserver& other) override { *this = std::move(static_cast<SearchTrace&>(other)); }

  /// All lines, each with its line break.
  std::string text(const Task& task, const SearchResult& result, std::string_view status) const;

 private:
  /// A child at the moment of a choice; it has an estimate and a score only if it was offered.
  struct Shown {
    NodeId id;
    Node node;
    Label label;
    Arm arm;
    Statistics data;
    bool followed;
    std::optional<double> estimate, score;
  };
  struct Choice {
    NodeId parent, chosen;
    Id depth;
    std::size_t children, offered;
    std::uint32_t total;
    std::vector<Shown> shown;
  };

  struct Line {
    JsonObject object;
    std::vector<ActionId> actions;  // that occur in it
    StateId leaf = kNoState;        // without a tree: what is known as a node in the end only
    StateId first = kNoState;       // the state after the initial one on the way there
  };

  std::vector<Shown> shown(const Tree& tree, const Arms& arms, NodeId parent, NodeId chosen) const;
  bool followed(const Tree& tree, NodeId id) const;
  JsonObject counters(const SearchResult& result) const;
  std::int64_t inserted(const SearchResult& result) const;
  Line tree_step(const SearchResult& result);
  Line tree_path();
  Line space_step(StateId state, const SearchResult& result) const;
  Line space_path(StateId state) const;
  Tree space_tree();
  void name_leaves();
  void show(const Tree& tree, const SearchResult& result);
  void find_plan_nodes(const SearchResult& result);
  void find_origins(const Tree& tree, const std::vector<NodeId>& shown);
  NodeId node_of(StateId state) const { return frontier_ ? frontier_->node_of(state) : node_of_[index(state)]; }
  Value h(StateId state) const { return index(state) < h_.size() ? h_[index(state)] : kUnknown; }

  static constexpr Value kUnknown = -1;

  TreeFrontier* frontier_ = nullptr;  // if the search has a tree
  const SearchSpace* space_ = nullptr;
  bool is_lazy_ = false;
  std::int64_t number_ = 0;   // of the search, if there are several in a row
  std::int64_t earlier_ = 0;  // evaluations of those before it
  std::int64_t spent_ = 0;    // and its own, once it has ended
  std::int64_t places_ = 0;   // of a lazy search, once it has ended
  std::int64_t rounds_ = 0;
  std::int64_t plateaus_ = 0;
  std::size_t choices_ = 0;   // of the round under way
  std::vector<Choice> path_;  // the first of them, then the last ones in turn
  Sample<Line> steps_{kMostSteps}, paths_{kMostPaths};
  std::vector<Line> nodes_;
  std::vector<NodeId> plan_nodes_;
  std::vector<Id> origins_;  // of the states that are shown, if the tree does not tell them

  // Without a tree.
  std::vector<Value> h_;         // per state, kUnknown for dead ends
  std::vector<NodeId> node_of_;  // per state, in the end
  std::int64_t known_ = 0;       // states that are no dead ends
  std::vector<bool> inner_;      // per state: it was expanded, and led to another one
  std::int64_t inner_states_ = 0;
  std::int64_t barren_ = 0;  // expansions that led to nothing
  bool is_barren_ = false;   // of the round under way
};

}  // namespace banditplan
