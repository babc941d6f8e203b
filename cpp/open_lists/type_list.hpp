#pragma once

#include "open_lists/groups.hpp"
#include "open_lists/ordered_by.hpp"

namespace banditplan {

/// Any type first, then any state of it, each as likely: the type of a state is the pair of its h and its g (Xie,
/// Müller, Holte and Imai 2014).
struct TypeList : OrderedBy {
  std::unique_ptr<Frontier> bind(const Columns& columns, SearchSpace& space) const override {
    return std::make_unique<TypeQueue>(space, columns.of(*heuristic));
  }
  bool uses_g() const override { return true; }

 private:
  class TypeQueue : public Queue {
   public:
    TypeQueue(const SearchSpace& space, std::size_t column) : Queue(space), column_(column) {}

   private:
    void insert(StateId state, std::span<const Value> row) override {
      types_.push(static_cast<std::uint64_t>(row[column_]) << 32 | static_cast<std::uint32_t>(g(state)), state);
    }
    StateId take(Random& random, const SearchSpace&) override { return types_.empty() ? kNoState : types_.pop(random); }

    std::size_t column_;
    Groups types_;
  };
};

}  // namespace banditplan
