#include "plans/windows.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "plans/regroup.hpp"
#include "plans/window.hpp"
#include "states/packer.hpp"
#include "task/successors.hpp"

namespace banditplan {

namespace {

/// What a window may take at first, per action in it, and by how much that grows when nothing else is left to be done.
constexpr std::int64_t kFirstEffort = 4000, kEffortGrowth = 8;
constexpr std::size_t kLeastSize = 4, kMostSize = 64;

class Windows {
 public:
  Windows(const Task& task, std::vector<Id>& plan, Work& work, Monitor& monitor)
      : task_(task),
        plan_(plan),
        work_(work),
        monitor_(monitor),
        needs_(task, work),
        packer_(task),
        applier_(task, monitor),
        search_(task, work, monitor),
        before_(task.variables.size()),
        after_(task.variables.size()) {}

  void run() {
    follow(0);
    for (std::int64_t effort = kFirstEffort;; effort *= kEffortGrowth) {
      gave_up_ = false;
      while (improve(effort)) {
      }
      if (!gave_up_) return;
    }
  }

 private:
  /// In two orders of the actions; whether that has done any good.
  bool improve(std::int64_t effort) {
    bool better = false;
    for (From from : {From::front, From::back}) {
      plan_ = regrouped(task_, plan_, from, needs_, work_);
      follow(0);
      for (std::size_t size = kLeastSize; size <= kMostSize; size *= 2) {
        while (pass(size, effort)) better = true;
        if (size >= plan_.size()) break;
      }
    }
    return better;
  }

  /// Looks at windows of a size, from the last to the first.
  bool pass(std::size_t size, std::int64_t effort) {
    const std::size_t stride = size / 4;
    bool better = false;
    std::vector<char> needed = needs_.goal();
    for (std::size_t end = plan_.size(); end > 0;) {
      const std::size_t begin = end > size ? end - size : 0;
      if (replace(begin, end, needed, effort * static_cast<std::int64_t>(end - begin))) {
        better = true;
        end = begin + search_.way().size();
        continue;
      }
      if (begin == 0) break;
      for (std::size_t i = 0; i < stride; ++i) needs_.put_before(plan_[--end], needed);
    }
    return better;
  }

  bool replace(std::size_t begin, std::size_t end, const std::vector<char>& needed, std::int64_t most) {
    load(begin, before_);
    load(end, after_);
    std::int64_t& tried = tried_[fingerprint(begin, end, needed)];
    if (tried >= most) return false;
    const auto outcome =
        search_.improve(std::span(plan_).subspan(begin, end - begin), before_.data(), after_.data(), needed, most);
    if (outcome == WindowSearch::Outcome::unknown) {
      gave_up_ = true;
      tried = most;
      return false;
    }
    tried = std::numeric_limits<std::int64_t>::max();
    if (outcome == WindowSearch::Outcome::best) return false;
    const auto first = plan_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::vector<Id> rest(plan_.begin() + static_cast<std::ptrdiff_t>(end), plan_.end());
    plan_.erase(first, plan_.end());
    plan_.insert(plan_.end(), search_.way().begin(), search_.way().end());
    plan_.insert(plan_.end(), rest.begin(), rest.end());
    follow(begin);
    return true;
  }

  /// Of all that decides what a window is about.
  std::uint64_t fingerprint(std::size_t begin, std::size_t end, const std::vector<char>& needed) {
    std::uint64_t hash = packer_.hashed(states_.data() + begin * packer_.words()).hash;
    const auto mix = [&](std::uint64_t number) {
      hash = (hash ^ number) * 0xff51afd7ed558ccdull;
      hash ^= hash >> 32;
    };
    for (std::size_t i = begin; i < end; ++i) mix(static_cast<std::uint64_t>(plan_[i]));
    for (std::size_t i = 0; i < needed.size(); ++i)
      if (needed[i]) mix(i);
    work_.spend(static_cast<std::int64_t>(needed.size()));
    return hash;
  }

  /// Notes the states of the plan from that before action `first` on.
  void follow(std::size_t first) {
    const std::size_t words = packer_.words();
    states_.resize((plan_.size() + 1) * words);
    if (first == 0) {
      before_ = task_.initial_state;
      store(0, before_);
    } else {
      load(first, before_);
    }
    for (std::size_t i = first; i < plan_.size(); ++i) {
      monitor_.check_short();
      work_.spend(static_cast<std::int64_t>(before_.size()));
      applier_.apply(plan_[i], before_.data(), after_.data());
      std::swap(before_, after_);
      store(i + 1, before_);
    }
  }

  void store(std::size_t place, const std::vector<Id>& state) {
    const std::vector<std::uint32_t> packed = packer_.packed(state.data());
    std::ranges::copy(packed, states_.begin() + static_cast<std::ptrdiff_t>(place * packer_.words()));
  }
  void load(std::size_t place, std::vector<Id>& state) {
    work_.spend(static_cast<std::int64_t>(state.size()));
    packer_.unpack(states_.data() + place * packer_.words(), state.data());
    applier_.derive(state.data());
  }

  const Task& task_;
  std::vector<Id>& plan_;
  Work& work_;
  Monitor& monitor_;
  Needs needs_;
  StatePacker packer_;
  Applier applier_;
  WindowSearch search_;
  std::vector<std::uint32_t> states_;  // of the plan, packed
  std::vector<Id> before_, after_;
  std::unordered_map<std::uint64_t, std::int64_t> tried_;  // windows by their fingerprints: the work they have had
  bool gave_up_ = false;
};

}  // namespace

void improve_windows(const Task& task, std::vector<Id>& plan, Work& work, Monitor& monitor) {
  Windows(task, plan, work, monitor).run();
}

}  // namespace banditplan
