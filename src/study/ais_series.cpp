#include "study/ais_series.h"

#include "study/ais_probe.h"

namespace seesaw {
namespace {

AisProbe probed(const SeriesInput& input, std::string_view kind) {
  std::size_t seed = 1;
  OptionReader reader(input.options);
  reader.count("seed", seed, "of the draws");
  reader.finish(kind);
  return probe_ais(input.problem, dual_optimum(input.problem), {.passes = input.max_passes, .seed = seed});
}

Curve curve(std::vector<double> x, std::vector<double> y) {
  Curve result;
  result.x = std::move(x);
  result.y = std::move(y);
  return result;
}

}  // namespace

std::vector<Curve> ais_theta(const SeriesInput& input) {
  AisProbe probe = probed(input, "ais-theta");
  return {curve(std::move(probe.iteration), std::move(probe.theta_t))};
}

std::vector<Curve> ais_rate(const SeriesInput& input) {
  OptionReader(input.options).finish("ais-rate");
  const double theta = probe_ais(input.problem, {}, {.passes = 0}).theta;
  return {curve({0, input.max_passes * static_cast<double>(input.problem.n())}, {theta, theta})};
}

std::vector<Curve> ais_rho(const SeriesInput& input) {
  AisProbe probe = probed(input, "ais-rho");
  return {curve(std::move(probe.iteration), std::move(probe.rho_t))};
}

}  // namespace seesaw
