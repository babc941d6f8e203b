#include "task/successors.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>

namespace banditplan {

/// Facts are numbered by ranks: first those of the variables that rule out the most actions. The actions below a node
/// are a range that has its first `depth` ranks in common.
class SuccessorGenerator::Builder {
 public:
  Builder(const Task& task, Monitor& monitor, std::vector<std::uint32_t>& nodes)
      : task_(task), monitor_(monitor), nodes_(nodes) {}

  /// Returns the root.
  std::uint32_t build() {
    std::uint32_t root = kNone;
    rank_facts();
    rank_preconditions();
    keys_.reserve(task_.actions());
    for (std::size_t a = 0; a < task_.actions(); ++a) keys_.push_back(a);
    if (!keys_.empty()) todo_.push_back({0, keys_.size(), 0, kNone});
    while (!todo_.empty()) {
      monitor_.check_short();
      const Range range = todo_.back();
      todo_.pop_back();
      const std::uint32_t node = add_nodes(range);
      (range.link == kNone ? root : nodes_[range.link]) = node;
    }
    nodes_.shrink_to_fit();
    return root;
  }

 private:
  struct Range {
    std::size_t begin, end, depth;
    std::uint32_t link;  // where in `nodes_` the range's first node is named; none: it is the root
  };

  static constexpr std::size_t kFew = 2;
  static constexpr std::size_t kSparse = 4;  // so many numbers per action may be counted

  void rank_facts() {
    std::vector<double> ruled_out(task_.variables.size(), 0);  // if the values of a variable are equally frequent
    for (Id fact : task_.preconditions.items())
      if (fact < task_.negated_facts_begin) ++ruled_out[task_.facts[fact].variable];
    for (std::size_t v = 0; v < ruled_out.size(); ++v) ruled_out[v] *= 1 - 1.0 / task_.variables[v].values;
    std::vector<Id> variables(task_.variables.size());
    std::iota(variables.begin(), variables.end(), 0);
    std::ranges::stable_sort(variables, std::greater(), [&](Id variable) { return ruled_out[variable]; });
    fact_of_.reserve(task_.facts.size());
    for (Id v : variables)
      for (Id value = 0; value < task_.variables[v].values; ++value)
        fact_of_.push_back(task_.variables[v].first_fact + value);
    for (std::size_t f = fact_of_.size(); f < task_.facts.size(); ++f) fact_of_.push_back(static_cast<Id>(f));
  }

  void rank_preconditions() {
    std::vector<Id> rank_of(task_.facts.size());
    for (std::size_t rank = 0; rank < fact_of_.size(); ++rank) rank_of[fact_of_[rank]] = static_cast<Id>(rank);
    ranks_.reserve(task_.actions(), task_.preconditions.total());
    for (std::size_t a = 0; a < task_.actions(); ++a) {
      monitor_.check_short();
      for (Id fact : task_.preconditions[a]) ranks_.add(rank_of[fact]);
      ranks_.close();
      std::ranges::sort(ranks_[a]);
    }
  }

  static Id action_of(std::uint64_t key) { return static_cast<Id>(key & 0xffffffff); }
  /// The rank and 1; 0: the action has no further fact that a switch can test.
  static std::uint32_t next_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }

  /// The chain of nodes for a range; returns its first one.
  std::uint32_t add_nodes(const Range& range) {
    const std::uint32_t first = offset();
    if (range.end - range.begin <= kFew) {
      add_leaf(range.begin, range.end, range.depth);
      return first;
    }
    sort_by_next(range);
    std::uint32_t last = kNone;
    std::size_t begin = range.begin, end = begin;
    while (end < range.end && next_of(keys_[end]) == 0) ++end;
    if (end > begin) last = add_leaves(begin, end, range.depth);
    for (begin = end; begin < range.end; begin = end) {
      const Id variable = variable_at(begin);
      while (end < range.end && variable_at(end) == variable) ++end;
      if (last != kNone) nodes_[last + 1] = offset();
      last = end - begin <= kFew ? add_leaf(begin, end, range.depth) : add_switch(begin, end, range.depth);
    }
    return first;
  }

