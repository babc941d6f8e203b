#include "searches/tree_trace.hpp"

#include <algorithm>
#include <cstdio>

namespace banditplan {

namespace {

/// Enough digits to read the number back.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  double shorter = 0;
  char brief[32];
  std::snprintf(brief, sizeof brief, "%.6g", value);
  std::sscanf(brief, "%lf", &shorter);
  return shorter == value ? brief : text;
}

std::string field(const char* name, const std::string& value) { return std::string("\"") + name + "\": " + value; }
std::string field(const char* name, std::int64_t value) { return field(name, std::to_string(value)); }

}  // namespace

void TreeTrace::chosen(const Tree& tree, Id parent, std::span<const Id> candidates, std::span<const Arm> arms,
                       std::size_t index) {
  if (visits_ % stride_ != 0 || choices_ == kMostChoices) return;
  ++choices_;
  if (!choice_lines_.empty()) choice_lines_ += ", ";
  choice_lines_ += "{" + field("node", parent) + ", " + field("g", tree.node(parent).g) + ", " +
                   field("total", tree.statistics(parent).count) + ", " + field("chosen", candidates[index]) + ", " +
                   field("offered", static_cast<std::int64_t>(arms.size())) + ", \"arms\": [";
  for (std::size_t i = 0; i < std::min(arms.size(), kMostArms); ++i) {
    const std::size_t shown = i + 1 == kMostArms && index >= kMostArms ? index : i;
    const Arm& arm = arms[shown];
    choice_lines_ += (i == 0 ? "{" : ", {") + field("node", candidates[shown]) + ", " +
                     field("count", number(arm.count)) + ", " + field("mean", number(arm.mean)) + ", " +
                     field("variance", number(arm.variance)) + ", " + field("minimum", number(arm.minimum)) + ", " +
                     field("maximum", number(arm.maximum)) + "}";
  }
  choice_lines_ += "]}";
}

void TreeTrace::visited(const Tree& tree, Id leaf, const SearchResult& result) {
  if (visits_++ % stride_ != 0) return;
  const Statistics& root = tree.statistics(0);
  lines_.push_back("{" + field("expansions", result.expansions) + ", " + field("evaluations", result.evaluations) +
                   ", " + field("inserted", result.inserted) + ", " +
                   field("best_h", result.best_h ? std::to_string(*result.best_h) : "null") + ", " +
                   field("nodes", tree.size()) + ", " + field("leaves", root.count) + ", " + field("leaf", leaf) +
                   ", " + field("depth", tree.node(leaf).g) + ", " + field("h", tree.node(leaf).h) + ", " +
                   field("locked", tree.locked(leaf) ? "true" : "false") + ", \"choices\": [" + choice_lines_ + "]}\n");
  choice_lines_.clear();
  choices_ = 0;
  if (lines_.size() < kMostLines) return;
  for (std::size_t i = 0; 2 * i < lines_.size(); ++i) lines_[i] = std::move(lines_[2 * i]);
  lines_.resize((lines_.size() + 1) / 2);
  stride_ *= 2;
}

std::string TreeTrace::text() const {
  std::string all;
  for (const std::string& line : lines_) all += line;
  return all;
}

}  // namespace banditplan
