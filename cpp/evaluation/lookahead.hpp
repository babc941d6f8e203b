#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "lists.hpp"
#include "states/found_states.hpp"

namespace banditplan {

/// Values of states that were computed before the search came to them, to fill vector lanes that would have been idle:
/// successors of states that will probably be expanded soon. A value depends on its state alone, so a search that uses
/// them takes the same course as one without.
class Lookahead {
 public:
  /// Where states come from. Those that come next, by their place in this order: their successors or, where evaluation
  /// is deferred, they themselves. Of those that are just being evaluated, the successors by actions that were
  /// recommended for their parents, or all. Where evaluation is deferred, of those that wait the successors that will
  /// be preferred: if they are known to be better than their parents, or come next. Last, what is farther away.
  enum class Source : std::uint8_t { next, soon, later, far, recommended, children, better, likely, beyond };
  static constexpr std::size_t kSources = 9;

  /// How fast experience with a source loses its weight.
  struct Memory {
    double states;  // that are remembered, roughly
    double fading;  // what is left of it each time that the source is passed over
  };

  /// Task and states must live as long as the look-ahead.
  Lookahead(const Task& task, FoundStates& found, std::size_t columns, const Memory& memory)
      : task_(task), found_(found), columns_(columns), memory_(memory), ahead_(found.packer) {}

  /// The heuristics do not read derived variables: they need not be known. A value above 0 in the column means: no
  /// goal.
  void leave_out_derived(std::size_t column) {
    derives_ = false;
    goal_column_ = column;
  }

  /// A name for what was computed of the state, or kNotStored.
  StoredId find(const PackedState& state) const { return values_.empty() ? kNotStored : ahead_.find(state); }
  /// The row of values; none as long as the state waits for them.
  const Value* row(StoredId ahead) const {
    const std::size_t begin = index(ahead) * columns_;
    return begin < values_.size() ? values_.data() + begin : nullptr;
  }
  /// The search has come to the state, whose values will be used: what was gathered below it is below the place now.
  void use(StoredId ahead, StateId place) {
    ++of(source_of_[index(ahead)]).used;
    used_[index(ahead)] = true;
    if (looked_at(ahead) && looks_first(place)) below_place_[slot(place)] = {place, below_ahead_[index(ahead)]};
  }
  std::span<const Id> preferred(StoredId ahead) const { return preferred_[index(ahead)]; }
  bool may_be_goal(StoredId ahead) const {
    if (derives_) return is_goal_[index(ahead)];
    const Value* values = row(ahead);
    return !values || values[goal_column_] == 0;
  }

  /// A source, and the share of its values that come to be used, by experience. As long as there is little of that, it
  /// promises what all sources do.
  struct Promise {
    Source source;
    double useful;
  };
  /// The most useful one first.
  template <std::size_t kCount>
  std::array<Promise, kCount> promises(const std::array<Source, kCount>& sources) const {
    const double expected = expectation();
    std::array<Promise, kCount> result;
    for (std::size_t i = 0; i < kCount; ++i) result[i] = {sources[i], of(sources[i]).share(expected)};
    std::ranges::sort(result, [](const Promise& a, const Promise& b) {
      return a.useful > b.useful || (a.useful == b.useful && a.source < b.source);
    });
    return result;
  }
  double promise(Source source) const { return of(source).share(expectation()); }
  /// Nothing is gathered from there, since too little of it comes to be used: but that was some time ago.
  void fade(Source source) { of(source).scale(memory_.fading); }

  /// What is gathered from now on comes from there.
  void turn_to(Source source) { source_ = source; }

