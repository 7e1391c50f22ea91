#include "model/liblinear_model.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "model/folded_weights.h"
#include "model/several_targets.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

struct SolverType {
  std::string_view name;
  std::string_view loss;  // ours
  bool classifies;
};

constexpr std::array<SolverType, 11> solver_types{{{"L2R_LR", "logistic", true},
                                                   {"L2R_LR_DUAL", "logistic", true},
                                                   {"L1R_LR", "logistic", true},
                                                   {"L2R_L2LOSS_SVC", "squared-hinge", true},
                                                   {"L2R_L2LOSS_SVC_DUAL", "squared-hinge", true},
                                                   {"L1R_L2LOSS_SVC", "squared-hinge", true},
                                                   {"L2R_L1LOSS_SVC_DUAL", "hinge", true},
                                                   {"MCSVM_CS", "multiclass-hinge", true},
                                                   {"L2R_L2LOSS_SVR", "squared-epsilon-insensitive", false},
                                                   {"L2R_L2LOSS_SVR_DUAL", "squared-epsilon-insensitive", false},
                                                   {"L2R_L1LOSS_SVR_DUAL", "epsilon-insensitive", false}}};

// ---- writing ----------------------------------------------------------------------------------------------------

// The type with the same loss if LIBLINEAR has one; otherwise one with the same predictions.
std::string_view solver_type_for(const LinearModel& model) {
  const std::string& loss = model.objective.loss;
  const bool l1_only = model.objective.l1 > 0 && model.objective.lambda == 0;
  if (model.joint()) return "MCSVM_CS";
  if (loss == "logistic") return l1_only ? "L1R_LR" : "L2R_LR";
  if (loss == "hinge") return "L2R_L1LOSS_SVC_DUAL";
  if (loss == "epsilon-insensitive") return "L2R_L1LOSS_SVR_DUAL";
  if (model.classifies()) return loss == "squared-hinge" && l1_only ? "L1R_L2LOSS_SVC" : "L2R_L2LOSS_SVC";
  return "L2R_L2LOSS_SVR";
}

int whole_label(double label, const std::string& path) {
  if (label != std::trunc(label) || std::abs(label) > std::numeric_limits<int>::max())
    throw Error(
        fmt::format("cannot write {}: labels are whole numbers in LIBLINEAR's model files, and {} is not one. Write "
                    "the model in Seesaw's format, or number the classes.",
                    path, label));
  return static_cast<int>(label);
}

// The scores of LIBLINEAR: a label and a column of weights for each, in its order. A binary model predicts the first
// label if the score of the first column is positive; a multiclass model the label of the largest score.
struct Columns {
  std::vector<double> labels;
  std::vector<double> weights;    // count() per feature
  std::vector<double> intercept;  // one per column

  std::size_t count() const { return intercept.size(); }
};

Columns columns_of(const LinearModel& model) {
  FoldedWeights folded = folded_weights(model);
  for (std::size_t k = 0; k < model.outputs(); ++k) folded.intercept[k] += folded.constant[k];
  Columns columns{.labels = model.labels, .weights = std::move(folded.x), .intercept = std::move(folded.intercept)};
  if (model.labels.size() == 2) std::swap(columns.labels[0], columns.labels[1]);
  if (model.joint() && model.labels.size() == 2) {
    // Half the difference and its negative: the differences of the scores are unchanged.
    const auto oppose = [](std::vector<double>& pairs) {
      for (std::size_t j = 0; j + 1 < pairs.size(); j += 2) {
        const double half = pairs[j + 1] / 2 - pairs[j] / 2;
        pairs[j] = half;
        pairs[j + 1] = -half;
      }
    };
    oppose(columns.weights);
    oppose(columns.intercept);
  }
  return columns;
}

void add_row(fmt::memory_buffer& text, const double* weights, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) fmt::format_to(fmt::appender(text), FMT_COMPILE("{:.17g} "), weights[k]);
  text.push_back('\n');
}

// ---- reading ----------------------------------------------------------------------------------------------------

