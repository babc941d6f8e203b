#include "open_lists/preferred_list.hpp"

namespace banditplan {

namespace {

class PreferredFrontier : public Frontier {
 public:
  PreferredFrontier(std::unique_ptr<Frontier> list, bool plants) : list_(std::move(list)), plants_(plants) {}

  void push(const Expansion& expansion) override {
    if (plants_ && expansion.state == kNoState) return list_->push(expansion);
    some_.state = expansion.state;
    some_.columns = expansion.columns;
    some_.alike = expansion.alike;
    some_.all_known = expansion.all_known;
    some_.children.clear();
    some_.values.clear();
    if (expansion.alike) some_.values = expansion.values;
    for (std::size_t i = 0; i < expansion.children.size(); ++i) {
      if (!expansion.children[i].preferred) continue;
      some_.children.push_back(expansion.children[i]);
      if (!expansion.alike) some_.values.insert(some_.values.end(), expansion.row(i).begin(), expansion.row(i).end());
    }
    list_->push(some_);
  }

  void revalue(StateId state, std::span<const Value> row) override { list_->revalue(state, row); }
  void discard(StateId state) override { list_->discard(state); }
  void discard_if(const std::function<bool(StateId)>& hopeless) override { list_->discard_if(hopeless); }
  /// Other lists hold it.
  void reopen(StateId, std::span<const Value>) override {}
  void improved() override { list_->improved(); }
  void tell(Coming& coming) const override { list_->tell(coming); }

 private:
  StateId take(Random& random, const SearchSpace& space) override { return list_->pop(random, space); }

  std::unique_ptr<Frontier> list_;
  bool plants_;     // a tree needs its root, preferred or not
  Expansion some_;  // the preferred ones among the children
};

}  // namespace

std::unique_ptr<Frontier> PreferredList::bind(const Columns& columns, SearchSpace& space) const {
  return std::make_unique<PreferredFrontier>(list->bind(columns, space), list->has_tree());
}

}  // namespace banditplan