  /// Appends successors of the state at the place to `batch`, those that neither the search nor the look-ahead knows,
  /// until the batch has `most` values of variables. A place is looked at once.
  void gather(StateId place, const std::uint32_t* state, std::size_t most, std::vector<Id>& batch) {
    if (batch.size() >= most || !looks_first(place)) return;
    const std::size_t first = ahead_.size();
    gather_successors(state, most, batch);
    below_place_[slot(place)] = {place, range_from(first)};
  }
  /// The same for a state that the look-ahead knows.
  void gather(StoredId ahead, std::size_t most, std::vector<Id>& batch) {
    if (batch.size() >= most || looked_at(ahead)) return;
    const std::size_t first = ahead_.size();
    gather_successors(ahead_.words(ahead), most, batch);
    if (below_ahead_.size() <= index(ahead)) below_ahead_.resize(index(ahead) + 1);
    below_ahead_[index(ahead)] = range_from(first);
  }
  /// The same for the states that wait for their values since they were gathered, one after the other.
  void gather_on(std::size_t most, std::vector<Id>& batch) {
    for (std::size_t id = values_.size() / columns_; id < ahead_.size() && batch.size() < most; ++id)
      gather(StoredId{static_cast<Id>(id)}, most, batch);
  }

  /// The same for those of the successors to which the actions lead, which must be applicable.
  void gather_by(std::span<const Id> actions, const std::uint32_t* state, std::size_t most, std::vector<Id>& batch) {
    for (Id action : actions) {
      if (batch.size() >= most) return;
      found_.expander.step(state, ActionId{action},
                           [&](const Expander::Successor& successor) { take(successor, batch); });
    }
  }
  bool looked_at(StateId place) const { return index(place) < looked_.size() && looked_[index(place)]; }
  bool looked_at(StoredId ahead) const {
    return index(ahead) < below_ahead_.size() && below_ahead_[index(ahead)].begin != kNotLookedAt;
  }
  /// Calls `visit(ahead, row)` for the states gathered there to which the search has not come, and which are no dead
  /// ends, as far as their values are known.
  template <class Visit>
  void visit_below(StateId place, Visit&& visit) const {
    const BelowPlace& below = below_place_[slot(place)];
    if (below.place == place) visit_unused(below.states, visit);
  }
  template <class Visit>
  void visit_below(StoredId ahead, Visit&& visit) const {
    if (looked_at(ahead)) visit_unused(below_ahead_[index(ahead)], visit);
  }
  /// Whether nobody has asked this before for the place.
  bool looks_first(StateId place) {
    if (looked_.size() <= index(place)) looked_.resize(std::max(2 * looked_.size(), index(place) + 1));
    const bool is_first = !looked_[index(place)];
    looked_[index(place)] = true;
    return is_first;
  }

  /// A number by which the state can be found again, as long as it is kept; the state may wait for its values. After
  /// a very long search there are no numbers left.
  std::optional<Id> number(const PackedState& state) const {
    const std::size_t number = forgotten_ + index(ahead_.find(state));
    return number < kMostIds ? std::optional(static_cast<Id>(number)) : std::nullopt;
  }
  std::optional<StoredId> numbered(Id number) const {
    return number < 0 || index(number) < forgotten_
               ? std::nullopt
               : std::optional(StoredId{static_cast<Id>(index(number) - forgotten_)});
  }
  const std::uint32_t* words(StoredId ahead) const { return ahead_.words(ahead); }

  /// Takes note of a state of the search that is about to be evaluated ahead; false if the look-ahead knows it.
  bool announce(const PackedState& state) {
    const bool is_new = ahead_.insert(state).is_new;
    if (!is_new) return false;
    add();
    if (derives_) is_goal_.push_back(false);
    return true;
  }

  /// Takes the rows of the gathered states, in their order, and, if the search wants them, preferred actions: those
  /// of the gathered states begin at `first` in `preferred`.
  void enter(std::span<const Value> rows, const Lists<Id>* preferred, std::size_t first) {
    const std::size_t states = rows.size() / columns_, before = values_.size() / columns_;
    values_.insert(values_.end(), rows.begin(), rows.end());
    for (std::size_t i = 0; preferred && i < states; ++i) preferred_.append((*preferred)[first + i]);
    for (std::size_t id = before; id < before + states; ++id) make(source_of_[id]);
    if (values_.size() / columns_ > kMostKept) forget();
  }

