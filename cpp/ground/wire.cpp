#include "ground/wire.hpp"

#include <stdexcept>

namespace banditplan {

namespace {

class Reader {
 public:
  Reader(std::span<const Id> stream, LiftedTask& task) : stream_(stream), task_(task) {}

  void read() {
    for (ActionSchema& action : task_.actions) read_action(action);
    for (AxiomSchema& axiom : task_.axioms) {
      axiom.variables = ids();
      axiom.head = atom();
      axiom.body = condition();
      axiom.stratum = next();
    }
    task_.goal = condition();
    if (!stream_.empty()) throw std::invalid_argument("schemas: the stream is too long");
  }

 private:
  Id next() {
    if (stream_.empty()) throw std::invalid_argument("schemas: the stream is too short");
    const Id value = stream_.front();
    stream_ = stream_.subspan(1);
    return value;
  }

  std::vector<Id> ids(Id count) {
    if (count < 0 || static_cast<std::size_t>(count) > stream_.size())
      throw std::invalid_argument("schemas: a list is longer than the stream");
    std::vector<Id> result(stream_.begin(), stream_.begin() + count);
    stream_ = stream_.subspan(static_cast<std::size_t>(count));
    return result;
  }
  std::vector<Id> ids() { return ids(next()); }

  LiftedAtom atom_of(Id predicate) {
    return {predicate,
            ids(predicate == kEquality ? 2 : task_.predicates.at(static_cast<std::size_t>(predicate)).arity)};
  }
  LiftedAtom atom() { return atom_of(next()); }

  std::vector<LiftedLiteral> condition() {
    std::vector<LiftedLiteral> result(static_cast<std::size_t>(next()));
    for (LiftedLiteral& literal : result) {
      const Id code = next();
      literal.negated = (code & 1) != 0;
      literal.atom = atom_of(code >> 1);
    }
    return result;
  }

  void read_action(ActionSchema& action) {
    action.variables = ids();
    action.visible = static_cast<std::size_t>(next());
    action.precondition = condition();
    action.effects.resize(static_cast<std::size_t>(next()));
    for (LiftedEffect& effect : action.effects) {
      effect.variables = ids();
      effect.condition = condition();
      effect.deletes = next() != 0;
      effect.atom = atom();
    }
    action.cost = next();
    action.cost_terms.resize(static_cast<std::size_t>(next()));
    for (CostTerm& term : action.cost_terms) {
      term.function = next();
      term.arguments = ids(task_.function_arities.at(static_cast<std::size_t>(term.function)));
    }
  }

  std::span<const Id> stream_;
  LiftedTask& task_;
};

}  // namespace

void read_schemas(std::span<const Id> stream, LiftedTask& task) { Reader(stream, task).read(); }

}  // namespace banditplan
