// Races on random tasks: the same answer as from one search, by turns and by threads, which share nothing but the task.

#include "check.hpp"
#include "random_task.hpp"
#include "searches/agile.hpp"
#include "searches/bfs.hpp"
#include "searches/gbfs.hpp"
#include "searches/guct.hpp"
#include "searches/race.hpp"
#include "searches/series.hpp"

namespace bp = banditplan;

namespace {

bp::Race race(std::int64_t threads) {
  bp::Series series;
  series.searches = {std::make_shared<bp::Gbfs>(), std::make_shared<bp::Bfs>()};
  bp::Race result;
  result.searches = {std::make_shared<bp::Gbfs>(), std::make_shared<bp::Guct>(), std::make_shared<bp::Agile>(),
                     std::make_shared<bp::Series>(series)};
  result.threads = threads;
  return result;
}

}  // namespace

TEST(race_decides_as_one_search_does) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const bp::Task task = random_task(random, seed % 2 == 0);
    bp::Monitor monitor;
    const bp::Status expected = bp::Bfs().run({task, monitor}).status;
    for (std::int64_t threads : {1, 2, 4}) {
      bp::Monitor own;
      const bp::SearchResult result = race(threads).run({.task = task, .monitor = own, .seed = seed});
      CHECK(result.status == expected);
      CHECK(result.parts.size() == 4 || result.evaluations == 0);
    }
  }
}

TEST(race_stops_when_it_is_told_to) {
  Random random(7);
  const bp::Task task = random_task(random, true);
  bp::Monitor monitor;
  monitor.poll = [](const bp::Progress&) { return false; };
  const bp::Status status = race(3).run({task, monitor}).status;
  CHECK(status == bp::Status::interrupted || status == bp::Status::solved || status == bp::Status::unsolvable);
}
