#pragma once

#include "searches/search.hpp"

/// The name of a status in records.
inline const char* status_name(banditplan::Status status) {
  using banditplan::Status;
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::unsolvable:
      return "unsolvable";
    case Status::exhausted:
      return "exhausted";
    case Status::evaluation_limit:
      return "evaluation-limit";
    case Status::expansion_limit:
      return "expansion-limit";
    case Status::time_limit:
      return "time-limit";
    case Status::memory_limit:
      return "memory-limit";
    case Status::interrupted:
      return "interrupted";
    case Status::paused:
      return "paused";
  }
  return "error";
}
