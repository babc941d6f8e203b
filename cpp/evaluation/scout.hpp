#pragma once

#include <functional>

#include "evaluation/evaluated.hpp"
#include "evaluation/foresight.hpp"
#include "evaluation/lookahead.hpp"
#include "states/coming.hpp"
#include "states/expansion.hpp"

namespace banditplan {

/// Finds states that will probably be asked for next, from one source after the other, for the look-ahead.
class Scout {
 public:
  using Source = Lookahead::Source;
  /// Tells which states wait.
  using Tell = std::function<void(Coming&)>;

  static constexpr std::array kEager{Source::next, Source::soon,     Source::later,
                                     Source::far,  Source::children, Source::beyond};
  static constexpr std::array kDeferred{Source::next,   Source::soon,   Source::later,    Source::recommended,
                                        Source::better, Source::likely, Source::children, Source::beyond};

  /// The references must live as long as this.
  Scout(const Task& task, FoundStates& found, Lookahead& lookahead, const Evaluated& evaluated, Tell tell)
      : task_(task),
        found_(found),
        lookahead_(lookahead),
        evaluated_(evaluated),
        tell_(std::move(tell)),
        foresight_(lookahead) {}

  /// The children of the expansion are in the batch, one after the other: appends what comes next to it, until it has
  /// `most` values of variables.
  void gather(const Expansion& expansion, Source source, std::size_t most, std::vector<Id>& batch);
  /// The same where evaluation is deferred, and the first state of the batch is about to be expanded.
  void gather(StateId state, Source source, std::size_t most, std::vector<Id>& batch);
  /// Values of that column are computed ahead.
  void watch(std::size_t column) { watched_.push_back(column); }
  /// The search goes on: other states wait.
  void go_on() {
    waiting_known_ = false;
    arrived_.clear();
  }
  /// It has come to a state whose row of values was known, and stays where it is until it goes on.
  void come_to(StateId state, const Value* row) { arrived_.push_back({state, row}); }

 private:
  /// How many of the places that come next are looked at for a source and for those before it.
  struct Reach {
    Source source;
    std::size_t end;
  };
  static constexpr std::array<Reach, 4> kEagerReaches{
      {{Source::next, 2}, {Source::soon, 4}, {Source::later, 8}, {Source::far, 32}}};
  static constexpr std::array<Reach, 3> kDeferredReaches{{{Source::next, 8}, {Source::soon, 32}, {Source::later, 128}}};
  static constexpr std::size_t kNear = 64;  // states that wait: so many are found, unless it pays to find all:
  static constexpr double kWorthALook = 3;  // if so many values of what comes later are used per batch
  static constexpr std::size_t kMostRecommended = 8;

  struct Arrival {
    StateId state;
    const Value* row;
  };

  static std::pair<std::size_t, std::size_t> range(std::span<const Reach> reaches, Source source);
  void foresee();
  void gather_foreseen(Source source, std::size_t most, std::vector<Id>& batch);
  Coming find_waiting(std::size_t most);
  void adapt_reach(std::size_t gathered);
  void gather_waiting(StateId state, std::vector<Id>& batch);
  void gather_likely(StateId state, std::size_t most, std::vector<Id>& batch);
  void gather_recommended(StateId state, const std::uint32_t* words, const Id* values, std::size_t most,
                          std::vector<Id>& batch);
  bool is_better(StateId state) const;
  std::optional<StoredId> ahead_of(StateId state) const;
  void look_at(StateId state);

  const Task& task_;
  FoundStates& found_;
  Lookahead& lookahead_;
  const Evaluated& evaluated_;
  Tell tell_;

  std::vector<std::size_t> watched_;                 // columns
  std::vector<Awaited> waiting_;                     // states whose turn comes
  bool waiting_known_ = false;                       // whether these are they
  std::vector<Arrival> arrived_;                     // states that will wait, too
  Foresight foresight_;                              // of the places that come next: eager searches
  std::size_t foreseen_ = 0;                         // so many of them have been looked at
  std::size_t reach_ = kDeferredReaches.back().end;  // so many that wait are found: deferred searches
  double far_ = 0;                                   // how many of those that come later join a batch, on average
  std::vector<Id> values_;                           // of variables, of one of them
  std::vector<std::uint32_t> words_;                 // the same, packed
  std::vector<Id> applicable_;                       // actions
};

}  // namespace banditplan
