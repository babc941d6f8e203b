#include "evaluation/evaluation.hpp"

#include <algorithm>

namespace banditplan {

namespace {

void append(std::vector<Id>& to, const std::vector<Id>& values) { to.insert(to.end(), values.begin(), values.end()); }

Evaluated::Options what_is_kept(const EvaluationOptions& options, const Columns& columns) {
  const bool recommended =
      options.preferred && std::ranges::any_of(columns.heuristics(), &Heuristic::recommends,
                                               [](const auto& each) -> const Heuristic& { return *each; });
  return {.deferred = options.deferred, .values = options.keeps_values, .preferred = recommended};
}

}  // namespace

Evaluation::Evaluation(const Task& task, Monitor& monitor, const Columns& columns, const EvaluationOptions& options,
                       FoundStates& found, Scout::Tell tell)
    : task_(task),
      options_(options),
      found_(found),
      width_(columns.heuristics().size()),
      evaluated_(found.places, what_is_kept(options, columns), width_),
      lookahead_(task, found, width_, options.deferred ? kDeferredMemory : kEagerMemory),
      scout_(task, found, lookahead_, evaluated_, std::move(tell)) {
  for (std::size_t column = 0; column < width_; ++column) {
    const Heuristic& heuristic = *columns.heuristics()[column];
    Heuristic::Bound bound = heuristic.bind(task, monitor);
    if (auto* evaluator = std::get_if<std::unique_ptr<Evaluator>>(&bound)) {
      looks_ahead_ = looks_ahead_ && (*evaluator)->looks_ahead();
      of_states_.push_back({column, std::move(*evaluator), options.preferred && heuristic.recommends()});
      scout_.watch(column);
    } else {
      std::vector<std::size_t> needs;
      for (const HeuristicPointer& need : heuristic.needs()) needs.push_back(columns.of(*need));
      of_paths_.push_back({column, std::get<std::unique_ptr<PathEvaluator>>(std::move(bound)), std::move(needs)});
    }
  }
  if (task.axioms() > 0 && !options.deferred && !evaluated_.keeps_preferred() && !of_states_.empty() &&
      std::ranges::none_of(of_states_, [](const OfStates& each) { return each.evaluator->reads_derived(); }))
    lookahead_.leave_out_derived(of_states_[0].column);
  opinions_.resize(static_cast<std::size_t>(std::ranges::count_if(of_states_, &OfStates::recommends)));
}

void Evaluation::await(StateId parent, const Expander::Successor& successor) {
  if (options_.deferred) {
    evaluated_.defer();
    return;
  }
  ahead_.push_back(lookahead_.find(successor.packed));
  if (ahead_.back() == kNotStored && !of_states_.empty()) append(batch_, successor.values());
  if (batch_.size() >= kMostAtOnce * task_.variables.size()) run_evaluators();
  if (of_paths_.empty()) return;
  if (ahead_.size() == 1) {
    left_ = successor.parent;
    left_of_ = parent;
  }
  const bool keeps = parent == kNoState || task_.axioms() > 0 || task_.conditions.size() > 1;
  if (keeps && ahead_.size() <= kMostAtOnce) append(arriving_, successor.values());
}

void Evaluation::tell_paths(const Origin& origin, StateId state, const Expander::Successor& successor) {
  if (options_.deferred && !evaluated_.has(state))
    return;  // how it was found first is what counts, when its turn comes
  if (index(state) + ahead_.size() >= found_.store.size()) {
    again_.push_back({origin, state});
    return;
  }
  for (OfPaths& each : of_paths_)
    each.evaluator->reached_again(arrival(origin, state, successor.values().data(), successor.parent.data()));
}

std::vector<std::string> Evaluation::remarks() const {
  std::vector<std::string> all;
  for (const OfPaths& each : of_paths_)
    for (const std::string& remark : each.evaluator->remarks()) all.push_back(remark);
  return all;
}

void Evaluation::evaluate(Expansion& expansion) {
  expansion.columns = width_;
  expansion.all_known = options_.keeps_values;
  expansion.alike = found_.places.lazy();
  expansion.values.resize((expansion.alike ? 1 : expansion.children.size()) * width_);
  options_.deferred ? inherit(expansion) : evaluate_children(expansion);
}

void Evaluation::inherit(Expansion& expansion) {
  for (std::size_t i = 0; i < expansion.values.size() / width_; ++i) {
    Value* const row = expansion.values.data() + i * width_;
    if (!expansion.alike && evaluated_.has(expansion.children[i].state))
      evaluated_.copy_row(expansion.children[i].state, row);
    else if (expansion.state != kNoState)
      evaluated_.copy_row(expansion.state, row);
    else
      std::fill_n(row, width_, 0);
  }
}

/// At a limit the expansion may have fewer children than were found.
void Evaluation::cut_batch(const Expansion& expansion) {
  const auto wanted = static_cast<std::size_t>(std::ranges::count_if(expansion.children, &Child::is_new));
  if (wanted == ahead_.size()) return;
  ahead_.resize(wanted);
  if (of_states_.empty()) return;
  const auto unknown = static_cast<std::size_t>(std::ranges::count(ahead_, kNotStored)), done = rows_.size() / width_;
  batch_.resize((unknown - std::min(unknown, done)) * task_.variables.size());
}

void Evaluation::evaluate_children(Expansion& expansion) {
  const std::size_t first = found_.store.size() - ahead_.size();
  cut_batch(expansion);
  use_what_was_ahead(expansion);
  look_ahead(lookahead_.promises(Scout::kEager),
             [&](Source source, std::size_t most) { scout_.gather(expansion, source, most, batch_); });
  run_evaluators();
  std::size_t number = 0, next = 0;
  for (std::size_t i = 0; i < expansion.children.size(); ++i) {
    Value* const row = expansion.values.data() + i * width_;
    const Child& child = expansion.children[i];
    if (!child.is_new) {
      if (options_.keeps_values) evaluated_.copy_row(child.state, row);
      continue;
    }
    const StoredId ahead = ahead_[number];
    const bool known = ahead != kNotStored;
    if (evaluated_.keeps_preferred())
      evaluated_.prefer(child.state, known ? lookahead_.preferred(ahead) : recommended_[next]);
    if (!of_states_.empty()) std::copy_n(known ? lookahead_.row(ahead) : rows_.data() + next++ * width_, width_, row);
    if (!of_paths_.empty()) {
      const Origin& origin = found_.space.origin(child.state);
      const Id* const values = arriving_values(number, origin);
      evaluate_paths(arrival(origin, child.state, values, parent_values(origin.parent)), row);
    }
    evaluated_.append(row);
    ++number;
  }
  for (const Again& again : again_) {
    const Id* const values = arriving_values(index(again.state) - first, again.origin);
    for (OfPaths& each : of_paths_)
      each.evaluator->reached_again(arrival(again.origin, again.state, values, parent_values(again.origin.parent)));
  }
  again_.clear();
  arriving_.clear();
  ahead_.clear();
  keep_what_was_ahead();
}

/// Of the children, those whose values are known.
void Evaluation::use_what_was_ahead(const Expansion& expansion) {
  scout_.go_on();
  auto ahead = ahead_.begin();
  for (const Child& child : expansion.children) {
    if (!child.is_new) continue;
    if (*ahead != kNotStored) {
      lookahead_.use(*ahead, child.state);
      scout_.come_to(child.state, lookahead_.row(*ahead));
    }
    ++ahead;
  }
}

/// The values of the new state with that number in the expansion: kept since it was found, if it has no parent, or
/// axioms or conditions make them dear, unless there were many; else made from those of its parent, in which what the
/// action before has changed is taken back.
const Id* Evaluation::arriving_values(std::size_t number, const Origin& origin) {
  const std::size_t begin = number * task_.variables.size();
  if (begin < arriving_.size()) return arriving_.data() + begin;
  const Id* const left = parent_values(origin.parent);
  if (origin.parent != arrived_from_)
    arrived_.assign(left, left + task_.variables.size());
  else
    for_each_change(task_, arrived_by_, left, [&](Id variable, Id) { arrived_[variable] = left[variable]; });
  arrived_from_ = origin.parent;
  arrived_by_ = static_cast<Id>(origin.action);
  for_each_change(task_, arrived_by_, left, [&](Id variable, Id value) { arrived_[variable] = value; });
  found_.expander.derive(arrived_.data());
  return arrived_.data();
}

/// Most states of an expansion have the same parent.
const Id* Evaluation::parent_values(StateId parent) {
  if (parent != left_of_) found_.expander.load(found_.words(parent), left_.data());
  left_of_ = parent;
  return left_.data();
}

std::span<const Value> Evaluation::evaluate_late(StateId state) {
  const StoredId ahead = lookahead_.find(found_.packer.hashed(found_.words(state)));
  const bool known = ahead != kNotStored;
  asked_ = 0;
  if (known) {
    lookahead_.use(ahead, state);
  } else {
    scout_.go_on();
    found_.expander.append(found_.words(state), batch_);
    look_ahead(lookahead_.promises(Scout::kDeferred),
               [&](Source source, std::size_t most) { scout_.gather(state, source, most, batch_); });
    run_evaluators();
  }
  if (evaluated_.keeps_preferred()) evaluated_.prefer(state, known ? lookahead_.preferred(ahead) : recommended_[0]);
  const Value* const row = known ? lookahead_.row(ahead) : rows_.data();
  late_.assign(row, row + width_);
  keep_what_was_ahead();
  if (!of_paths_.empty()) {
    const Origin& origin = found_.space.origin(state);
    const bool is_first = origin.parent == kNoState;
    if (is_first) {
      left_ = task_.initial_state;
      left_of_ = state;
    }
    const Id* const values = is_first ? left_.data() : arriving_values(0, origin);
    evaluate_paths(arrival(origin, state, values, left_.data()), late_.data());
  }
  evaluated_.enter(state, late_.data());
  return late_;
}

/// What heuristics of paths hear of a state that is reached like that.
Arrival Evaluation::arrival(const Origin& origin, StateId state, const Id* values, const Id* parent_values) const {
  const StoredId parent = origin.parent == kNoState ? kNotStored : found_.places.stored(origin.parent);
  return {parent, origin.action, found_.places.stored(state), values, parent_values, {}};
}

std::size_t Evaluation::spare(double useful) const {
  const std::size_t states = batch_.size() / task_.variables.size();
  std::size_t most = 0;
  for (const OfStates& each : of_states_) most = std::max(most, each.evaluator->spare(states, useful));
  return most;
}

/// Fills the batch from one source after the other, where that pays. `gather(source, most)` does it until the batch has
/// so many values of variables.
template <class Gather>
void Evaluation::look_ahead(std::span<const Lookahead::Promise> promises, Gather gather) {
  const std::size_t variables = task_.variables.size();
  asked_ = rows_.size() / width_ + batch_.size() / variables;
  if (batch_.empty() || !looks_ahead_ || spare(1) == 0) return;
  for (const auto& [source, useful] : promises) {
    const std::size_t most = batch_.size() + (useful > kLeastUseful ? spare(useful) : 0) * variables;
    if (batch_.size() == most) {
      lookahead_.fade(source);
      continue;
    }
    lookahead_.turn_to(source);
    gather(source, most);
    if (batch_.size() >= most) return;
  }
}

/// Appends the rows of the states in the batch, which is empty then.
void Evaluation::run_evaluators() {
  const std::size_t done = rows_.size() / width_, states = batch_.size() / task_.variables.size();
  if (states == 0) return;
  rows_.resize((done + states) * width_);
  for (Lists<Id>& opinion : opinions_) opinion.clear();
  auto next_opinion = opinions_.begin();
  for (OfStates& each : of_states_) {
    Lists<Id>* const opinion = each.recommends ? &*next_opinion++ : nullptr;
    if (width_ == 1) {
      each.evaluator->evaluate(batch_, std::span(rows_).subspan(done), opinion);
      continue;
    }
    column_.resize(states);
    each.evaluator->evaluate(batch_, column_, opinion);
    for (std::size_t i = 0; i < states; ++i) rows_[(done + i) * width_ + each.column] = column_[i];
  }
  if (evaluated_.keeps_preferred()) recommend(states);
  batch_.clear();
}

/// Appends what any of the heuristics recommends.
void Evaluation::recommend(std::size_t states) {
  if (opinions_.size() == 1 && recommended_.size() == 0) {
    std::swap(recommended_, opinions_[0]);
    return;
  }
  for (std::size_t i = 0; i < states; ++i) {
    merged_.clear();
    for (const Lists<Id>& opinion : opinions_) merged_.insert(merged_.end(), opinion[i].begin(), opinion[i].end());
    std::ranges::sort(merged_);
    merged_.erase(std::unique(merged_.begin(), merged_.end()), merged_.end());
    recommended_.append(merged_);
  }
}

/// To be called after what was known ahead has been used.
void Evaluation::keep_what_was_ahead() {
  lookahead_.enter(std::span(rows_).subspan(asked_ * width_), evaluated_.keeps_preferred() ? &recommended_ : nullptr,
                   asked_);
  rows_.clear();
  recommended_.clear();
}

/// Completes the row of a new state, unless it is a dead end anyway.
void Evaluation::evaluate_paths(Arrival arrival, Value* row) {
  for (const OfPaths& each : of_paths_) row[each.column] = 0;
  if (std::find(row, row + width_, kDeadEnd) != row + width_) return;
  for (OfPaths& each : of_paths_) {
    others_.clear();
    for (std::size_t need : each.needs) others_.push_back(row[need]);
    arrival.others = others_;
    row[each.column] = each.evaluator->evaluate(arrival);
  }
}

}  // namespace banditplan
