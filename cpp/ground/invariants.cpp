#include "ground/invariants.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>

#include "ground/relation.hpp"

namespace banditplan {

namespace {

constexpr Id kCounted = -1;

/// A predicate of a candidate: for each argument the parameter of the invariant that it must equal, or kCounted.
struct InvariantPart {
  Id predicate = 0;
  std::vector<Id> parameters;

  auto operator<=>(const InvariantPart&) const = default;
};

/// Parts sorted by predicate, at most one per predicate; parameters are numbered as they first appear.
using Candidate = std::vector<InvariantPart>;

Candidate canonical(Candidate candidate) {
  std::ranges::sort(candidate);
  std::vector<Id> names;
  for (InvariantPart& part : candidate)
    for (Id& parameter : part.parameters) {
      if (parameter == kCounted) continue;
      auto known = std::ranges::find(names, parameter);
      if (known == names.end()) known = names.insert(names.end(), parameter);
      parameter = static_cast<Id>(known - names.begin());
    }
  return candidate;
}

Id parameter_count(const Candidate& candidate) {
  return static_cast<Id>(std::ranges::count_if(candidate[0].parameters, [](Id p) { return p != kCounted; }));
}

/// The action and the added fact that break an instance of a candidate, and that a further predicate might mend.
struct Break {
  Id action = 0;
  GroundEffect add;
};

class Synthesis {
 public:
  Synthesis(const PropositionalTask& task, Monitor& monitor)
      : task_(task), monitor_(monitor), instance_of_(task.facts(), -1), grouped_(task.facts(), false) {
    collect_predicates();
    collect_adders();
    steps_left_ = kSteps + kPasses * static_cast<std::int64_t>(task.preconditions.total() + task.effects.total());
  }

  Lists<Id> run() {
    const bool many_predicates = starts_.size() > kManyPredicates;
    for (Id predicate : starts_) {
      const auto facts = facts_of(predicate);
      const auto arity = static_cast<Id>(task_.fact_names[facts[0]].size()) - 1;
      if (many_predicates && std::ranges::all_of(facts, [&](Id fact) { return grouped_[fact]; })) continue;
      std::vector<Trial> stack;
      for (Id counted = arity - 1; counted >= -1; --counted) {
        InvariantPart part{predicate, {}};
        for (Id i = 0; i < arity; ++i) part.parameters.push_back(i == counted ? kCounted : i);
        stack.push_back({canonical({part})});
      }
      for (int tried = 0; !stack.empty() && tried < kCandidatesPerStart && steps_left_ > 0; ++tried) {
        const Trial trial = std::move(stack.back());
        stack.pop_back();
        if (!seen_.insert(trial.candidate).second) continue;
        if (const std::optional<Break> failure = check(trial)) refine(trial.candidate, *failure, stack);
      }
    }
    return std::move(groups_);
  }

 private:
  static constexpr std::int64_t kSteps = 20'000'000;
  static constexpr std::int64_t kPasses = 100;
  static constexpr int kCandidatesPerStart = 300;
  static constexpr std::size_t kManyPredicates = 200;

  Id predicate_of(Id fact) const { return task_.fact_names[fact][0]; }
  std::span<const Id> arguments_of(Id fact) const { return task_.fact_names[fact].subspan(1); }

  /// Facts are sorted by predicate.
  std::ranges::iota_view<Id, Id> facts_of(Id predicate) const {
    return {first_fact_[predicate], first_fact_[predicate + 1]};
  }

  void collect_predicates() {
    for (Id fact = 0; fact < static_cast<Id>(task_.facts()); ++fact) {
      const auto predicate = static_cast<std::size_t>(predicate_of(fact));
      if (first_fact_.size() <= predicate) {
        first_fact_.resize(predicate + 1, fact);
        if (!task_.derived[fact]) starts_.push_back(predicate_of(fact));
      }
    }
    first_fact_.push_back(static_cast<Id>(task_.facts()));
  }

  /// Per predicate and per fact: the actions that add it, or one of its facts.
  void collect_adders() {
    const auto for_each_add = [&](auto&& visit) {
      for (std::size_t a = 0; a < task_.actions(); ++a) {
        monitor_.check_short();
        for (const GroundEffect& effect : task_.effects[a])
          if (!negated(effect.what)) visit(fact_of(effect.what), static_cast<Id>(a));
      }
    };
    adders_.resize(first_fact_.size() - 1);
    for_each_add([&](Id fact, Id action) {
      std::vector<Id>& adders = adders_[predicate_of(fact)];
      if (adders.empty() || adders.back() != action) adders.push_back(action);
    });
    adders_of_fact_ = Lists<Id>::group(task_.facts(), for_each_add);
  }