// The words of a text between blanks, each with its place.
class Words {
 public:
  Words(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  std::optional<std::string_view> next() {
    while (at_ < text_.size() && is_blank(text_[at_])) {
      if (text_[at_] == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
      }
      ++at_;
    }
    begin_ = at_;
    if (at_ == text_.size()) return std::nullopt;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(begin_, at_ - begin_);
  }

  std::string_view expect(std::string_view what) {
    const auto word = next();
    if (!word) fail(fmt::format("the model ends before {}: the file is truncated.", what));
    return *word;
  }

  double number(std::string_view what) {
    const std::string_view word = expect(what);
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
      fail(fmt::format("expected {}, a finite number, and found '{}'.", what, word));
    return value;
  }

  std::size_t count(std::string_view what) {
    const std::string_view word = expect(what);
    std::size_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size())
      fail(fmt::format("expected {}, a whole number, and found '{}'.", what, word));
    return value;
  }

  [[noreturn]] void fail(const std::string& sentence) const {
    throw ParseError(path_, line_, begin_ - line_begin_ + 1, sentence);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0, begin_ = 0;
  std::size_t line_ = 1, line_begin_ = 0;
};

const SolverType& read_solver_type(Words& words) {
  const std::string_view name = words.expect("the solver's name");
  if (name == "ONECLASS_SVM") words.fail("one-class models of LIBLINEAR are not supported.");
  const auto found =
      std::find_if(solver_types.begin(), solver_types.end(), [&](const SolverType& type) { return type.name == name; });
  if (found == solver_types.end()) words.fail(fmt::format("'{}' is not a solver type of LIBLINEAR.", name));
  return *found;
}

struct LiblinearHeader {
  const SolverType* type = nullptr;
  std::size_t classes = 0;  // 2 for regression too
  std::optional<std::size_t> features;
  double bias = -1;            // negative: none
  std::vector<double> labels;  // two: the first is the one of positive scores

  // Only Crammer and Singer's type has two columns for two classes.
  std::size_t columns() const { return classes == 2 && type->loss != "multiclass-hinge" ? 1 : classes; }
};

std::size_t read_class_count(Words& words) {
  const std::size_t classes = words.count("the number of classes");
  if (classes < 2) words.fail("a model needs at least two classes.");
  return classes;
}

std::vector<double> read_labels(Words& words, std::size_t classes) {
  if (classes == 0) words.fail("the labels are given before the number of classes, nr_class.");
  std::vector<double> labels;
  std::set<double> known;
  for (std::size_t k = 0; k < classes; ++k) {
    labels.push_back(words.number("a label"));
    if (!known.insert(labels.back()).second)
      words.fail(fmt::format("the label {} occurs twice; labels must be distinct.", labels.back()));
  }
  return labels;
}

LiblinearHeader read_header(Words& words) {
  LiblinearHeader header;
  while (true) {
    const std::string_view key = words.expect("the line 'w' and the weights");
    if (key == "solver_type") {
      header.type = &read_solver_type(words);
    } else if (key == "nr_class") {
      header.classes = read_class_count(words);
    } else if (key == "nr_feature") {
      header.features = words.count("the number of features");
    } else if (key == "bias") {
      header.bias = words.number("the bias");
    } else if (key == "label") {
      header.labels = read_labels(words, header.classes);
    } else if (key == "w") {
      break;
    } else {
      words.fail(fmt::format("'{}' is not a key of LIBLINEAR's model files.", key));
    }
  }
  if (header.type == nullptr) words.fail("the weights begin, but the line 'solver_type' is missing.");
  if (!header.features) words.fail("the weights begin, but nr_feature, their number, is missing.");
  if (header.classes == 0) words.fail("the weights begin, but nr_class, the number of classes, is missing.");
  if (header.type->classifies && header.labels.size() != header.classes)
    words.fail("the weights begin, but the line 'label' is missing.");
  if (!header.type->classifies && header.classes != 2)
    words.fail(fmt::format("{} predicts one number, but nr_class is {}.", header.type->name, header.classes));
  return header;
}

// LIBLINEAR decides between two classes by the sign of the first column, whatever the second contains.
void decide_by_first_column(LinearModel& model) {
  for (std::size_t j = 0; j < model.x.size(); j += 2) model.x[j + 1] = -model.x[j];
  model.intercept[1] = -model.intercept[0];
}

// LIBLINEAR's labels are in any order; here they are ascending, and the columns are permuted accordingly.
void sort_classes(LinearModel& model) {
  const std::size_t outputs = model.outputs();
  std::vector<std::size_t> order(outputs);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t k, std::size_t l) { return model.labels[k] < model.labels[l]; });
  const auto permute = [&](std::vector<double>& rows) {
    std::vector<double> row(outputs);
    for (std::size_t begin = 0; begin < rows.size(); begin += outputs) {
      for (std::size_t k = 0; k < outputs; ++k) row[k] = rows[begin + order[k]];
      std::copy(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  };
  permute(model.labels);
  permute(model.intercept);
  permute(model.x);
}

}  // namespace