 private:
  struct Experience {
    double made = 0, used = 0;
    /// What is used of what is made.
    double share(double expected) const { return (used + kPatience * expected) / (made + kPatience); }
    void scale(double factor) {
      made *= factor;
      used *= factor;
    }
  };
  Experience& of(Source source) { return experience_[static_cast<std::size_t>(source)]; }
  const Experience& of(Source source) const { return experience_[static_cast<std::size_t>(source)]; }
  /// Of a source of which nothing is known.
  double expectation() const {
    Experience all;
    for (const Experience& each : experience_) {
      all.made += each.made;
      all.used += each.used;
    }
    return all.share(kOptimism);
  }
  void make(Source source) {
    if (++of(source).made > memory_.states) of(source).scale(0.5);
  }

  void gather_successors(const std::uint32_t* state, std::size_t most, std::vector<Id>& batch) {
    found_.expander.expand(state, found_.store, [&](const Expander::Successor& successor) {
      take(successor, batch);
      return batch.size() < most;
    });
  }

  void take(const Expander::Successor& successor, std::vector<Id>& batch) {
    if (found_.store.find(successor.packed) != kNotStored || !ahead_.insert(successor.packed).is_new) return;
    const std::vector<Id>& values = derives_ ? successor.values() : successor.basic_values();
    batch.insert(batch.end(), values.begin(), values.end());
    add();
    if (derives_) is_goal_.push_back(holds(task_, task_.goal, values.data()));
  }
  /// A state was inserted.
  void add() {
    source_of_.push_back(source_);
    used_.push_back(false);
  }

  static constexpr Id kNotLookedAt = -1;
  /// States that were gathered one after the other.
  struct Range {
    Id begin = kNotLookedAt, end = kNotLookedAt;
  };
  struct BelowPlace {
    StateId place = kNoState;
    Range states;
  };
  Range range_from(std::size_t first) const { return {static_cast<Id>(first), static_cast<Id>(ahead_.size())}; }
  static std::size_t slot(StateId place) { return index(place) % kSlots; }

  bool is_dead_end(StoredId ahead) const {
    return std::find(row(ahead), row(ahead) + columns_, kDeadEnd) != row(ahead) + columns_;
  }
  template <class Visit>
  void visit_unused(const Range& range, Visit& visit) const {
    const Id end = std::min(range.end, static_cast<Id>(values_.size() / columns_));
    for (Id id = range.begin; id < end; ++id)
      if (!used_[static_cast<std::size_t>(id)] && !is_dead_end(StoredId{id})) visit(StoredId{id}, row(StoredId{id}));
  }

  static constexpr double kPatience = 16, kOptimism = 0.5;
  static constexpr std::size_t kMostKept = 1 << 14;
  static constexpr std::size_t kSlots = 1 << 12;  // a place may be forgotten for another one

  void forget() {
    forgotten_ += ahead_.size();
    ahead_ = StateStore(found_.packer);
    values_.clear();
    preferred_ = {};
    is_goal_.clear();
    source_of_.clear();
    used_.clear();
    looked_.clear();
    std::ranges::fill(below_place_, BelowPlace{});
    below_ahead_.clear();
  }

  const Task& task_;
  FoundStates& found_;
  std::size_t columns_;
  Memory memory_;
  bool derives_ = true;            // whether states are gathered with their derived variables
  std::size_t goal_column_ = 0;    // if not
  StateStore ahead_;               // the states whose values are known
  std::vector<Value> values_;      // theirs, row by row
  Lists<Id> preferred_;            // theirs
  std::vector<char> is_goal_;      // per state, if derived variables are known; none of the search's
  std::size_t forgotten_ = 0;      // states
  std::vector<bool> looked_;       // per place
  std::vector<Source> source_of_;  // per state
  std::vector<bool> used_;         // per state
  std::vector<BelowPlace> below_place_ = std::vector<BelowPlace>(kSlots);
  std::vector<Range> below_ahead_;  // per state
  Source source_ = Source::next;
  std::array<Experience, kSources> experience_;
};

}  // namespace banditplan
