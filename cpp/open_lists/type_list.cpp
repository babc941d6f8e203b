#include "open_lists/type_list.hpp"

#include "open_lists/groups.hpp"

namespace banditplan {

namespace {

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

}  // namespace

std::unique_ptr<Frontier> TypeList::bind(const Columns& columns, SearchSpace& space) const {
  return std::make_unique<TypeQueue>(space, columns.of(*heuristic));
}

}  // namespace banditplan
