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

/// Whatever its turn is, it does something.
class Pretended : public bp::Search {
 public:
  /// Given the number of the turn and what has been done by then; work is filled in.
  using Turn = std::function<void(int number, bp::SearchResult& result)>;

  explicit Pretended(Turn turn) : turn_(std::move(turn)) {}

  std::unique_ptr<bp::Searching> begin(const bp::SearchRequest&, bp::Wanted) const override {
    struct UnderWay : bp::Searching {
      explicit UnderWay(Turn done) : turn(std::move(done)) {}
      bp::SearchResult next(std::optional<std::int64_t>) override {
        result.status = bp::Status::paused;
        result.work = *limits.work;
        turn(++number, result);
        return result;
      }
      void set_limits(const bp::SearchLimits& given) override { limits = given; }

      Turn turn;
      bp::SearchLimits limits;
      bp::SearchResult result;
      int number = 0;
    };
    return std::make_unique<UnderWay>(turn_);
  }

 private:
  Turn turn_;
};

std::shared_ptr<bp::Search> solves_in_turn(int last) {
  return std::make_shared<Pretended>([last](int number, bp::SearchResult& result) {
    if (number == last) result.status = bp::Status::solved;
  });
}

/// Takes so many megabytes in every turn.
std::shared_ptr<bp::Search> takes_memory(std::size_t megabytes) {
  return std::make_shared<Pretended>([megabytes, taken = std::vector<std::vector<char>>()](
                                         int, bp::SearchResult&) mutable { taken.emplace_back(megabytes << 20, 'x'); });
}

std::shared_ptr<bp::Search> lacks_memory() {
  return std::make_shared<Pretended>([](int, bp::SearchResult& result) { result.status = bp::Status::memory_limit; });
}

bp::SearchResult race_within(std::size_t megabytes, std::vector<bp::SearchPointer> searches, std::int64_t threads) {
  Random random(7);
  const bp::Task task = random_task(random, true);
  bp::Monitor monitor;
  monitor.memory_limit_kb = bp::resident_memory_kb() + 1024 * megabytes;
  bp::Race race;
  race.searches = std::move(searches);
  race.threads = threads;
  return race.run({task, monitor});
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

TEST(race_ends_a_search_before_its_turn_takes_too_much_memory) {
  const bp::SearchResult result = race_within(200, {takes_memory(40), solves_in_turn(20)}, 1);
  CHECK(result.status == bp::Status::solved);
  CHECK(result.decided_by == 1u);
  CHECK(result.parts[0].status == bp::Status::memory_limit);
}

TEST(race_is_left_to_the_others_by_a_search_that_lacks_memory) {
  for (std::int64_t threads : {1, 2}) {
    bp::SearchResult result = race_within(1000, {lacks_memory(), solves_in_turn(3)}, threads);
    CHECK(result.status == bp::Status::solved);
    CHECK(result.parts[0].status == bp::Status::memory_limit);
    result = race_within(1000, {lacks_memory(), lacks_memory()}, threads);
    CHECK(result.status == bp::Status::memory_limit);
    CHECK(!result.decided_by);
  }
}
