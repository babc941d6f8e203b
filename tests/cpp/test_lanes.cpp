// The vector programs against plain loops: operations of the lanes, network, sweep and extraction, each alone.

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "check.hpp"
#include "heuristics/lanes/schedule.hpp"

using namespace banditplan;

namespace {

using LaneCosts = std::array<std::uint32_t, kLanes>;  // of one fact; kLaneUnreached and more: not reached

std::vector<const LaneProgram*> programs() {
  std::vector<const LaneProgram*> found;
  for (const char* name : {"plain", "avx2", "avx512"})
    if (const LaneProgram* program = find_lane_program(name)) found.push_back(program);
  return found;
}

struct Operator {
  std::vector<Id> preconditions;
  std::vector<Id> adds;
  Id action = 0;
};

/// Lists one after the other, as the programs want them.
struct FlatLists {
  std::vector<std::uint32_t> begin{0};
  std::vector<Id> items;

  void close() { begin.push_back(static_cast<std::uint32_t>(items.size())); }
};

/// A random network with everything that a program reads and writes.
class Network {
 public:
  Network(Random& random, Id facts, Id operators, Id actions, Id most_goals = 4) : facts_(facts) {
    for (Id op = 0; op < operators; ++op) {
      Operator each{{}, {}, random.below(static_cast<std::size_t>(actions))};
      for (Id i = random.below(4); i > 0; --i) insert(each.preconditions, random.below(facts));
      for (Id i = 1 + random.below(3); i > 0; --i) insert(each.adds, random.below(facts));
      operators_.push_back(each);
    }
    // Achievers ascend by way: here, by action, then by operator.
    std::ranges::stable_sort(operators_, {}, &Operator::action);
    for (Id i = random.below(static_cast<std::size_t>(most_goals) + 1); i > 0; --i) insert(goal_, random.below(facts));
    flatten(random);
    costs_.reset(new (std::align_val_t{64}) std::uint16_t[(static_cast<std::size_t>(facts) + 1) * kLanes]);
    dirty_.resize((operators_.size() + 63) / 64);
    in_plan_.resize(static_cast<std::size_t>(actions));
    touched_.resize(static_cast<std::size_t>(actions));
    for (auto* masks : {&done_, &pending_, &first_layer_}) masks->resize(static_cast<std::size_t>(facts));
    queue_.resize(static_cast<std::size_t>(facts) + 1);
    marked_.resize(static_cast<std::size_t>(facts));
    point();
  }

  /// Random states; `percent` of the facts are true.
  void enter_states(Random& random, int percent) {
    for (Id fact = 0; fact < facts_; ++fact)
      for (int lane = 0; lane < kLanes; ++lane) cost(fact)[lane] = random.chance(percent) ? 0 : kLaneUnreached;
  }
  /// Random numbers: enough for what only reads them.
  void enter_costs(Random& random) {
    for (Id fact = 0; fact < facts_; ++fact)
      for (int lane = 0; lane < kLanes; ++lane)
        cost(fact)[lane] = random.chance(40) ? 0 : static_cast<std::uint16_t>(random.next());
  }
  void enter_cost(Id fact, std::uint16_t value) { std::fill_n(cost(fact), kLanes, value); }

  std::uint16_t* cost(Id fact) { return costs_.get() + static_cast<std::size_t>(fact) * kLanes; }

  /// The fixpoint in 32 bits, from the costs that have been entered.
  std::vector<LaneCosts> slow_costs(bool add) {
    std::vector<LaneCosts> costs(static_cast<std::size_t>(facts_));
    for (Id fact = 0; fact < facts_; ++fact) std::copy_n(cost(fact), kLanes, costs[fact].begin());
    for (bool changed = true; changed;) {
      changed = false;
      for (const Operator& op : operators_)
        for (int lane = 0; lane < kLanes; ++lane) {
          const std::uint32_t reaching = slow_firing_cost(op, costs, lane, add);
          for (Id fact : op.adds)
            if (reaching < costs[fact][lane]) {
              costs[fact][lane] = reaching;
              changed = true;
            }
        }
    }
    return costs;
  }

