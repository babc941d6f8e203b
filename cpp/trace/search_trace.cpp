#include "trace/search_trace.hpp"

#include <algorithm>
#include <limits>
#include <ranges>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "states/found_states.hpp"
#include "task/action_cost.hpp"
#include "trace/top.hpp"

namespace banditplan {

namespace {

const MonteCarlo kMonteCarlo;

JsonObject& add_data(JsonObject& object, const Node& node, const Label& label, const Arm& arm, const Statistics& data,
                     bool followed) {
  const auto open = data.locked() ? std::optional<Value>() : data.open_minimum;
  return object.add("action", label.action)
      .add("h", label.h)
      .add("count", data.count)
      .add("mean", data.mean())
      .add("variance", arm.variance)
      .add("minimum", data.minimum)
      .add("maximum", data.maximum)
      .add("open_minimum", open)
      .add("locked", data.locked())
      .add("preferred", arm.preferred == 1)
      .add("followed", followed)
      .add("children", std::uint32_t{node.children});
}

/// No child is better than the leaf was, and one is as good.
bool plateau(const Tree& tree, NodeId leaf) {
  Value best = std::numeric_limits<Value>::max();
  for (const Label& child : tree.labels(leaf)) best = std::min(best, child.h);
  return best == tree.label(leaf).h;
}

JsonObject of_kind(std::string_view kind) { return JsonObject().add("kind", kind); }

}  // namespace

void SearchTrace::began(Frontier& open, const FoundStates& found) {
  const std::int64_t number = number_ + 1, earlier = spent_;
  *this = SearchTrace();  // of several searches in a row, the last one is told
  number_ = number;
  earlier_ = earlier;
  space_ = &found.space;
  is_lazy_ = found.places.lazy();
  frontier_ = open.tree();
  if (frontier_ && frontier_->collapses()) frontier_ = nullptr;  // its nodes are not where actions lead
  if (frontier_) frontier_->set_observer(this);
}

void SearchTrace::chosen(const Tree& tree, NodeId parent, const Arms& arms, std::size_t index) {
  if (!paths_.wants(rounds_)) return;
  const NodeId chosen = tree.child(parent, index);
  Choice choice{parent,
                chosen,
                tree.node(parent).depth,
                arms.all.size(),
                arms.offered(),
                tree.arm(parent).count,
                shown(tree, arms, parent, chosen)};
  if (choices_ < kFirstChoices + kLastChoices)
    path_.push_back(std::move(choice));
  else
    path_[kFirstChoices + (choices_ - kFirstChoices) % kLastChoices] = std::move(choice);
  ++choices_;
}

/// The child that was chosen, then those that were offered, the best first, then others; by their ids.
std::vector<SearchTrace::Shown> SearchTrace::shown(const Tree& tree, const Arms& arms, NodeId parent,
                                                   NodeId chosen) const {
  std::vector<Shown> children;
  for (std::size_t i = 0; i < arms.all.size(); ++i) {
    const NodeId id = tree.child(parent, i);
    children.push_back(
        {id, tree.node(id), tree.label(id), arms.all[i], tree.statistics(id), followed(tree, id), {}, {}});
    if (!arms.offers(arms.all[i])) continue;
    children.back().estimate = arms.all[i].estimate;
    children.back().score = arms.scores[i];
  }
  if (children.size() <= kMostArms) return children;
  std::ranges::stable_sort(children, [&](const Shown& a, const Shown& b) {
    if (a.id == chosen || b.id == chosen) return a.id == chosen && b.id != chosen;
    return a.score && b.score ? *a.score < *b.score : a.score.has_value() && !b.score;
  });
  children.resize(kMostArms);
  std::ranges::sort(children, {}, &Shown::id);
  return children;
}

void SearchTrace::revalued(StateId state, std::span<const Value> row) {
  if (!frontier_) h_[index(state)] = row[0];
}

void SearchTrace::expanded(const Expansion& expansion) {
  if (frontier_) return;
  h_.resize(space_->size(), kUnknown);
  Value best = std::numeric_limits<Value>::max();
  for (std::size_t i = 0; i < expansion.children.size(); ++i) {
    const Child& child = expansion.children[i];
    if (!child.is_new) continue;
    best = std::min(best, h_[index(child.state)] = expansion.row(i)[0]);
    ++known_;
  }
  is_barren_ = expansion.children.empty();
  barren_ += static_cast<std::int64_t>(is_barren_);
  inner_.resize(space_->size(), false);
  if (expansion.state != kNoState && !is_barren_ && !inner_[index(expansion.state)]) {
    inner_[index(expansion.state)] = true;
    ++inner_states_;
  }
  if (expansion.state != kNoState && best == h(expansion.state)) ++plateaus_;
}

void SearchTrace::visited(StateId state, const SearchResult& result) {
  if (frontier_ && frontier_->visited() == kNoNode) return;
  if (frontier_ && plateau(frontier_->grown(), frontier_->visited())) ++plateaus_;
  if (steps_.wants(rounds_)) steps_.add(frontier_ ? tree_step(result) : space_step(state, result));
  if (paths_.wants(rounds_)) paths_.add(frontier_ ? tree_path() : space_path(state));
  path_.clear();
  choices_ = 0;
  ++rounds_;
}

JsonObject SearchTrace::counters(const SearchResult& result) const {
  return of_kind("step")
      .add("round", rounds_)
      .add("expansions", result.expansions)
      .add("evaluations", result.evaluations)
      .add("inserted", inserted(result))
      .add("best_h", result.best_h);
}

/// Of a lazy search, places.
std::int64_t SearchTrace::inserted(const SearchResult& result) const {
  return is_lazy_ ? static_cast<std::int64_t>(space_->size()) : result.inserted;
}

SearchTrace::Line SearchTrace::tree_step(const SearchResult& result) {
  const Tree& tree = frontier_->grown();
  const NodeId leaf = frontier_->visited();
  JsonObject line = counters(result);
  line.add("nodes", tree.size())
      .add("leaves", tree.statistics(Tree::kRoot).count)
      .add("locked", tree.locked_nodes())
      .add("dead_ends", result.dead_ends)
      .add("duplicates", result.generated + 1 - result.inserted)  // the root was inserted without being generated
      .add("plateaus", plateaus_)
      .add("leaf", leaf)
      .add("depth", tree.node(leaf).depth)
      .add("h", tree.label(leaf).h)
      .add("leaf_locked", tree.locked(leaf));
  return {std::move(line), {}};
}

SearchTrace::Line SearchTrace::space_step(StateId state, const SearchResult& result) const {
  JsonObject line = counters(result);
  line.add("nodes", known_)
      .add("leaves", known_ - inner_states_)
      .add("locked", barren_)
      .add("dead_ends", result.dead_ends)
      .add("duplicates", result.generated + 1 - inserted(result))
      .add("plateaus", plateaus_)
      .add("depth", space_->path(state).size())
      .add("h", h(state))
      .add("leaf_locked", is_barren_);
  return {std::move(line), {}, state};
}

SearchTrace::Line SearchTrace::tree_path() {
  const Tree& tree = frontier_->grown();
  if (choices_ > path_.size()) {
    const auto last = path_.begin() + kFirstChoices;
    std::rotate(last, last + (choices_ - kFirstChoices) % kLastChoices, path_.end());
  }
  std::vector<ActionId> actions;
  std::vector<JsonObject> choices;
  for (const Choice& choice : path_) {
    std::vector<JsonObject> arms;
    for (const Shown& child : choice.shown) {
      actions.push_back(child.label.action);
      JsonObject arm;
      arm.add("node", child.id);
      add_data(arm, child.node, child.label, child.arm, child.data, child.followed);
      arms.push_back(arm.add("estimate", child.estimate).add("score", child.score));
    }
    choices.push_back(JsonObject()
                          .add("node", choice.parent)
                          .add("g", choice.depth)
                          .add("total", choice.total)
                          .add("children", choice.children)
                          .add("offered", choice.offered)
                          .add("chosen", choice.chosen)
                          .add("arms", arms));
  }
  JsonObject line = of_kind("path");
  line.add("round", rounds_)
      .add("leaf", frontier_->visited())
      .add("depth", tree.node(frontier_->visited()).depth)
      .add("decisions", choices_)
      .add("choices", choices);
  return {std::move(line), std::move(actions)};
}

SearchTrace::Line SearchTrace::space_path(StateId state) const {
  std::size_t depth = 0;
  StateId first = kNoState;
  for (StateId at = state; space_->origin(at).parent != kNoState; at = space_->origin(at).parent) {
    first = at;
    ++depth;
  }
  JsonObject line = of_kind("path");
  line.add("round", rounds_).add("depth", depth).add("decisions", 0).add("choices", std::vector<JsonObject>());
  return {std::move(line), {}, state, first};
}

void SearchTrace::ended(const SearchResult& result) {
  spent_ = earlier_ + result.evaluations;
  places_ = inserted(result);
  if (frontier_) {
    show(frontier_->grown(), result);
    frontier_->set_observer(nullptr);
  } else {
    const Tree tree = space_tree();
    name_leaves();
    show(tree, result);
  }
}

/// Every state hangs under the one from which it is reached in the end.
Tree SearchTrace::space_tree() {
  Tree tree(kMonteCarlo);
  h_.resize(space_->size(), kUnknown);
  node_of_.assign(h_.size(), kNoNode);
  if (h_.empty() || h_[0] == kUnknown) return tree;
  std::vector<std::size_t> begin(h_.size() + 1, 0);
  std::vector<StateId> children;
  auto for_each_child = [&](auto&& use) {
    for (Id id = 1; index(id) < h_.size(); ++id)
      if (h_[index(id)] != kUnknown) use(StateId{id}, index(space_->origin(StateId{id}).parent));
  };
  for_each_child([&](StateId, std::size_t parent) { ++begin[parent + 1]; });
  for (std::size_t i = 0; i < h_.size(); ++i) begin[i + 1] += begin[i];
  children.resize(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for_each_child([&](StateId child, std::size_t parent) { children[next[parent]++] = child; });
  tree.plant(StateId{0}, h_[0]);
  node_of_[0] = Tree::kRoot;
  for (Id id = 0; index(id) < tree.size(); ++id) {
    const NodeId node{id};
    const StateId state = tree.label(node).state;
    if (begin[index(state)] == begin[index(state) + 1]) {
      if (space_->closed(state)) tree.lock(node);
      continue;
    }
    tree.open(node);
    for (std::size_t i = begin[index(state)]; i < begin[index(state) + 1]; ++i)
      node_of_[index(children[i])] =
          tree.attach(space_->origin(children[i]).action, children[i], h_[index(children[i])], false);
    tree.close();
  }
  tree.backpropagate();
  return tree;
}

/// States are known as nodes now.
void SearchTrace::name_leaves() {
  for (Sample<Line>* lines : {&steps_, &paths_})
    for (Line& line : lines->items()) {
      line.object.add("leaf", node_of_[index(line.leaf)]);
      if (line.first != kNoState) line.object.add("first", node_of_[index(line.first)]);
      line.leaf = kNoState;
    }
}

void SearchTrace::show(const Tree& tree, const SearchResult& result) {
  if (!tree.empty()) find_plan_nodes(result);
  const std::vector<NodeId> all = top(tree, plan_nodes_, kMostNodes);
  find_origins(tree, all);
  for (NodeId id : all) {
    const Node& node = tree.node(id);
    JsonObject line = of_kind("node");
    const Label& label = tree.label(id);
    line.add("node", id).add("parent", node.parent).add("g", node.depth).add("state", label.state);
    nodes_.push_back(
        {add_data(line, node, label, tree.arm(id), tree.statistics(id), followed(tree, id)), {label.action}});
  }
}

/// Whether the state of a node is not reached from that of the node above it, but on the way of a relaxed plan from
/// there. A node that its state has left is none of that.
bool SearchTrace::followed(const Tree& tree, NodeId id) const {
  const StateId state = tree.label(id).state;
  const NodeId parent = tree.node(id).parent;
  return parent != kNoNode && node_of(state) == id && space_->origin(state).parent != tree.label(parent).state;
}

/// The nodes of the states on the plan's way, which need not hang under each other.
void SearchTrace::find_plan_nodes(const SearchResult& result) {
  const auto key = [](StateId state, Id action) {
    return static_cast<std::uint64_t>(index(state)) << 32 | static_cast<std::uint32_t>(action);
  };
  const std::unordered_set<Id> actions(result.plan.begin(), result.plan.end());
  std::unordered_map<std::uint64_t, StateId> reached;
  for (std::size_t i = 1; i < space_->size(); ++i) {
    const StateId state{static_cast<Id>(i)};
    const Origin& origin = space_->origin(state);
    if (actions.contains(static_cast<Id>(origin.action)))
      reached.emplace(key(origin.parent, static_cast<Id>(origin.action)), state);
  }
  StateId state{0};
  for (Id action : result.plan) {
    if (node_of(state) == kNoNode) return;
    plan_nodes_.push_back(node_of(state));
    const auto next = reached.find(key(state, action));
    if (next == reached.end()) return;
    state = next->second;
  }
}

/// The states on the ways to those that are shown, if some of them is not reached from the state of the node above it:
/// number, number of the state before, action; what comes before comes first.
void SearchTrace::find_origins(const Tree& tree, const std::vector<NodeId>& shown) {
  const auto elsewhere = [&](NodeId id) {
    const NodeId parent = tree.node(id).parent;
    return parent != kNoNode && space_->origin(tree.label(id).state).parent != tree.label(parent).state;
  };
  if (std::ranges::none_of(shown, elsewhere)) return;
  std::unordered_set<std::size_t> told{0};
  std::vector<StateId> way;
  for (NodeId id : shown) {
    way.clear();
    for (StateId at = tree.label(id).state; told.insert(index(at)).second; at = space_->origin(at).parent)
      way.push_back(at);
    for (StateId state : way | std::views::reverse) {
      const Origin& origin = space_->origin(state);
      if (origins_.size() < 3 * kMostOrigins)
        origins_.insert(origins_.end(),
                        {static_cast<Id>(state), static_cast<Id>(origin.parent), static_cast<Id>(origin.action)});
    }
  }
}

std::string SearchTrace::text(const Task& task, const SearchResult& result, std::string_view status) const {
  std::string all;
  std::set<ActionId> actions;
  for (Id action : result.plan) actions.insert(ActionId{action});
  for (const std::vector<Line>* lines : {&steps_.items(), &paths_.items(), &nodes_})
    for (const Line& line : *lines) {
      // Memory may have run out before the states had names.
      all += (line.leaf == kNoState ? line.object : JsonObject(line.object).add("leaf", kNoNode)).text() + '\n';
      actions.insert(line.actions.begin(), line.actions.end());
    }
  actions.erase(kNoAction);  // of the root
  JsonObject names;
  for (ActionId action : actions)
    names.add(std::to_string(static_cast<Id>(action)), "(" + task.action_name(static_cast<Id>(action)) + ")");
  all += of_kind("actions").add("names", names).text() + '\n';
  if (!origins_.empty()) all += of_kind("origins").add("origins", origins_).text() + '\n';
  JsonObject end = of_kind("end");
  end.add("status", status)
      .add("plan", result.plan)
      .add("nodes", plan_nodes_)
      .add("cost", plan_cost(task, result.plan))
      .add("evaluations", result.evaluations)
      .add("expansions", result.expansions)
      .add("generated", result.generated)
      .add("inserted", is_lazy_ ? places_ : result.inserted)
      .add("dead_ends", result.dead_ends)
      .add("best_h", result.best_h)
      .add("search", number_)
      .add("earlier", earlier_);
  return all + end.text() + '\n';
}

}  // namespace banditplan
