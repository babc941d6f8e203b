#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "component.hpp"
#include "outside.hpp"
#include "play/play.hpp"
#include "python_bandit.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

constexpr const char* kModule = "banditplan.bandits";

std::shared_ptr<const Bandit> bandit_from(nb::handle value) {
  try {
    return to_bandit(value);
  } catch (const nb::cast_error&) {
    throw nb::type_error("the bandit must be a Bandit, such as Ucb1(), or a function from arms to scores");
  }
}

std::vector<Outcome> play_all(nb::handle bandit, std::vector<std::shared_ptr<const Costs>> arms,
                              std::vector<std::int64_t> times, std::int64_t initial_pulls, std::uint64_t seed,
                              std::int64_t repetitions) {
  const Game game{bandit_from(bandit), std::move(arms), initial_pulls, std::move(times)};
  Outside outside(std::nullopt, std::nullopt, std::nullopt);
  std::vector<Outcome> outcomes;
  try {
    nb::gil_scoped_release release;
    for (std::int64_t i = 0; i < repetitions; ++i)
      outcomes.push_back(play(game, seed + static_cast<std::uint64_t>(i), outside.monitor));
  } catch (const Stopped&) {
    outside.raise_if_failed();
  }
  return outcomes;
}

}  // namespace

void bind_play(nb::module_& module) {
  nb::class_<Costs>(module, "Costs", "Where the costs of a synthetic arm come from.")
      .def_prop_ro("expected", &Costs::mean, "The mean cost.")
      .def_prop_ro("variance", &Costs::variance, "Of a single cost.");
  Component<GaussianCosts, Costs>(module, "Gaussian", "gaussian", "Gaussian costs.")
      .option("mean", &GaussianCosts::center, "float", "The mean cost.")
      .option("deviation", &GaussianCosts::deviation, "float", "The standard deviation.")
      .home(kModule)
      .done();
  Component<Uniform, Costs>(module, "Uniform", "uniform", "Bounded costs: uniform between low and high.")
      .option("low", &Uniform::low, "float", "The least cost.")
      .option("high", &Uniform::high, "float", "The greatest cost.")
      .home(kModule)
      .done();
  Component<Constant, Costs>(module, "Constant", "constant", "A deterministic cost.")
      .option("cost", &Constant::cost, "float", "Of every pull.")
      .home(kModule)
      .done();
  Component<Urn, Costs>(module, "Urn", "urn", "A finite set of costs, drawn without replacement.")
      .option("costs", &Urn::costs, "collections.abc.Sequence[float]", "What is in it.")
      .option("replace", &Urn::replace, "bool", "Whether a cost goes back after it was drawn.")
      .home(kModule)
      .done();

  nb::class_<Outcome>(module, "Outcome", "What came of a game with synthetic arms.")
      .def_ro("regret", &Outcome::regret, "Cumulative, at each of the times.")
      .def_ro("least", &Outcome::least, "The least cost met, at each of the times.")
      .def_ro("pulls", &Outcome::pulls, "Of each arm, at the end.");
  module.def("play", &play_all, "bandit"_a, "arms"_a, "times"_a, "initial_pulls"_a, "seed"_a, "repetitions"_a,
             nb::sig("def play(bandit: Bandit | collections.abc.Callable[[Arms], collections.abc.Iterable[float]], "
                     "arms: collections.abc.Sequence[Costs], times: collections.abc.Sequence[int], "
                     "initial_pulls: int, seed: int, repetitions: int) -> list[Outcome]"),
             "Plays games with the seeds seed, seed + 1 …, without the GIL. See `banditplan.bandits.play`.");
}
