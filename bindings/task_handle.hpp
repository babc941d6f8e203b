#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <optional>

#include "ground/coverage.hpp"
#include "states/packer.hpp"
#include "task/successors.hpp"
#include "task/task.hpp"

/// What tasks have in common that differ in initial state and goal alone: states and actions of one are states and
/// actions of the others.
class TaskFamily {
 public:
  explicit TaskFamily(std::optional<banditplan::Coverage> coverage) : coverage_(std::move(coverage)) {}

  /// Made when it is first needed.
  const banditplan::Atoms& atoms(const banditplan::Task& task) {
    std::call_once(once_, [&] { atoms_.emplace(task, std::move(coverage_)); });
    return *atoms_;
  }

 private:
  std::once_flag once_;
  std::optional<banditplan::Coverage> coverage_;
  std::optional<banditplan::Atoms> atoms_;
};

/// A task, shared by all Python objects that speak of it.
struct TaskData : private banditplan::Task, std::enable_shared_from_this<TaskData> {
  explicit TaskData(banditplan::Task t, std::optional<banditplan::Coverage> coverage = std::nullopt)
      : TaskData(std::move(t), std::make_shared<TaskFamily>(std::move(coverage))) {}
  TaskData(banditplan::Task t, std::shared_ptr<TaskFamily> f) : Task(std::move(t)), task(*this), family(std::move(f)) {}

  /// Every task that Python code can reach is part of a TaskData.
  static std::shared_ptr<TaskData> of(const banditplan::Task& part) {
    return std::const_pointer_cast<TaskData>(static_cast<const TaskData&>(part).shared_from_this());
  }

  const banditplan::Atoms& atoms() const { return family->atoms(task); }

  const banditplan::Task& task;
  const std::shared_ptr<TaskFamily> family;
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

/// A batch of states.
struct PyStates {
  TaskHandle data;
  std::vector<banditplan::Id> values;  // one state after the other
  std::size_t count;

  std::size_t width() const { return data->task.variables.size(); }
};

struct PyAction {
  TaskHandle data;
  banditplan::Id id;
};

/// Raises ValueError unless what belongs to one task belongs to the other, too.
inline void same_task(const TaskHandle& task, const TaskHandle& other, const char* what) {
  if (task->family != other->family)
    throw nanobind::value_error((std::string(what) + " belongs to another task").c_str());
}