  /// So many of a predicate's adders were looked at in so many steps, and keep the balance.
  struct Fine {
    Id predicate;
    std::size_t adders = 0;
    std::int64_t steps = 0;
  };
  /// A candidate, and what is known of it. One without parameters has a single instance, and is refined at its first
  /// break: whatever was looked at before keeps the balance when further facts belong to the instance, too, unless it
  /// adds one of them. That is looked at again in its place: the first break is the one that a check of all would find.
  struct Trial {
    Candidate candidate;
    Id added = -1;  // the predicate by which it refines another candidate
    std::vector<Fine> fine = {};
  };

  /// Records the instances that hold as groups; if an instance fails in a way that refinement might mend, says how.
  std::optional<Break> check(const Trial& trial) {
    enter_instances(trial.candidate);
    if (!trial.fine.empty()) mark_adders(trial.added);
    fine_.clear();
    std::optional<Break> first_break;
    for (const InvariantPart& part : trial.candidate) {
      if (open_instances_ == 0 || first_break) break;
      const auto known = std::ranges::find(trial.fine, part.predicate, &Fine::predicate);
      check_adders(known == trial.fine.end() ? Fine{part.predicate} : *known, trial.added, first_break);
    }
    if (first_break) check_the_rest(trial.candidate, first_break);
    record_groups(trial.candidate);
    leave_instances(trial.candidate);
    return first_break;
  }

  /// Until the first break. What need not be looked at counts nevertheless: the steps are those of a check of all.
  void check_adders(const Fine& known, Id added, std::optional<Break>& first_break) {
    const std::vector<Id>& adders = adders_[known.predicate];
    const std::int64_t steps_before = steps_left_;
    std::int64_t counted_twice = 0;
    std::size_t next = 0;
    for (; next < adders.size() && open_instances_ > 0 && !first_break; ++next) {
      if (next < known.adders) {
        if (mark_[adders[next]] != marks_) continue;
        counted_twice += steps_of(adders[next], added);
      }
      check_action(adders[next], first_break);
    }
    if (next >= known.adders) {
      steps_left_ -= known.steps - counted_twice;
    } else {
      steps_left_ = steps_before;
      for (std::size_t i = 0; i < next; ++i) steps_left_ -= steps_of(adders[i]);
    }
    Fine fine{known.predicate, next, steps_before - steps_left_};
    if (first_break) fine = {fine.predicate, next - 1, fine.steps - steps_of(adders[next - 1])};
    fine_.push_back(fine);
  }

  /// What it takes to check an action; without its adds of a predicate, if one is given.
  std::int64_t steps_of(Id action, Id without = -1) const {
    const auto adds = std::ranges::count_if(task_.effects[action], [&](const GroundEffect& effect) {
      const Id fact = fact_of(effect.what);
      return !negated(effect.what) && instance_of_[fact] >= 0 && predicate_of(fact) != without;
    });
    return static_cast<std::int64_t>(task_.effects[action].size()) +
           adds * static_cast<std::int64_t>(task_.preconditions[action].size());
  }

  void mark_adders(Id predicate) {
    ++marks_;
    mark_.resize(task_.actions(), 0);
    for (Id action : adders_[predicate]) mark_[action] = marks_;
  }

  /// Once a break is known, it remains to be seen which instances are groups: what is added to others is of no
  /// interest.
  void check_the_rest(const Candidate& candidate, std::optional<Break>& first_break) {
    for (std::size_t i = 0; i < size_.size(); ++i)
      if (size_[i] < 2) fail(static_cast<Id>(i));
    for (const InvariantPart& part : candidate)
      for (Id fact : facts_of(part.predicate)) {
        if (open_instances_ == 0) return;
        for (Id action : adders_of_fact_[fact]) {
          if (failed_[instance_of_[fact]]) break;
          check_action(action, first_break);
        }
      }
  }

