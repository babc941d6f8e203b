#pragma once

#include <cstdint>
#include <vector>

#include "task/changes.hpp"

namespace banditplan {

/// A state as a set of facts, one per variable, in bits; and its facts, all of them or those that its parent has not.
class FactBits {
 public:
  FactBits(const Task& task, Monitor& monitor)
      : task_(task),
        changed_(ChangedVariables::of(task, monitor)),
        words_((static_cast<std::size_t>(task.negated_facts_begin) + 63) / 64),
        parent_bits_(words_) {
    for (std::size_t v = 0; v < task.variables.size(); ++v)
      if (task.variables[v].derived()) derived_.push_back(static_cast<Id>(v));
    bits_.resize(words_);
  }

  std::size_t words() const { return words_; }
  const std::uint64_t* bits() const { return bits_.data(); }
  const std::vector<Id>& facts() const { return facts_; }

  void set(const Id* values) {
    fill(values, bits_);
    list_all(values);
  }

  /// The child of a parent, with the facts that are new; many children of one parent in a row are fast.
  void set(Id parent, Id action, const Id* values, const Id* parent_values) {
    if (parent != parent_) {
      fill(parent_values, parent_bits_);
      parent_ = parent;
    }
    bits_ = parent_bits_;
    facts_.clear();
    for (Id variable : changed_->by_action[action]) change(variable, values, parent_values);
    for (Id variable : derived_) change(variable, values, parent_values);
  }

  /// From now on `facts()` are all facts of the state.
  void list_all(const Id* values) {
    facts_.clear();
    for (std::size_t v = 0; v < task_.variables.size(); ++v)
      facts_.push_back(task_.variables[v].first_fact + values[v]);
  }

 private:
  static void flip(std::vector<std::uint64_t>& bits, Id fact) { bits[fact / 64] ^= std::uint64_t{1} << (fact % 64); }

  void fill(const Id* values, std::vector<std::uint64_t>& bits) const {
    for (std::uint64_t& word : bits) word = 0;
    for (std::size_t v = 0; v < task_.variables.size(); ++v) flip(bits, task_.variables[v].first_fact + values[v]);
  }

  void change(Id variable, const Id* values, const Id* parent_values) {
    if (values[variable] == parent_values[variable]) return;
    const Id first = task_.variables[variable].first_fact;
    flip(bits_, first + parent_values[variable]);
    flip(bits_, first + values[variable]);
    facts_.push_back(first + values[variable]);
  }

  const Task& task_;
  std::shared_ptr<const ChangedVariables> changed_;
  std::size_t words_;
  std::vector<Id> derived_;
  Id parent_ = -1;  // the state in `parent_bits_`
  std::vector<std::uint64_t> parent_bits_, bits_;
  std::vector<Id> facts_;
};

}  // namespace banditplan
