#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "bandits/greedy.hpp"
#include "bandits/ttts_normal.hpp"
#include "bandits/ucb1.hpp"
#include "bandits/ucb1_01.hpp"
#include "bandits/ucb1_normal.hpp"
#include "bandits/ucb1_normal2.hpp"
#include "bandits/ucb1_tuned.hpp"
#include "bandits/ucb1_uniform.hpp"
#include "bandits/ucb_v.hpp"
#include "bindings.hpp"
#include "component.hpp"
#include "python_bandit.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditplan;

namespace {

constexpr const char* kRate = "The exploration rate.";

std::uint32_t pulls(double count) {
  if (!(count >= 1 && count <= 0x7fffffff) || count != std::floor(count))
    throw nb::value_error(
        ("a count must be a whole number from 1 to 2147483647, not " + std::to_string(count)).c_str());
  return static_cast<std::uint32_t>(count);
}

std::size_t choose(const Bandit& bandit, const std::vector<double>& count, const std::vector<double>& mean,
                   const std::vector<double>& variance, const std::vector<double>& minimum,
                   const std::vector<double>& maximum, double total, std::uint64_t seed) {
  std::vector<Arm> arms;
  std::vector<Extremes> extremes;
  for (std::size_t i = 0; i < count.size(); ++i) {
    const bool middle = bandit.center() == Center::midrange;
    arms.push_back({.estimate = middle ? (minimum.at(i) + maximum.at(i)) / 2 : mean.at(i),
                    .variance = variance.at(i),
                    .count = pulls(count.at(i)) & 0x7fffffffu,
                    .open_minimum = 0});  // not locked
    extremes.push_back({minimum.at(i), maximum.at(i)});
  }
  if (arms.empty()) throw nb::value_error("there is no arm");
  Random random(seed);
  return bandit.choose({.all = arms, .total = total, .log_total = logarithm(total), .extremes = extremes}, random);
}

}  // namespace

void bind_bandits(nb::module_& module) {
  nb::class_<Bandit>(module, "Bandit", "How one of several arms is chosen: the lowest confidence bound wins.")
      .def("choose", &choose, "count"_a, "mean"_a, "variance"_a, "minimum"_a, "maximum"_a, "total"_a, "seed"_a = 0,
           "The index of the arm that the bandit chooses, given the statistics of each and the parent's count.")
      .def_prop_ro(
          "center", [](const Bandit& bandit) { return bandit.center() == Center::midrange ? "midrange" : "mean"; },
          nb::sig("def center(self) -> typing.Literal['mean', 'midrange']"),
          "What the estimate of an arm is, unless a backup says otherwise.");

  Component<Ucb1, Bandit>(module, "Ucb1", "ucb1", "UCB1 (Auer, Cesa-Bianchi and Fischer 2002): one known range.")
      .option("c", &Ucb1::c, "float", kRate)
      .score("bound", "Ê − c √(2 ln T / n)")
      .tree("guct")
      .done();
  Component<Ucb101, Bandit>(module, "Ucb101", "ucb1_01",
                            "UCB1-01 (Schulte and Keller 2014): the range of the arms' means.")
      .option("c", &Ucb101::c, "float", kRate)
      .score("bound", "Ê − c · (range of the estimates) · √(2 ln T / n)")
      .tree("guct-01")
      .done();
  Component<UcbV, Bandit>(module, "UcbV", "ucb_v",
                          "UCB-V (Audibert, Munos and Szepesvári 2009): known range, unknown variance.")
      .option("c", &UcbV::c, "float", kRate)
      .score("bound", "Ê − σ √(2 ln T / n) − 3 c ln T / n")
      .tree("guct-v")
      .done();
  Component<Ucb1Tuned, Bandit>(module, "Ucb1Tuned", "ucb1_tuned",
                               "UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002): variance of at most 1/4.")
      .option("c", &Ucb1Tuned::c, "float", kRate)
      .score("bound", "Ê − c √(min(1/4, σ² + √(2 ln T / n)) ln T / n)")
      .tree("guct-tuned")
      .done();
  Component<Ucb1Normal, Bandit>(module, "Ucb1Normal", "normal",
                                "UCB1-Normal (Auer, Cesa-Bianchi and Fischer 2002): Gaussian, with initial pulls.")
      .score("bound", "Ê − σ √(16 ln T / n); before that, ⌊8 ln T⌋ initial pulls of every arm")
      .tree("guct-normal")
      .done();
  Component<Ucb1Normal2, Bandit>(module, "Ucb1Normal2", "normal2",
                                 "UCB1-Normal2 (Wissow and Asai 2024): Gaussian, at the scale of each arm.")
      .score("bound", "Ê − σ √(2 ln T)")
      .tree("guct-normal2")
      .done();
  Component<Ucb1Uniform, Bandit>(module, "Ucb1Uniform", "uniform",
                                 "UCB1-Uniform (Asai and Wissow 2026): uniform between unknown bounds.")
      .score("bound", "Ê − (maximum − minimum) √(6 n ln T)")
      .tree("guct-uniform")
      .done();
  Component<TttsNormal, Bandit>(module, "TttsNormal", "ttts",
                                "TTTS-Normal (Russo 2020): top-two Thompson sampling, Gaussian.")
      .score("draw", "a draw from N(Ê, σ² / n)")
      .tree("ttts-normal")
      .done();
  Component<Greedy, Bandit>(module, "Greedy", "greedy", "No exploration: the least mean.")
      .score("estimate", "Ê")
      .done();
  bind_python_bandit(module);
}
