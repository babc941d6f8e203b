#include "trace/tree_trace.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "json.hpp"
#include "trace/top.hpp"

namespace banditplan {

namespace {

JsonObject& add_data(JsonObject& object, const Node& node, const Arm& arm, const Statistics& data) {
  const auto open = data.locked() ? std::optional<Id>() : data.open_minimum;
  return object.add("action", node.action)
      .add("h", node.h)
      .add("count", data.count)
      .add("mean", data.mean())
      .add("variance", data.variance())
      .add("minimum", data.minimum)
      .add("maximum", data.maximum)
      .add("open_minimum", open)
      .add("locked", data.locked())
      .add("preferred", arm.preferred == 1)
      .add("children", node.children);
}

/// No child is better than the leaf was, and one is as good.
bool plateau(const Tree& tree, Id leaf) {
  Id best = std::numeric_limits<Id>::max();
  for (const Node& child : tree.children(leaf)) best = std::min(best, child.h);
  return best == tree.node(leaf).h;
}

Id child_by(const Tree& tree, Id parent, Id action) {
  const std::span<const Node> children = tree.children(parent);
  return tree.node(parent).first_child +
         static_cast<Id>(std::ranges::find(children, action, &Node::action) - children.begin());
}

JsonObject of_kind(std::string_view kind) { return JsonObject().add("kind", kind); }

}  // namespace

void TreeTrace::chosen(const Tree& tree, Id parent, const Arms& arms, std::size_t index) {
  if (!paths_.wants(rounds_)) return;
  const Node& node = tree.node(parent);
  const Id chosen = node.first_child + static_cast<Id>(index);
  Choice choice{parent,
                chosen,
                node.g,
                arms.all.size(),
                arms.offered(),
                tree.arm(parent).count,
                shown(tree, arms, node.first_child, chosen)};
  if (choices_ < kFirstChoices + kLastChoices)
    path_.push_back(std::move(choice));
  else
    path_[kFirstChoices + (choices_ - kFirstChoices) % kLastChoices] = std::move(choice);
  ++choices_;
}

/// The child that was chosen, then those that were offered, the best first, then others; by their ids.
std::vector<TreeTrace::Child> TreeTrace::shown(const Tree& tree, const Arms& arms, Id first, Id chosen) {
  std::vector<Child> children;
  for (std::size_t i = 0; i < arms.all.size(); ++i) {
    const Id id = first + static_cast<Id>(i);
    children.push_back({id, tree.node(id), arms.all[i], tree.statistics(id), {}, {}});
    if (!arms.offers(arms.all[i])) continue;
    children.back().estimate = arms.all[i].mean;
    children.back().score = arms.scores[i];
  }
  if (children.size() <= kMostArms) return children;
  std::ranges::stable_sort(children, [&](const Child& a, const Child& b) {
    if (a.id == chosen || b.id == chosen) return a.id == chosen && b.id != chosen;
    return a.score && b.score ? *a.score < *b.score : a.score.has_value() && !b.score;
  });
  children.resize(kMostArms);
  std::ranges::sort(children, {}, &Child::id);
  return children;
}

void TreeTrace::visited(const Tree& tree, Id leaf, const SearchResult& result) {
  if (plateau(tree, leaf)) ++plateaus_;
  if (steps_.wants(rounds_)) steps_.add(step(tree, leaf, result));
  if (paths_.wants(rounds_)) paths_.add(path(tree, leaf));
  path_.clear();
  choices_ = 0;
  ++rounds_;
}

TreeTrace::Line TreeTrace::step(const Tree& tree, Id leaf, const SearchResult& result) const {
  JsonObject line = of_kind("step");
  line.add("round", rounds_)
      .add("expansions", result.expansions)
      .add("evaluations", result.evaluations)
      .add("inserted", result.inserted)
      .add("best_h", result.best_h)
      .add("nodes", tree.size())
      .add("leaves", tree.statistics(0).count)
      .add("locked", tree.locked_nodes())
      .add("dead_ends", result.dead_ends)
      .add("duplicates", result.generated + 1 - result.inserted)  // the root was inserted without being generated
      .add("plateaus", plateaus_)
      .add("leaf", leaf)
      .add("depth", tree.node(leaf).g)
      .add("h", tree.node(leaf).h)
      .add("leaf_locked", tree.locked(leaf));
  return {line.text(), {}};
}

TreeTrace::Line TreeTrace::path(const Tree& tree, Id leaf) {
  if (choices_ > path_.size()) {
    const auto last = path_.begin() + kFirstChoices;
    std::rotate(last, last + (choices_ - kFirstChoices) % kLastChoices, path_.end());
  }
  std::vector<Id> actions;
  std::vector<JsonObject> choices;
  for (const Choice& choice : path_) {
    std::vector<JsonObject> arms;
    for (const Child& child : choice.shown) {
      actions.push_back(child.node.action);
      JsonObject arm;
      arm.add("node", child.id);
      add_data(arm, child.node, child.arm, child.data);
      arms.push_back(arm.add("estimate", child.estimate).add("score", child.score));
    }
    choices.push_back(JsonObject()
                          .add("node", choice.parent)
                          .add("g", choice.g)
                          .add("total", choice.total)
                          .add("children", choice.children)
                          .add("offered", choice.offered)
                          .add("chosen", choice.chosen)
                          .add("arms", arms));
  }
  JsonObject line = of_kind("path");
  line.add("round", rounds_)
      .add("leaf", leaf)
      .add("depth", tree.node(leaf).g)
      .add("decisions", choices_)
      .add("choices", choices);
  return {line.text(), std::move(actions)};
}

void TreeTrace::ended(const Tree& tree, const SearchResult& result) {
  for (std::size_t i = 0; i < result.plan.size(); ++i)
    plan_nodes_.push_back(i == 0 ? 0 : child_by(tree, plan_nodes_.back(), result.plan[i - 1]));
  for (Id id : top(tree, plan_nodes_, kMostNodes)) {
    const Node& node = tree.node(id);
    JsonObject line = of_kind("node");
    line.add("node", id).add("parent", node.parent).add("g", node.g);
    nodes_.push_back({add_data(line, node, tree.arm(id), tree.statistics(id)).text(), {node.action}});
  }
}

std::string TreeTrace::text(const Task& task, const SearchResult& result, std::string_view status) const {
  std::string all;
  std::set<Id> actions(result.plan.begin(), result.plan.end());
  for (const std::vector<Line>* lines : {&steps_.items(), &paths_.items(), &nodes_})
    for (const Line& line : *lines) {
      all += line.text + '\n';
      actions.insert(line.actions.begin(), line.actions.end());
    }
  actions.erase(-1);  // of the root
  JsonObject names;
  for (Id action : actions) names.add(std::to_string(action), "(" + task.action_name(action) + ")");
  all += of_kind("actions").add("names", names).text() + '\n';
  JsonObject end = of_kind("end");
  end.add("status", status).add("plan", result.plan).add("nodes", plan_nodes_);
  return all + end.text() + '\n';
}

}  // namespace banditplan