  static std::uint32_t slow_firing_cost(const Operator& op, const std::vector<LaneCosts>& costs, int lane, bool add) {
    std::uint32_t cost = 0;
    for (Id fact : op.preconditions) cost = add ? cost + costs[fact][lane] : std::max(cost, costs[fact][lane]);
    return std::min<std::uint32_t>(cost + 1, kLaneUnreached);
  }

  struct SlowPlan {
    std::set<Id> actions, facts, first_layer;
  };
  SlowPlan slow_plan(const std::vector<LaneCosts>& costs, int lane) const {
    SlowPlan plan;
    std::vector<Id> todo = goal_;
    while (!todo.empty()) {
      const Id fact = todo.back();
      todo.pop_back();
      if (!plan.facts.insert(fact).second || costs[fact][lane] == 0) continue;
      const auto supporter = std::ranges::find_if(operators_, [&](const Operator& op) {
        return std::ranges::find(op.adds, fact) != op.adds.end() &&
               slow_firing_cost(op, costs, lane, true) == costs[fact][lane];
      });
      plan.actions.insert(supporter->action);
      if (costs[fact][lane] == 1) plan.first_layer.insert(fact);
      todo.insert(todo.end(), supporter->preconditions.begin(), supporter->preconditions.end());
    }
    return plan;
  }

  /// Whether these actions alone reach the goal in the relaxation.
  bool reaches_goal(const std::vector<LaneCosts>& costs, int lane, const std::set<Id>& actions) const {
    std::vector<char> reached(static_cast<std::size_t>(facts_));
    for (Id fact = 0; fact < facts_; ++fact) reached[fact] = costs[fact][lane] == 0;
    auto all_reached = [&](const std::vector<Id>& list) {
      return std::ranges::all_of(list, [&](Id fact) { return reached[fact] != 0; });
    };
    for (std::size_t round = 0; round <= operators_.size(); ++round)
      for (const Operator& op : operators_)
        if (actions.contains(op.action) && all_reached(op.preconditions))
          for (Id fact : op.adds) reached[fact] = 1;
    return all_reached(goal_);
  }

  void clear_plan() {
    for (auto* masks : {&done_, &pending_, &first_layer_, &in_plan_}) std::ranges::fill(*masks, 0u);
    plan_.touched_count = plan_.marked_count = 0;
  }

  void arrange(const Relevance& relevance) {
    schedule_->arrange(order_, relevance, [](Id fact) { return fact; });
    schedule = schedule_->view();
  }

  const std::vector<Id>& goal() const { return goal_; }
  Id facts() const { return facts_; }
  const std::vector<Id>& order() const { return order_; }
  const std::vector<Operator>& operators() const { return operators_; }
  bool is_clean() const {
    return std::ranges::all_of(dirty_, [](std::uint64_t word) { return word == 0; }) &&
           std::ranges::all_of(pending_, [](std::uint32_t lanes) { return lanes == 0; });
  }

  LaneNetwork view;
  LaneSchedule schedule;
  LaneScratch scratch;
  LanePlan plan_;

 private:
  struct Delete {
    void operator()(std::uint16_t* data) const { ::operator delete[](data, std::align_val_t{64}); }
  };

  static void insert(std::vector<Id>& set, Id fact) {
    if (std::ranges::find(set, fact) == set.end()) set.push_back(fact);
  }

  void flatten(Random& random) {
    for (const Operator& op : operators_) {
      preconditions_.items.insert(preconditions_.items.end(), op.preconditions.begin(), op.preconditions.end());
      preconditions_.close();
      adds_.items.insert(adds_.items.end(), op.adds.begin(), op.adds.end());
      adds_.close();
      order_.push_back(static_cast<Id>(order_.size()));
    }
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
    for (Id fact = 0; fact < facts_; ++fact) {
      for (std::size_t op = 0; op < operators_.size(); ++op) {
        if (std::ranges::find(operators_[op].adds, fact) != operators_[op].adds.end()) {
          achievers_.items.push_back(static_cast<Id>(op));
          achiever_actions_.push_back(operators_[op].action);
        }
      }
      achievers_.close();
      is_goal_.push_back(std::ranges::find(goal_, fact) != goal_.end());
    }
  }