  /// Numbers the instances of the candidate and gives every covered fact its instance.
  void enter_instances(const Candidate& candidate) {
    Relation keys(parameter_count(candidate));
    weight_.clear();
    size_.clear();
    std::vector<Id> key(keys.arity());
    for (const InvariantPart& part : candidate)
      for (Id fact : facts_of(part.predicate)) {
        monitor_.check_short();
        const std::span<const Id> arguments = arguments_of(fact);
        for (std::size_t i = 0; i < arguments.size(); ++i)
          if (part.parameters[i] != kCounted) key[part.parameters[i]] = arguments[i];
        const bool is_new = keys.insert(key);
        const Id instance = is_new ? keys.size() - 1 : keys.find(key);
        if (is_new) {
          weight_.push_back(0);
          size_.push_back(0);
        }
        instance_of_[fact] = instance;
        weight_[instance] += task_.init[fact];
        ++size_[instance];
        --steps_left_;
      }
    failed_.assign(weight_.size(), false);
    open_instances_ = weight_.size();
    for (std::size_t i = 0; i < weight_.size(); ++i)
      if (weight_[i] > 1) fail(static_cast<Id>(i));
  }

  void leave_instances(const Candidate& candidate) {
    for (const InvariantPart& part : candidate)
      for (Id fact : facts_of(part.predicate)) instance_of_[fact] = -1;
  }

  void fail(Id instance) {
    if (failed_[instance]) return;
    failed_[instance] = true;
    --open_instances_;
  }

  void check_action(Id action, std::optional<Break>& first_break) {
    monitor_.check_short();
    adds_.clear();
    for (const GroundEffect& effect : task_.effects[action])
      if (!negated(effect.what) && instance_of_[fact_of(effect.what)] >= 0 &&
          !failed_[instance_of_[fact_of(effect.what)]])
        adds_.push_back(effect);
    steps_left_ -=
        static_cast<std::int64_t>(task_.effects[action].size() + adds_.size() * task_.preconditions[action].size());
    for (std::size_t i = 0; i < adds_.size(); ++i) {
      const Id instance = instance_of_[fact_of(adds_[i].what)];
      if (failed_[instance]) continue;
      for (std::size_t j = 0; j < i && !failed_[instance]; ++j)
        if (too_heavy(action, adds_[j], adds_[i])) fail(instance);
      if (!failed_[instance] && !balanced(action, adds_[i])) {
        fail(instance);
        if (!first_break) first_break = Break{action, adds_[i]};
      }
    }
  }

  /// The facts of an instance that must be true for the effect to fire (the first two suffice).
  std::pair<Id, Id> required(Id action, const GroundEffect& effect, Id instance) const {
    std::pair<Id, Id> found{-1, -1};
    for (std::span<const Literal> literals : {task_.preconditions[action], task_.conditions[effect.condition]})
      for (Literal l : literals) {
        if (negated(l) || instance_of_[fact_of(l)] != instance || fact_of(l) == found.first) continue;
        (found.first < 0 ? found.first : found.second) = fact_of(l);
      }
    return found;
  }

  /// Two adds of the same instance that may fire together.
  bool too_heavy(Id action, const GroundEffect& a, const GroundEffect& b) const {
    const Id instance = instance_of_[fact_of(b.what)];
    if (instance_of_[fact_of(a.what)] != instance || a.what == b.what) return false;
    const auto [a1, a2] = required(action, a, instance);
    const auto [b1, b2] = required(action, b, instance);
    const bool never_both = a2 >= 0 || b2 >= 0 || (a1 >= 0 && b1 >= 0 && a1 != b1);
    return !never_both && !contradict(a, b);
  }

  bool contradict(const GroundEffect& a, const GroundEffect& b) const {
    return std::ranges::any_of(task_.conditions[a.condition], [&](Literal l) {
      return std::ranges::binary_search(task_.conditions[b.condition], l ^ 1);
    });
  }

  /// The add fires only if a fact of the instance is true, and then that fact is deleted (or is the added one).
  bool balanced(Id action, const GroundEffect& add) const {
    const Id instance = instance_of_[fact_of(add.what)];
    const auto [fact, other] = required(action, add, instance);
    if (other >= 0 || fact == fact_of(add.what)) return true;
    return fact >= 0 && deletes(action, add, fact);
  }

  bool deletes(Id action, const GroundEffect& add, Id fact) const {
    return std::ranges::any_of(task_.effects[action], [&](const GroundEffect& effect) {
      return effect.what == literal(fact, true) &&
             std::ranges::all_of(task_.conditions[effect.condition],
                                 [&](Literal l) { return implied(action, add, l); });
    });
  }

