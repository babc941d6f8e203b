#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "task/state.hpp"
#include "task/successors.hpp"
#include "task/task.hpp"

/// A task with what is needed to walk through its states; shared by all Python objects that speak of it.
struct TaskData {
  explicit TaskData(banditplan::Task t) : task(std::move(t)), successors(task), applier(task) {}

  banditplan::Task task;
  banditplan::SuccessorGenerator successors;
  banditplan::Applier applier;
};
using TaskHandle = std::shared_ptr<TaskData>;

struct PyTask {
  TaskHandle data;
  nanobind::object origin;  // what the task was made from; for the Python side alone
};

struct PyState {
  TaskHandle data;
  std::vector<banditplan::Id> values;
};

struct PyAction {
  TaskHandle data;
  banditplan::Id id;
};