  void point() {
    view.operators = static_cast<Id>(operators_.size());
    view.facts = facts_;
    view.precondition_begin = preconditions_.begin.data();
    view.precondition = preconditions_.items.data();
    view.add_begin = adds_.begin.data();
    view.add = adds_.items.data();
    unit_costs_.assign(operators_.size(), 1);
    view.operator_cost = unit_costs_.data();
    view.achiever_begin = achievers_.begin.data();
    view.achiever_operator = achievers_.items.data();
    view.achiever_action = achiever_actions_.data();
    view.goal = goal_.data();
    view.goals = static_cast<Id>(goal_.size());
    view.is_goal = is_goal_.data();
    schedule_.emplace(view);
    std::vector<Id> other(order_.rbegin(), order_.rend());
    schedule_->arrange(other, Relevance(view, false), [](Id) { return 0; });  // nothing of it stays
    arrange(Relevance(view, false));
    scratch.costs = costs_.get();
    scratch.dirty = dirty_.data();
    plan_.done = done_.data();
    plan_.pending = pending_.data();
    plan_.queue = queue_.data();
    plan_.in_plan = in_plan_.data();
    plan_.touched = touched_.data();
    plan_.marked = marked_.data();
    plan_.first_layer = first_layer_.data();
    plan_.length = length_.data();
  }

  Id facts_;
  std::vector<Operator> operators_;
  std::vector<Id> goal_;
  FlatLists preconditions_, adds_, achievers_;
  std::vector<Id> achiever_actions_, order_, unit_costs_;
  std::optional<Schedule> schedule_;
  std::vector<std::uint8_t> is_goal_;
  std::unique_ptr<std::uint16_t, Delete> costs_;
  std::vector<std::uint64_t> dirty_;
  std::vector<std::uint32_t> done_, pending_, first_layer_, in_plan_;
  std::vector<Id> queue_, touched_, marked_;
  alignas(64) std::array<std::uint16_t, kLanes> length_{};
};

Network random_network(Random& random) {
  return {random, 1 + random.below(40), 1 + random.below(150), 1 + random.below(60)};
}

std::uint32_t worst_goal(const Network& network, const std::vector<LaneCosts>& costs, int lane) {
  std::uint32_t worst = 0;
  for (Id fact : network.goal()) worst = std::max(worst, costs[fact][lane]);
  return worst;
}

std::uint32_t lanes_with_goal(const Network& network, const std::vector<LaneCosts>& costs) {
  std::uint32_t reached = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    if (worst_goal(network, costs, lane) < kLaneUnreached) reached |= 1u << lane;
  return reached;
}

/// Sweeps, and checks the costs of the goals.
std::vector<LaneCosts> check_sweep_of_goals(Network& network, const LaneProgram& program, bool add, bool alternating) {
  const std::vector<LaneCosts> expected = network.slow_costs(add);
  program.sweep(network.view, network.schedule, network.scratch, add, alternating);
  CHECK(network.is_clean());
  bool exact = true, safe = true;
  for (int lane = 0; lane < kLanes; ++lane) {
    for (Id goal : network.goal()) exact &= network.cost(goal)[lane] == expected[goal][lane];
    for (Id fact = 0; fact < network.facts(); ++fact) safe &= network.cost(fact)[lane] >= expected[fact][lane];
  }
  CHECK(exact);
  CHECK(safe);
  CHECK(program.with_goal(network.view, network.scratch) == lanes_with_goal(network, expected));
  return expected;
}

/// The same with all operators, where costs below the worst goal's are exact, too.
std::vector<LaneCosts> check_sweep(Network& network, const LaneProgram& program, bool add, bool alternating) {
  std::vector<LaneCosts> expected = check_sweep_of_goals(network, program, add, alternating);
  bool exact = true;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t worst = network.goal().empty() ? kLaneUnreached : worst_goal(network, expected, lane);
    for (Id fact = 0; fact < network.facts(); ++fact)
      if (expected[fact][lane] < worst) exact &= network.cost(fact)[lane] == expected[fact][lane];
  }
  CHECK(exact);
  return expected;
}