  bool implied(Id action, const GroundEffect& effect, Literal l) const {
    return std::ranges::binary_search(task_.preconditions[action], l) ||
           std::ranges::binary_search(task_.conditions[effect.condition], l);
  }

  /// Instances of weight 1 are groups; of weight 0, too: none of their facts can ever become true.
  void record_groups(const Candidate& candidate) {
    if (open_instances_ == 0) return;
    std::vector<std::vector<Id>> members(weight_.size());
    for (const InvariantPart& part : candidate)
      for (Id fact : facts_of(part.predicate)) {
        const Id instance = instance_of_[fact];
        if (failed_[instance] || size_[instance] < 2) continue;
        members[instance].push_back(fact);
        grouped_[fact] = true;
      }
    for (std::vector<Id>& group : members)
      if (!group.empty() && recorded_.insert(group).second) groups_.append(group);
  }

  /// Adds a predicate of which the breaking action deletes a fact, in every way that fits the instance's parameters.
  void refine(const Candidate& candidate, const Break& failure, std::vector<Trial>& stack) const {
    const Id added = fact_of(failure.add.what);
    const auto part = std::ranges::find(candidate, predicate_of(added), &InvariantPart::predicate);
    std::vector<Id> key(parameter_count(candidate));
    for (std::size_t i = 0; i < part->parameters.size(); ++i)
      if (part->parameters[i] != kCounted) key[part->parameters[i]] = arguments_of(added)[i];
    for (const GroundEffect& effect : task_.effects[failure.action]) {
      const Id deleted = fact_of(effect.what);
      if (!negated(effect.what) || !implied(failure.action, failure.add, literal(deleted, false))) continue;
      if (std::ranges::find(candidate, predicate_of(deleted), &InvariantPart::predicate) != candidate.end()) continue;
      for (InvariantPart& further : fitting_parts(deleted, key)) {
        Candidate refined = candidate;
        refined.push_back(std::move(further));
        stack.push_back({canonical(std::move(refined)), predicate_of(deleted)});
        if (key.empty()) stack.back().fine = fine_;
      }
    }
  }

  /// All ways to read the fact's arguments as the key in some order, with at most one argument counted.
  std::vector<InvariantPart> fitting_parts(Id fact, const std::vector<Id>& key) const {
    const std::span<const Id> arguments = arguments_of(fact);
    std::vector<InvariantPart> partial{{predicate_of(fact), {}}}, next;
    if (arguments.size() != key.size() && arguments.size() != key.size() + 1) return {};
    const bool may_count = arguments.size() > key.size();
    for (Id argument : arguments) {
      next.clear();
      for (const InvariantPart& part : partial) {
        auto extend = [&](Id parameter) {
          next.push_back(part);
          next.back().parameters.push_back(parameter);
        };
        for (std::size_t p = 0; p < key.size(); ++p)
          if (key[p] == argument && std::ranges::find(part.parameters, static_cast<Id>(p)) == part.parameters.end())
            extend(static_cast<Id>(p));
        if (may_count && std::ranges::find(part.parameters, kCounted) == part.parameters.end()) extend(kCounted);
      }
      partial.swap(next);
    }
    return partial;
  }

  const PropositionalTask& task_;
  Monitor& monitor_;
  std::vector<Id> starts_;               // the predicates that actions change
  std::vector<Id> first_fact_;           // per predicate
  std::vector<std::vector<Id>> adders_;  // per predicate: actions
  Lists<Id> adders_of_fact_;
  std::set<Candidate> seen_;
  std::set<std::vector<Id>> recorded_;
  Lists<Id> groups_;
  std::int64_t steps_left_ = 0;

  // The candidate under check.
  std::vector<Id> instance_of_;  // per fact, or -1
  std::vector<Id> weight_, size_;
  std::vector<bool> failed_;
  std::size_t open_instances_ = 0;
  std::vector<GroundEffect> adds_;
  std::vector<Fine> fine_;           // as the trial under way has found
  std::vector<std::uint32_t> mark_;  // per action: when it was marked last
  std::uint32_t marks_ = 0;
  std::vector<bool> grouped_;
};

}  // namespace

Lists<Id> find_mutex_groups(const PropositionalTask& task, Monitor& monitor) { return Synthesis(task, monitor).run(); }

}  // namespace banditplan
