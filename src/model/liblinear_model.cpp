#include "model/liblinear_model.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/atomic_file.h"
#include "model/folded_weights.h"
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
                                                   {"MCSVM_CS", "hinge", true},
                                                   {"L2R_L2LOSS_SVR", "squared-epsilon-insensitive", false},
                                                   {"L2R_L2LOSS_SVR_DUAL", "squared-epsilon-insensitive", false},
                                                   {"L2R_L1LOSS_SVR_DUAL", "epsilon-insensitive", false}}};

// ---- writing ----------------------------------------------------------------------------------------------------

// The type of the same loss, where LIBLINEAR has it; otherwise one that predicts alike.
std::string_view solver_type_for(const LinearModel& model) {
  const std::string& loss = model.objective.loss;
  const bool l1_only = model.objective.l1 > 0 && model.objective.lambda == 0;
  if (loss == "logistic") return l1_only ? "L1R_LR" : "L2R_LR";
  if (loss == "hinge") return "L2R_L1LOSS_SVC_DUAL";
  if (loss == "epsilon-insensitive") return "L2R_L1LOSS_SVR_DUAL";
  if (model.classifies()) return loss == "squared-hinge" && l1_only ? "L1R_L2LOSS_SVC" : "L2R_L2LOSS_SVC";
  return "L2R_L2LOSS_SVR";
}

int whole_label(double label, const std::string& path) {
  if (label != std::trunc(label) || std::abs(label) > std::numeric_limits<int>::max())
    throw Error(
        fmt::format("cannot write {}: LIBLINEAR's model file holds only whole numbers as labels, and {} is none. "
                    "Write the model in our own format, or number the classes.",
                    path, label));
  return static_cast<int>(label);
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
    if (!word) fail(fmt::format("the model ends where {} should stand: the file was cut off.", what));
    return *word;
  }

  double number(std::string_view what) {
    const std::string_view word = expect(what);
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
      fail(fmt::format("'{}' stands where {} should: a finite number.", word, what));
    return value;
  }

  std::size_t count(std::string_view what) {
    const std::string_view word = expect(what);
    std::size_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size())
      fail(fmt::format("'{}' stands where {} should: a whole number.", word, what));
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
  if (name == "ONECLASS_SVM") words.fail("one-class models of LIBLINEAR are not read.");
  const auto found =
      std::find_if(solver_types.begin(), solver_types.end(), [&](const SolverType& type) { return type.name == name; });
  if (found == solver_types.end()) words.fail(fmt::format("'{}' is no solver of LIBLINEAR that is known here.", name));
  return *found;
}

void read_class_count(Words& words) {
  const std::size_t classes = words.count("the number of classes");
  if (classes > 2) words.fail(fmt::format("this model has {} classes; multiclass models are not read yet.", classes));
  if (classes < 2) words.fail("this model knows a single class only, so there is nothing to predict.");
}

struct Header {
  const SolverType* type = nullptr;
  std::optional<std::size_t> features;
  double bias = -1;            // negative: none
  std::vector<double> labels;  // the first is the one of positive scores
};

Header read_header(Words& words) {
  Header header;
  bool classes = false;
  while (true) {
    const std::string_view key = words.expect("the line 'w' and the weights");
    if (key == "solver_type") {
      header.type = &read_solver_type(words);
    } else if (key == "nr_class") {
      read_class_count(words);
      classes = true;
    } else if (key == "nr_feature") {
      header.features = words.count("the number of features");
    } else if (key == "bias") {
      header.bias = words.number("the bias");
    } else if (key == "label") {
      if (!classes) words.fail("the labels stand before the number of classes, nr_class.");
      header.labels = {words.number("a label"), words.number("a label")};
    } else if (key == "w") {
      break;
    } else {
      words.fail(fmt::format("'{}' is not known in a model of LIBLINEAR.", key));
    }
  }
  if (header.type == nullptr) words.fail("the weights begin, but the line 'solver_type' is missing.");
  if (!header.features) words.fail("the weights begin, but nr_feature, their number, is missing.");
  if (header.type->classifies && header.labels.empty())
    words.fail("the weights begin, but the line 'label' is missing.");
  return header;
}

}  // namespace

void write_liblinear_model(const LinearModel& model, const std::string& path) {
  if (model.transform.scaling == Scaling::rows)
    throw Error(
        fmt::format("cannot write {}: the model scales every row to length 1, which LIBLINEAR's format cannot say. "
                    "Write it in our own format, or train without --scale rows.",
                    path));
  const FoldedWeights folded = folded_weights(model);
  const double intercept = folded.constant[0] + folded.intercept[0];
  const bool has_intercept = model.objective.intercept != Intercept::none || intercept != 0;

  fmt::memory_buffer text;
  const auto out = fmt::appender(text);
  fmt::format_to(out, "solver_type {}\nnr_class 2\n", solver_type_for(model));
  if (model.classifies())  // LIBLINEAR's weights point to its first label
    fmt::format_to(out, "label {} {}\n", whole_label(model.labels[1], path), whole_label(model.labels[0], path));
  fmt::format_to(out, "nr_feature {}\nbias {}\nw\n", folded.x.size(), has_intercept ? 1 : -1);
  for (const double weight : folded.x) fmt::format_to(out, FMT_COMPILE("{:.17g} \n"), weight);
  if (has_intercept) fmt::format_to(out, "{:.17g} \n", intercept);

  AtomicFile file(path);
  file.write(std::string_view(text.data(), text.size()));
  file.commit();
}

bool is_liblinear_model(const std::string& text) { return text.starts_with("solver_type "); }

LinearModel parse_liblinear_model(const std::string& text, const std::string& path) {
  Words words(text, path);
  const Header header = read_header(words);

  LinearModel model;
  model.objective.loss = header.type->loss;
  model.objective.intercept = header.bias >= 0 ? Intercept::free : Intercept::none;
  if (header.type->classifies) model.labels = {header.labels[1], header.labels[0]};

  // Crammer and Singer's type alone has a column for each of two classes; LIBLINEAR decides by the first.
  const bool second_column = header.type->name == "MCSVM_CS";
  const auto read_weight = [&] {
    const double weight = words.number("a weight");
    if (second_column) words.number("a weight");
    return weight;
  };
  for (std::size_t j = 0; j < *header.features; ++j) model.x.push_back(read_weight());
  if (header.bias >= 0) model.intercept[0] = header.bias * read_weight();
  if (words.next()) words.fail("there are more weights than nr_feature and bias say.");
  return model;
}

}  // namespace seesaw
