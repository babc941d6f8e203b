#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "states/packer.hpp"
#include "task/successors.hpp"
#include "task/task.hpp"

/// A task, shared by all Python objects that speak of it.
struct TaskData : private banditplan::Task, std::enable_shared_from_this<TaskData> {
  explicit TaskData(banditplan::Task t) : Task(std::move(t)), task(*this) {}

  /// Every task that Python code can reach is part of a TaskData.
  static std::shared_ptr<TaskData> of(const banditplan::Task& part) {
    return std::const_pointer_cast<TaskData>(static_cast<const TaskData&>(part).shared_from_this());
  }

  const banditplan::Task& task;
  std::optional<banditplan::Applier> applier;  // for those who hold the GIL; made when it is first needed
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