/// Extracts plans in these lanes, and checks them against slow ones. The number of actions of the longest.
std::size_t check_plans(Network& network, const LaneProgram& program, const std::vector<LaneCosts>& costs,
                        std::uint32_t lanes) {
  program.extract(network.view, network.scratch, lanes, network.plan_);
  CHECK(network.is_clean());
  const LanePlan& plan = network.plan_;
  std::size_t longest = 0;
  bool same = true, reaches = true;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t bit = 1u << lane;
    Network::SlowPlan expected;
    if ((lanes & bit) != 0) expected = network.slow_plan(costs, lane);
    std::set<Id> actions, facts, first_layer;
    for (Id i = 0; i < plan.touched_count; ++i)
      if ((plan.in_plan[plan.touched[i]] & bit) != 0) actions.insert(plan.touched[i]);
    for (Id i = 0; i < plan.marked_count; ++i) {
      if ((plan.done[plan.marked[i]] & bit) != 0) facts.insert(plan.marked[i]);
      if ((plan.first_layer[plan.marked[i]] & bit) != 0) first_layer.insert(plan.marked[i]);
    }
    same &= actions == expected.actions && facts == expected.facts && first_layer == expected.first_layer;
    same &= plan.length[lane] == actions.size();
    if ((lanes & bit) != 0) reaches &= network.reaches_goal(costs, lane, actions);
    longest = std::max(longest, actions.size());
  }
  CHECK(same);
  CHECK(reaches);
  network.clear_plan();
  return longest;
}

}  // namespace

TEST(lane_programs_are_found_by_name) {
  CHECK(find_lane_program() != nullptr);
  CHECK(find_lane_program("plain") != nullptr);
  CHECK(find_lane_program("abacus") == nullptr);
  CHECK(find_lane_program() == programs().back());  // the best one
  for (const LaneProgram* program : programs()) CHECK(find_lane_program(program->name) == program);
}

TEST(lanes_add_up_with_saturation) {
  // One operator, two preconditions: the cost of its effect is their sum or maximum, and 1, at every border.
  const std::vector<std::uint16_t> numbers{0, 1, 2, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffc, 0xfffd, 0xfffe, 0xffff};
  for (const LaneProgram* program : programs())
    for (bool add : {false, true}) {
      bool right = true;
      for (std::uint16_t x : numbers)
        for (std::uint16_t y : numbers)
          for (std::uint16_t before : numbers) {
            alignas(64) std::array<std::uint16_t, 4 * kLanes> costs{};
            for (int lane = 0; lane < kLanes; ++lane) {
              // Every lane has its own numbers.
              costs[lane] = static_cast<std::uint16_t>(x ^ (lane & 1));
              costs[kLanes + lane] = static_cast<std::uint16_t>(y ^ (lane >> 1 & 1));
              costs[2 * kLanes + lane] = static_cast<std::uint16_t>(before ^ (lane >> 2 & 1));
            }
            const auto entered = costs;
            const std::uint32_t precondition_begin[] = {0, 2}, add_begin[] = {0, 1};
            const Id precondition[] = {0, 1}, added[] = {2}, order[] = {0}, operator_cost[] = {1};
            const std::uint8_t is_goal[] = {0, 0, 0};
            std::uint64_t dirty[] = {0};
            LaneNetwork network;
            network.operators = 1;
            network.facts = 3;
            network.precondition_begin = precondition_begin;
            network.precondition = precondition;
            network.add_begin = add_begin;
            network.add = added;
            network.operator_cost = operator_cost;
            network.is_goal = is_goal;
            Schedule schedule(network);
            schedule.arrange(order, Relevance(network, false), [](Id fact) { return fact; });
            LaneScratch scratch{.costs = costs.data(), .dirty = dirty};
            program->sweep(network, schedule.view(), scratch, add, false);
            for (int lane = 0; lane < kLanes; ++lane) {
              const std::uint32_t a = entered[lane], b = entered[kLanes + lane];
              const std::uint32_t reaching = std::min<std::uint32_t>((add ? a + b : std::max(a, b)) + 1, 0xffff);
              right &= costs[2 * kLanes + lane] == std::min<std::uint32_t>(entered[2 * kLanes + lane], reaching);
              right &= costs[lane] == a && costs[kLanes + lane] == b;
            }
          }
      CHECK(right);
    }
}

