#pragma once

#include "check.hpp"
#include "task/task.hpp"

/// A ground task with random variables, actions, conditional effects and (in layers) axioms.
banditplan::Task random_task(Random& random, bool with_axioms);
/// The same with goals and costs.
banditplan::Task relaxable_task(Random& random, bool with_axioms);
/// Random values; those of derived variables are false.
std::vector<banditplan::Id> random_state(Random& random, const banditplan::Task& task);
