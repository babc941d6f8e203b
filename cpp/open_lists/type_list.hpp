#pragma once

#include "open_lists/groups.hpp"
#include "open_lists/open_list.hpp"

namespace banditplan {

/// The type of a state is the pair of its h and g: any type first, then any state of it, each as likely.
class TypeList : public OpenList {
 public:
  void push(Id h, std::int64_t g, Id state) override {
    types_.push(static_cast<std::uint64_t>(h) << 32 | static_cast<std::uint32_t>(g), state);
  }
  Id pop(Random& random) override { return types_.empty() ? kNone : types_.pop(random); }
  bool uses_g() const override { return true; }

 private:
  Groups types_;
};

}  // namespace banditplan
