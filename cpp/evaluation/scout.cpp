#include "evaluation/scout.hpp"

#include <algorithm>

namespace banditplan {

/// Successors of the states that come next, those of the children that are about to be evaluated, of preferred ones
/// first, and so on from there.
void Scout::gather(const Expansion& expansion, Source source, std::size_t most, std::vector<Id>& batch) {
  if (source == Source::beyond) return lookahead_.gather_on(most, batch);
  if (source != Source::children) return gather_foreseen(source, most, batch);
  for (const bool preferred : {true, false})
    for (const Child& child : expansion.children)
      if (child.is_new && child.preferred == preferred)
        lookahead_.gather(child.state, found_.words(child.state), most, batch);
}

/// The places that come next, as far as the source reaches, each for the source that it belongs to.
void Scout::gather_foreseen(Source source, std::size_t most, std::vector<Id>& batch) {
  if (!waiting_known_) foresee();
  for (const std::size_t end = range(kEagerReaches, source).second; foreseen_ < end && batch.size() < most;) {
    const std::optional<Foresight::Place> place = foresight_.next();
    if (!place) return;
    lookahead_.turn_to(std::ranges::upper_bound(kEagerReaches, foreseen_++, {}, &Reach::end)->source);
    if (const StateId* const state = std::get_if<StateId>(&*place))
      lookahead_.gather(*state, found_.words(*state), most, batch);
    else
      lookahead_.gather(std::get<StoredId>(*place), most, batch);
  }
}

/// The states that wait, and those children whose values are known.
void Scout::foresee() {
  waiting_known_ = true;
  foreseen_ = 0;
  foresight_.begin(find_waiting(kEagerReaches.back().end));
  for (const auto& [state, row] : arrived_) foresight_.add(state, row);
}

/// From which place on a source reaches, and before which.
std::pair<std::size_t, std::size_t> Scout::range(std::span<const Reach> reaches, Source source) {
  const auto reach = std::ranges::find(reaches, source, &Reach::source);
  return {reach == reaches.begin() ? 0 : std::prev(reach)->end, reach->end};
}

/// The children of the state come next if it turns out to be good, preferred ones first. Else it is the states that
/// wait, and the same goes for their children.
void Scout::gather(StateId state, Source source, std::size_t most, std::vector<Id>& batch) {
  if (source == Source::children) return lookahead_.gather(state, found_.words(state), most, batch);
  if (source == Source::beyond) return lookahead_.gather_on(most, batch);
  if (source == Source::recommended) return gather_recommended(state, found_.words(state), batch.data(), most, batch);
  if (!waiting_known_) {
    waiting_known_ = true;
    find_waiting(reach_);
    std::erase_if(waiting_, [&](const Awaited& each) { return evaluated_.has(each.state); });
  }
  if (source == Source::better) {
    for (const Awaited& each : waiting_)
      if (batch.size() < most && is_better(each.state)) gather_likely(each.state, most, batch);
    return;
  }
  const auto [begin, end] = range(kDeferredReaches, source == Source::likely ? Source::next : source);
  const std::size_t before = batch.size();
  for (std::size_t i = begin; i < std::min(end, waiting_.size()) && batch.size() < most; ++i)
    source == Source::likely ? gather_likely(waiting_[i].state, most, batch) : gather_waiting(waiting_[i].state, batch);
  if (source == Source::later) adapt_reach((batch.size() - before) / task_.variables.size());
}

/// The states that wait, most probably in this order.
Coming Scout::find_waiting(std::size_t most) {
  Coming coming(found_.space, most, watched_.front(), waiting_);
  tell_(coming);
  return coming;
}

/// Where states wait that are not known yet, it pays to look farther; where most of them are, it does not.
void Scout::adapt_reach(std::size_t gathered) {
  far_ += (static_cast<double>(gathered) - far_) / 8;
  const double used = far_ * lookahead_.promise(Source::later);
  const auto [begin, end] = range(kDeferredReaches, Source::later);
  reach_ = used * static_cast<double>(end - begin) > kWorthALook * static_cast<double>(reach_ - begin) ? end : kNear;
}

/// What the look-ahead knows of a state that waits: nothing yet, its name, or that nobody will ask for its value.
std::optional<StoredId> Scout::ahead_of(StateId state) const {
  if (found_.places.lazy())
    return found_.places.stored(state) != kNotStored ? kNotStored
                                                     : lookahead_.numbered(found_.places.remembered(state));
  const StoredId ahead = lookahead_.find(found_.packer.hashed(found_.words(state)));
  return ahead == kNotStored ? std::nullopt : std::optional(ahead);
}

/// The state itself, unless it is known.
void Scout::gather_waiting(StateId state, std::vector<Id>& batch) {
  if (ahead_of(state)) return;
  if (!found_.places.lazy()) {
    if (lookahead_.announce(found_.packer.hashed(found_.words(state))))
      found_.expander.append(found_.words(state), batch);
    return;
  }
  const auto& [parent, action] = found_.space.origin(state);
  found_.expander.step(found_.words(parent), action, [&](const Expander::Successor& made) {
    if (const StoredId known = found_.store.find(made.packed); known != kNotStored)
      return found_.places.make(state, known);
    if (lookahead_.announce(made.packed)) {
      const std::vector<Id>& values = made.values();
      batch.insert(batch.end(), values.begin(), values.end());
    }
    if (const std::optional<Id> number = lookahead_.number(made.packed)) found_.places.remember(state, *number);
  });
}

/// The successors of a state that waits that will be preferred, as far as one knows.
void Scout::gather_likely(StateId state, std::size_t most, std::vector<Id>& batch) {
  const std::optional<StoredId> ahead = ahead_of(state);
  if (ahead == kNotStored) return;
  if (!ahead || !lookahead_.row(*ahead)) {
    look_at(state);
    gather_recommended(state, words_.data(), values_.data(), most, batch);
  } else if (!evaluated_.keeps_preferred()) {
    lookahead_.gather(state, lookahead_.words(*ahead), most, batch);
  } else if (lookahead_.looks_first(state)) {
    lookahead_.gather_by(lookahead_.preferred(*ahead), lookahead_.words(*ahead), most, batch);
  }
}

/// Whether a heuristic is known to say so, compared with the parent: then its children come sooner than its siblings.
bool Scout::is_better(StateId state) const {
  const StoredId ahead = ahead_of(state).value_or(kNotStored);
  const Value* const row = ahead == kNotStored ? nullptr : lookahead_.row(ahead);
  const StateId parent = found_.space.origin(state).parent;
  return row && std::ranges::any_of(watched_, [&](std::size_t c) { return row[c] < evaluated_.value(c, parent); });
}

/// Successors of a state by actions that were recommended for its parent, too.
void Scout::gather_recommended(StateId state, const std::uint32_t* words, const Id* values, std::size_t most,
                               std::vector<Id>& batch) {
  const StateId parent = found_.space.origin(state).parent;
  if (parent == kNoState) return;
  applicable_.clear();
  for (Id action : evaluated_.preferred(parent))
    if (holds(task_, task_.preconditions[action], values)) applicable_.push_back(action);
  lookahead_.gather_by(applicable_, words, std::min(most, batch.size() + kMostRecommended * task_.variables.size()),
                       batch);
}

/// Makes a state that waits, if it is not made yet.
void Scout::look_at(StateId state) {
  const auto keep = [&](const std::uint32_t* packed) { words_.assign(packed, packed + found_.packer.words()); };
  if (!found_.places.lazy()) {
    keep(found_.words(state));
    values_.resize(task_.variables.size());
    found_.expander.load(found_.words(state), values_.data());
    return;
  }
  const auto& [parent, action] = found_.space.origin(state);
  found_.expander.step(found_.words(parent), action, [&](const Expander::Successor& made) {
    keep(made.packed.words);
    values_ = made.values();
  });
}

}  // namespace banditplan