TEST(a_schedule_has_the_operators_in_their_order) {
  Random random(20);
  for (int round = 0; round < 200; ++round) {
    const Network network = random_network(random);
    const std::vector<Id>& order = network.order();
    const LaneSchedule& schedule = network.schedule;
    std::vector<std::set<std::size_t>> woken(network.facts());
    bool right = true;
    for (std::size_t at = 0; at < order.size(); ++at) {
      const Operator& op = network.operators()[order[at]];
      right &= schedule.facts[schedule.bounds[2 * at]] == network.facts();
      const std::span<const Id> needs(schedule.facts + schedule.bounds[2 * at] + 1,
                                      schedule.facts + schedule.bounds[2 * at + 1]);
      const std::span<const Id> adds(schedule.facts + schedule.bounds[2 * at + 1],
                                     schedule.facts + schedule.bounds[2 * at + 2]);
      right &= std::ranges::is_permutation(needs, op.preconditions) && std::ranges::equal(adds, op.adds);
      right &= needs.empty() || needs.front() == std::ranges::max(needs);  // a fact costs its number here
      for (Id fact : needs) woken[fact].insert(at);
    }
    for (Id fact = 0; fact < network.facts(); ++fact) {
      std::set<std::size_t> found;
      std::int32_t last = -1;
      for (std::uint32_t i = schedule.wake_begin[fact]; i < schedule.wake_end[fact]; ++i) {
        const LaneWake& wake = schedule.wakes[i];
        right &= wake.word > last;
        last = wake.word;
        for (std::size_t bit = 0; bit < 64; ++bit)
          if ((wake.operators >> bit & 1u) != 0) found.insert(static_cast<std::size_t>(wake.word) * 64 + bit);
      }
      right &= found == woken[fact];
    }
    CHECK(right);
  }
}

TEST(lanes_sweep_to_the_fixpoint) {
  for (const LaneProgram* program : programs()) {
    Random random(21);
    std::uint32_t dearest = 0;
    for (int round = 0; round < 400; ++round) {
      Network network = random_network(random);
      for (int percent : {0, 10, 30}) {
        for (bool add : {true, false})
          for (bool alternating : {false, true}) {
            network.enter_states(random, percent);
            for (const LaneCosts& costs : check_sweep(network, *program, add, alternating))
              for (std::uint32_t cost : costs) dearest = std::max(dearest, cost == kLaneUnreached ? 0 : cost);
          }
      }
    }
    CHECK(dearest > 20);
  }
}

TEST(lanes_sweep_costs_that_saturate) {
  // True facts that cost much: sums run over 16 bits at once.
  for (const LaneProgram* program : programs()) {
    Random random(22);
    for (int round = 0; round < 200; ++round) {
      Network network = random_network(random);
      network.enter_states(random, 20);
      for (Id fact = 0; fact < network.facts(); ++fact)
        if (random.chance(30)) network.enter_cost(fact, static_cast<std::uint16_t>(0xffff - random.below(0x9000)));
      check_sweep(network, *program, round % 2 == 0, round % 4 < 2);
    }
  }
}

TEST(lanes_extract_relaxed_plans) {
  for (const LaneProgram* program : programs()) {
    Random random(23);
    std::size_t longest = 0, dead = 0;
    for (int round = 0; round < 500; ++round) {
      Network network = random_network(random);
      for (int again = 0; again < 2; ++again) {
        network.enter_states(random, 10);
        const std::vector<LaneCosts> costs = check_sweep(network, *program, true, again == 1);
        const std::uint32_t reached = lanes_with_goal(network, costs);
        dead += static_cast<std::size_t>(std::popcount(~reached));
        const std::uint32_t lanes = reached & (round % 3 == 0 ? static_cast<std::uint32_t>(random.next()) : ~0u);
        longest = std::max(longest, check_plans(network, *program, costs, lanes));
      }
    }
    CHECK(longest >= 5);
    CHECK(dead >= 100);
  }
}