  const Fact& fact_at(std::size_t i) const { return task_.facts[fact_of_[next_of(keys_[i]) - 1]]; }
  Id variable_at(std::size_t i) const { return fact_at(i).variable; }

  void sort_by_next(const Range& range) {
    std::uint64_t before = 0;
    std::uint32_t least = kNone, most = 0;
    bool is_sorted = true;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      monitor_.check_short();
      const auto action = static_cast<std::uint64_t>(action_of(keys_[i]));
      const auto ranks = ranks_[action];
      const bool ends = ranks.size() == range.depth || ranks[range.depth] >= task_.negated_facts_begin;
      const std::uint32_t next = ends ? 0 : static_cast<std::uint32_t>(ranks[range.depth]) + 1;
      keys_[i] = static_cast<std::uint64_t>(next) << 32 | action;
      is_sorted = is_sorted && before <= keys_[i];
      before = keys_[i];
      least = std::min(least, next);
      most = std::max(most, next);
    }
    if (is_sorted) return;
    if (const std::size_t span = most - least + std::size_t{1}; span <= kSparse * (range.end - range.begin))
      sort_by_counting(range, least, span);
    else
      std::sort(keys_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                keys_.begin() + static_cast<std::ptrdiff_t>(range.end));
  }

  /// Actions are ascending, and stay so.
  void sort_by_counting(const Range& range, std::uint32_t least, std::size_t span) {
    starts_.assign(span + 1, 0);
    for (std::size_t i = range.begin; i < range.end; ++i) ++starts_[next_of(keys_[i]) - least + 1];
    for (std::size_t i = 0; i < span; ++i) starts_[i + 1] += starts_[i];
    sorted_.resize(range.end - range.begin);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      monitor_.check_short();
      sorted_[starts_[next_of(keys_[i]) - least]++] = keys_[i];
    }
    std::ranges::copy(sorted_, keys_.begin() + static_cast<std::ptrdiff_t>(range.begin));
  }

  /// For actions without further facts that a switch can test: those with negated ones come behind the others. Returns
  /// the last node.
  std::uint32_t add_leaves(std::size_t begin, std::size_t end, std::size_t depth) {
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto rest = std::stable_partition(first, keys_.begin() + static_cast<std::ptrdiff_t>(end),
                                            [&](auto key) { return ranks_[action_of(key)].size() == depth; });
    const std::size_t middle = begin + static_cast<std::size_t>(rest - first);
    std::uint32_t last = kNone;
    if (middle > begin) {
      last = offset();
      add_header(Kind::all, middle - begin);
      for (std::size_t i = begin; i < middle; ++i) add(action_of(keys_[i]));
    }
    if (end > middle) {
      if (last != kNone) nodes_[last + 1] = offset();
      last = add_leaf(middle, end, depth);
    }
    return last;
  }

  std::uint32_t add_leaf(std::size_t begin, std::size_t end, std::size_t depth) {
    const std::uint32_t node = offset();
    add_header(Kind::tested, end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      const auto ranks = ranks_[action_of(keys_[i])].subspan(depth);
      add(action_of(keys_[i]));
      add(ranks.size());
      for (Id rank : ranks) {
        const Fact& fact = task_.facts[fact_of_[rank]];
        add(static_cast<std::uint32_t>(fact.variable) << 1 | (fact.negated ? 1u : 0u));
        add(fact.value);
      }
    }
    return node;
  }

  std::uint32_t add_switch(std::size_t begin, std::size_t end, std::size_t depth) {
    const std::uint32_t node = offset();
    groups_.clear();
    for (std::size_t i = begin; i < end; ++i)
      if (i == begin || next_of(keys_[i]) != next_of(keys_[i - 1])) groups_.push_back(i);
    auto value = [&](std::size_t i) { return fact_at(i).value; };
    const Id first = value(begin);
    const auto span = static_cast<std::size_t>(value(end - 1) - first) + 1;
    const bool dense = span <= 2 * groups_.size() + 2;
    add_header(dense ? Kind::dense : Kind::sparse, static_cast<std::size_t>(variable_at(begin)));
    if (dense) {
      add(first);
      add(span);
      nodes_.resize(nodes_.size() + span, kNone);
    } else {
      add(groups_.size());
      for (std::size_t i : groups_) add(value(i));
      nodes_.resize(nodes_.size() + groups_.size(), kNone);
    }
    const std::size_t children = nodes_.size() - (dense ? span : groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::size_t child = children + (dense ? static_cast<std::size_t>(value(groups_[g]) - first) : g);
      todo_.push_back(
          {groups_[g], g + 1 < groups_.size() ? groups_[g + 1] : end, depth + 1, static_cast<std::uint32_t>(child)});
    }
    return node;
  }

  /// Of the node that is added next. Offsets beyond 2³² are more than there is memory for.
  std::uint32_t offset() const {
    if (nodes_.size() >= kNone) throw std::bad_alloc();
    return static_cast<std::uint32_t>(nodes_.size());
  }
  void add_header(Kind kind, std::size_t number) {
    add(number << kKindBits | static_cast<std::size_t>(kind));
    nodes_.push_back(kNone);
  }
  template <class Number>
  void add(Number number) {
    nodes_.push_back(static_cast<std::uint32_t>(number));
  }

  const Task& task_;
  Monitor& monitor_;
  std::vector<std::uint32_t>& nodes_;
  std::vector<Id> fact_of_;          // per rank; negated facts, which no switch tests, are last
  Lists<Id> ranks_;                  // per action: of what it needs, ascending
  std::vector<std::uint64_t> keys_;  // actions in the order of their ranks: the next rank and 1, or 0, and the action
  std::vector<std::uint64_t> sorted_;
  std::vector<std::size_t> starts_;
  std::vector<Range> todo_;
  std::vector<std::size_t> groups_;  // of a switch: where each value begins
};

