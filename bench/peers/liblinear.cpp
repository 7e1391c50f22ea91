// LIBLINEAR's train() in process, on data read once. Requests and answers are JSON lines:
//   {"solver": 3, "C": 1, "tolerance": 0.1, "cap": 2, "loss": "hinge", "lambda": 1e-4, "l1": 0}
//   {"cpu": 0.12, "wall": 0.12, "primal": 0.35, "pass_limit": false, "runs": 3}
// Only train() is timed. The primal value is that of our objective (docs/notation.md) at its weights, summed in
// extended precision.
//
// usage: peers_liblinear DATA
#include <fmt/format.h>
#include <linear.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <iostream>
#include <vector>

#include "data/readers/read.h"
#include "peers/capped.h"
#include "seesaw/error.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

bool reached_pass_limit = false;
void record_message(const char* text) { reached_pass_limit |= std::strstr(text, "max number of iter") != nullptr; }

// The data in LIBLINEAR's format: a list of (index, value) per row, terminated by index -1.
struct Nodes {
  std::vector<feature_node> entries;
  std::vector<feature_node*> rows;
  std::vector<double> labels;
  problem data{};

  explicit Nodes(const Dataset& from) : labels(from.labels) {
    std::vector<std::size_t> begins;
    std::visit(
        [&](const auto& stored) {
          for (std::size_t i = 0; i < stored.count(); ++i) {
            begins.push_back(entries.size());
            for_each(stored.row(i), [&](std::size_t j, double value) {
              if (value != 0) entries.push_back({static_cast<int>(j) + 1, value});
            });
            entries.push_back({-1, 0});
          }
        },
        from.rows);
    for (const std::size_t begin : begins) rows.push_back(entries.data() + begin);
    data.l = static_cast<int>(from.n());
    data.n = static_cast<int>(from.d());
    data.y = labels.data();
    data.x = rows.data();
    data.bias = -1;
  }
};

long double value_of(const std::string& loss, long double z, long double b) {
  if (loss == "hinge") return std::max(0.0L, 1 - b * z);
  if (loss == "squared-hinge") return std::pow(std::max(0.0L, 1 - b * z), 2.0L);
  if (loss == "logistic") return std::max(0.0L, -b * z) + std::log1p(std::exp(-std::fabs(z)));
  if (loss == "squared") return (z - b) * (z - b) / 2;
  if (loss == "absolute") return std::fabs(z - b);
  throw Error("no loss " + loss);
}

long double primal_of(const Nodes& nodes, const model& found, const Json& request) {
  const bool classes = found.nr_class == 2 && found.param.solver_type < L2R_L2LOSS_SVR;
  const long double sign = classes && found.label[0] < 0 ? -1 : 1;  // in LIBLINEAR positive scores mean its first label
  const auto loss = request.at("loss").get<std::string>();
  long double sum = 0, squares = 0, absolutes = 0;
  for (std::size_t i = 0; i < nodes.rows.size(); ++i) {
    long double z = 0;
    for (const feature_node* entry = nodes.rows[i]; entry->index != -1; ++entry)
      z += static_cast<long double>(entry->value) * static_cast<long double>(found.w[entry->index - 1]);
    sum += value_of(loss, sign * z, static_cast<long double>(nodes.labels[i]));
  }
  for (int j = 0; j < found.nr_feature; ++j) {
    const auto weight = static_cast<long double>(found.w[j]);
    squares += weight * weight;
    absolutes += std::fabs(weight);
  }
  return sum / static_cast<long double>(nodes.rows.size()) + request.at("lambda").get<double>() * squares / 2 +
         request.at("l1").get<double>() * absolutes;
}

Json answer(const Nodes& nodes, const Json& request) {
  parameter settings{};
  settings.solver_type = request.at("solver");
  settings.C = request.at("C");
  settings.eps = request.at("tolerance");
  settings.p = 0;
  if (const char* wrong = check_parameter(&nodes.data, &settings)) return {{"error", wrong}};
  return quickest(request.at("cap"), request, [&] {
    reached_pass_limit = false;
    model* found = nullptr;
    const Seconds seconds = seconds_of([&] { found = train(&nodes.data, &settings); });
    limit_cpu(1e6);  // the evaluation is not limited
    const long double primal = primal_of(nodes, *found, request);
    free_and_destroy_model(&found);
    return Json{{"cpu", seconds.cpu},
                {"wall", seconds.wall},
                {"primal", static_cast<double>(primal)},
                {"pass_limit", reached_pass_limit}};
  });
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: {} DATA\n", arguments[0]);
    return 2;
  }
  try {
    const Nodes nodes(read_dataset(arguments[1]));
    set_print_string_function(record_message);
    for (std::string line; std::getline(std::cin, line);) {
      const Json request = Json::parse(line);
      fmt::print("{}\n", in_child([&] { return answer(nodes, request); }).dump());
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", arguments[0], error.what());
    return 2;
  }
}
