#include "landmarks/reachability.hpp"

#include <bit>

namespace banditplan {

namespace {

constexpr std::size_t kWordBits = 64;

}  // namespace

Reachability::Reachability(const Task& task, const Ways& ways, Monitor& monitor)
    : task_(task), ways_(ways), monitor_(monitor) {
  const std::size_t facts = task.facts.size();
  is_initial_.assign(facts, false);
  for (std::size_t fact = 0; fact < facts; ++fact)
    if (is_granted(task, static_cast<Id>(fact)) || holds(task, static_cast<Id>(fact), task.initial_state.data())) {
      initial_.push_back(static_cast<Id>(fact));
      is_initial_[fact] = true;
    }
  explore();
  needs_.reserve(order_.size(), ways.needs.total());
  adds_.reserve(order_.size(), ways.adds.total());
  for (Id way : order_) {
    needs_.append(ways.needs[way]);
    adds_.append(ways.adds[way]);
  }
  readers_ = Lists<Id>::inverse(needs_, facts, [](Id fact) { return fact; });
  barred_facts_.assign(facts, 0);
  barred_ways_.assign(order_.size(), 0);
  dirty_.assign((order_.size() + kWordBits - 1) / kWordBits, 0);
}

void Reachability::explore() {
  const std::size_t facts = task_.facts.size();
  const Lists<Id> readers = Lists<Id>::inverse(ways_.needs, facts, [](Id fact) { return fact; });
  reachable_.assign(facts, false);
  supporters_.assign(facts, -1);
  positions_.assign(ways_.size(), -1);
  std::vector<std::size_t> missing(ways_.size());
  std::vector<Id> queue = initial_;
  for (Id fact : initial_) reachable_[fact] = true;
  auto fires = [&](Id way) {
    positions_[way] = static_cast<Id>(order_.size());
    order_.push_back(way);
    for (Id fact : ways_.adds[way])
      if (!reachable_[fact]) {
        reachable_[fact] = true;
        supporters_[fact] = way;
        queue.push_back(fact);
      }
  };
  for (std::size_t way = 0; way < ways_.size(); ++way) {
    missing[way] = ways_.needs[way].size();
    if (missing[way] == 0) fires(static_cast<Id>(way));
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    monitor_.check();
    for (Id way : readers[queue[next]])
      if (--missing[way] == 0) fires(way);
  }
}

void Reachability::exclude(Id fact, Lanes lane) {
  barred_facts_[fact] |= lane;
  touched_facts_.push_back(fact);
  if (is_initial_[fact]) return;
  for (Id way : ways_.achievers[fact]) {
    if (!surely_adds(task_, ways_, way, fact)) continue;
    const auto owner = static_cast<std::size_t>(ways_.owners[way]);
    for (std::size_t each = ways_.starts[owner]; each < ways_.starts[owner + 1]; ++each) {
      const Id position = positions_[each];
      if (position < 0) continue;
      barred_ways_[position] |= lane;
      touched_ways_.push_back(position);
    }
  }
}

/// The lanes in which the way can be applied.
Reachability::Lanes Reachability::fire(std::size_t position, std::vector<Lanes>& reached) const {
  Lanes lanes = ~barred_ways_[position];
  for (Id fact : needs_[position]) {
    lanes &= reached[fact];
    if (lanes == 0) break;
  }
  return lanes;
}

/// The readers before `below` have to be looked at again.
void Reachability::mark_readers(Id fact, std::size_t below) {
  for (Id reader : readers_[fact]) {
    const auto position = static_cast<std::size_t>(reader);
    if (position >= below) break;
    dirty_[position / kWordBits] |= std::uint64_t{1} << (position % kWordBits);
  }
}

std::vector<Reachability::Lanes> Reachability::run(std::span<const std::span<const Id>> excluded) {
  for (std::size_t lane = 0; lane < excluded.size(); ++lane)
    for (Id fact : excluded[lane]) exclude(fact, Lanes{1} << lane);

  std::vector<Lanes> reached(task_.facts.size(), 0);
  for (Id fact : initial_) reached[fact] = ~barred_facts_[fact];
  /// Whether the way adds something new; then the readers before `below` are marked.
  auto apply = [&](std::size_t position, std::size_t below) {
    const Lanes lanes = fire(position, reached);
    bool news = false;
    if (lanes == 0) return news;
    for (Id fact : adds_[position]) {
      const Lanes more = lanes & ~barred_facts_[fact] & ~reached[fact];
      if (more == 0) continue;
      reached[fact] |= more;
      mark_readers(fact, below);
      news = true;
    }
    return news;
  };
  // In the order of the exploration without exclusions most facts are final when they are first needed.
  bool again = false;
  for (std::size_t position = 0; position < order_.size(); ++position) {
    monitor_.check();
    if (apply(position, position)) again = true;
  }
  while (again) {
    again = false;
    for (std::size_t word = 0; word < dirty_.size(); ++word)
      while (dirty_[word] != 0) {
        monitor_.check();
        const std::size_t position = word * kWordBits + static_cast<std::size_t>(std::countr_zero(dirty_[word]));
        dirty_[word] &= dirty_[word] - 1;
        if (apply(position, order_.size())) again = true;
      }
  }

  for (Id fact : touched_facts_) barred_facts_[fact] = 0;
  for (Id position : touched_ways_) barred_ways_[position] = 0;
  touched_facts_.clear();
  touched_ways_.clear();
  return reached;
}

}  // namespace banditplan