void write_liblinear_model(const LinearModel& model, const std::string& path) {
  if (several_targets(model))
    throw Error(
        fmt::format("cannot write {}: LIBLINEAR's format has one number to predict, and the model has {}. Write it "
                    "in Seesaw's format.",
                    path, model.outputs()));
  if (model.calibration)
    throw Error(fmt::format(
        "cannot write {}: LIBLINEAR's format has no calibration, which the model's probabilities need. Write "
        "it in Seesaw's format.",
        path));
  if (model.transform.scaling == Scaling::rows)
    throw Error(
        fmt::format("cannot write {}: the model scales every row to length 1, which LIBLINEAR's format cannot express. "
                    "Write it in Seesaw's format, or train without `scaling` rows.",
                    path));
  const Columns columns = columns_of(model);
  const bool has_intercept =
      model.objective.intercept != Intercept::none ||
      std::any_of(columns.intercept.begin(), columns.intercept.end(), [](double b) { return b != 0; });

  fmt::memory_buffer text;
  const auto out = fmt::appender(text);
  fmt::format_to(out, "solver_type {}\nnr_class {}\n", solver_type_for(model),
                 std::max<std::size_t>(2, columns.labels.size()));
  if (model.classifies()) {
    fmt::format_to(out, "label");
    for (const double label : columns.labels) fmt::format_to(out, " {}", whole_label(label, path));
    fmt::format_to(out, "\n");
  }
  fmt::format_to(out, "nr_feature {}\nbias {}\nw\n", model.features(), has_intercept ? 1 : -1);
  for (std::size_t j = 0; j < model.features(); ++j)
    add_row(text, columns.weights.data() + j * columns.count(), columns.count());
  if (has_intercept) add_row(text, columns.intercept.data(), columns.count());

  AtomicFile file(path);
  file.write(std::string_view(text.data(), text.size()));
  file.commit();
}

bool is_liblinear_model(const std::string& text) { return text.starts_with("solver_type "); }

LinearModel parse_liblinear_model(const std::string& text, const std::string& path) {
  Words words(text, path);
  const LiblinearHeader header = read_header(words);
  const std::size_t columns = header.columns();

  LinearModel model;
  model.objective.loss = header.type->loss;
  model.objective.intercept = header.bias >= 0 ? Intercept::free : Intercept::none;
  model.labels = header.type->classifies ? header.labels : std::vector<double>{};
  for (std::size_t j = 0; j < *header.features; ++j)
    for (std::size_t k = 0; k < columns; ++k) model.x.push_back(words.number("a weight"));
  model.intercept.assign(columns, 0.0);
  if (header.bias >= 0)
    for (double& b : model.intercept) b = header.bias * words.number("a weight");
  if (words.next()) words.fail("there are more weights than nr_feature, nr_class and bias specify.");

  if (columns == 1) {
    std::reverse(model.labels.begin(), model.labels.end());  // ours: of negative scores, of positive ones
  } else {
    if (columns == 2) decide_by_first_column(model);
    sort_classes(model);
  }
  return model;
}

}  // namespace seesaw