TEST(lanes_leave_out_what_does_not_matter_for_open_goals) {
  for (const LaneProgram* program : programs()) {
    Random random(26);
    int left_out = 0, single = 0, extended = 0;
    std::size_t longest = 0;
    for (int round = 0; round < 300; ++round) {
      Network network(random, 1 + random.below(60), 1 + random.below(80), 1 + random.below(60), 12);
      Relevance relevance(network.view, round % 10 == 0);
      for (int batch = 0; batch < 24; ++batch) {
        network.enter_states(random, 10);
        for (Id goal : network.goal())
          if (random.chance(70)) network.enter_cost(goal, 0);
        const bool covers = relevance.covers([&](Id goal) {
          return std::ranges::any_of(std::span(network.cost(goal), kLanes),
                                     [](std::uint16_t cost) { return cost != 0; });
        });
        if (batch % 4 == 0) {
          relevance.renew();
        } else if (!covers) {
          relevance.extend();
          ++extended;
        }
        network.arrange(relevance);
        if (round % 10 == 0) CHECK(network.schedule.operators == network.view.operators);
        left_out += network.schedule.operators < network.view.operators ? 1 : 0;
        single += network.schedule.has_single_goals ? 1 : 0;
        const std::vector<LaneCosts> costs = check_sweep_of_goals(network, *program, batch % 2 == 0, batch % 4 == 0);
        if (batch % 2 == 0)
          longest = std::max(longest, check_plans(network, *program, costs, lanes_with_goal(network, costs)));
      }
    }
    CHECK(left_out >= 100);
    CHECK(single >= 100);
    CHECK(extended >= 100);
    CHECK(longest >= 5);
  }
}

TEST(lanes_tell_whether_a_cost_is_above_a_limit) {
  for (const LaneProgram* program : programs()) {
    Random random(24);
    for (int round = 0; round < 300; ++round) {
      Network network = random_network(random);
      network.enter_costs(random);
      for (std::uint32_t lanes : {0u, 1u, 0x80000000u, ~0u, static_cast<std::uint32_t>(random.next())}) {
        std::uint16_t largest = 0;
        for (Id fact = 0; fact < network.facts(); ++fact)
          for (int lane = 0; lane < kLanes; ++lane)
            if ((lanes >> lane & 1u) != 0 && network.cost(fact)[lane] != kLaneUnreached)
              largest = std::max(largest, network.cost(fact)[lane]);
        for (int limit : {0, largest - 1, largest + 0, largest + 1, kLaneUnreached - 1})
          if (limit >= 0)
            CHECK(program->any_above(network.view, network.scratch, lanes, static_cast<std::uint16_t>(limit)) ==
                  (largest > limit));
      }
    }
  }
}

TEST(programs_find_where_states_differ) {
  for (const LaneProgram* program : programs()) {
    Random random(26);
    for (int round = 0; round < 500; ++round) {
      std::vector<Id> a(random.below(70)), b, expected, places(a.size());
      for (Id& value : a) value = random.below(2) == 0 ? random.below(3) : static_cast<Id>(random.next());
      b = a;
      for (std::size_t i = 0; i < b.size(); ++i) {
        if (random.below(5) > 0) continue;
        b[i] ^= static_cast<Id>(1u << random.below(32));  // in the lower or in the upper half
        expected.push_back(static_cast<Id>(i));
      }
      const Id found = program->differences(a.data(), b.data(), static_cast<Id>(a.size()), places.data());
      places.resize(static_cast<std::size_t>(found));
      CHECK(places == expected);
    }
  }
}

TEST(lanes_tell_where_all_facts_are_true) {
  for (const LaneProgram* program : programs()) {
    Random random(25);
    for (int round = 0; round < 300; ++round) {
      Network network = random_network(random);
      network.enter_states(random, 80);
      const auto lanes = static_cast<std::uint32_t>(random.next());
      std::vector<Id> facts;
      for (Id i = random.below(5); i > 0; --i) facts.push_back(random.below(static_cast<std::size_t>(network.facts())));
      std::uint32_t expected = lanes;
      for (Id fact : facts)
        for (int lane = 0; lane < kLanes; ++lane)
          if (network.cost(fact)[lane] != 0) expected &= ~(1u << lane);
      CHECK(program->all_true(network.scratch, facts.data(), static_cast<Id>(facts.size()), lanes) == expected);
    }
  }
}