SuccessorGenerator::SuccessorGenerator(const Task& task, Monitor& monitor) {
  root_ = Builder(task, monitor, nodes_).build();
}

std::shared_ptr<const SuccessorGenerator> SuccessorGenerator::of(const Task& task, Monitor& monitor) {
  return task.shared.get<SuccessorGenerator>(0, monitor, [&] { return SuccessorGenerator(task, monitor); });
}

std::span<const Id> SuccessorGenerator::applicable(const Id* state, Scratch& scratch) const {
  std::vector<std::uint32_t>& stack = scratch.stack;
  std::vector<Id>& actions = scratch.actions;
  actions.clear();
  stack.clear();
  if (root_ != kNone) stack.push_back(root_);
  while (!stack.empty()) {
    std::uint32_t next = stack.back();
    stack.pop_back();
    while (next != kNone) {
      const std::uint32_t* node = nodes_.data() + next;
      const std::uint32_t number = node[0] >> kKindBits;
      next = node[1];
      node += 2;
      switch (static_cast<Kind>(node[-2] & ((1u << kKindBits) - 1))) {
        case Kind::all:
          for (std::uint32_t i = 0; i < number; ++i) actions.push_back(static_cast<Id>(node[i]));
          break;
        case Kind::tested:
          for (std::uint32_t i = 0; i < number; ++i) {
            const std::uint32_t *fact = node + 2, *const end = fact + 2 * std::size_t{node[1]};
            while (fact < end && (state[fact[0] >> 1] == static_cast<Id>(fact[1])) != ((fact[0] & 1) != 0)) fact += 2;
            if (fact == end) actions.push_back(static_cast<Id>(node[0]));
            node = end;
          }
          break;
        case Kind::dense: {
          const std::uint32_t at = static_cast<std::uint32_t>(state[number]) - node[0];
          if (at < node[1] && node[2 + at] != kNone) stack.push_back(node[2 + at]);
          break;
        }
        case Kind::sparse: {
          const std::uint32_t *const values = node + 1, *const end = values + node[0];
          const std::uint32_t* const found = std::lower_bound(values, end, static_cast<std::uint32_t>(state[number]));
          if (found < end && *found == static_cast<std::uint32_t>(state[number])) stack.push_back(found[node[0]]);
          break;
        }
      }
    }
  }
  scratch.sorter.sort(actions);
  return actions;
}

void Applier::apply(Id action, const Id* from, Id* to) {
  std::copy_n(from, task_.variables.size(), to);
  for_each_change(task_, action, from, [&](Id variable, Id value) { to[variable] = value; });
  axioms_.evaluate(to);
}

}  // namespace banditplan
