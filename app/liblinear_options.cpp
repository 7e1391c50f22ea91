#include "liblinear_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "option_table.h"
#include "seesaw/error.h"

namespace seesaw::app {
namespace {

struct Type {  // of LIBLINEAR: -s
  int number;
  const char *loss, *reg;
};
// Primal and dual types of the same objective (0 and 7, 1 and 2, 11 and 12) differ in the method only: `auto` selects.
constexpr std::array types = {Type{0, "logistic", "l2"},
                              Type{1, "squared-hinge", "l2"},
                              Type{2, "squared-hinge", "l2"},
                              Type{3, "hinge", "l2"},
                              Type{4, "multiclass-hinge", "l2"},
                              Type{5, "squared-hinge", "l1"},
                              Type{6, "logistic", "l1"},
                              Type{7, "logistic", "l2"},
                              Type{11, "squared-epsilon-insensitive", "l2"},
                              Type{12, "squared-epsilon-insensitive", "l2"},
                              Type{13, "epsilon-insensitive", "l2"}};

const Type& type_of(const std::string& value) {
  if (value == "21")
    throw Error("-s 21 of LIBLINEAR (one-class SVM) has no equivalent: seesaw trains on labelled rows only.");
  for (const Type& type : types)
    if (value == std::to_string(type.number)) return type;
  throw Error(
      fmt::format("-s {} is not a type of LIBLINEAR's; choose 0 to 7, 11, 12 or 13, or use --loss and --reg.", value));
}

// Walks over the arguments: takes LIBLINEAR's options out, keeps the others.
struct Split {
  std::map<std::string, std::string> given;  // "-s" -> "2"
  std::vector<std::pair<std::string, std::string>> class_weights;
  std::vector<std::string> others;

  bool has(const char* option) const {  // one of ours
    return std::any_of(others.begin(), others.end(), [&](const std::string& word) {
      return word == option || word.starts_with(std::string(option) + "=");
    });
  }
  std::optional<std::string> value(const char* option) const {
    const auto found = given.find(option);
    return found == given.end() ? std::nullopt : std::optional(found->second);
  }
};

Split split(const std::vector<std::string>& arguments, const std::string& letters) {
  Split result;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& word = arguments[k];
    const bool weight = word.starts_with("-w") && letters.find('w') != std::string::npos && is_number(word.substr(2));
    const bool option = word.size() >= 2 && word[0] == '-' && letters.find(word[1]) != std::string::npos &&
                        (word.size() == 2 || is_number(word.substr(2)));
    if (word == "-R" && letters.find('B') != std::string::npos) {
      result.given["-R"] = "";
    } else if (weight || (option && word[1] != 'w')) {
      const bool apart = weight || word.size() == 2;
      if (apart && k + 1 == arguments.size()) throw Error(fmt::format("{} needs a value.", word));
      const std::string value = apart ? arguments[++k] : word.substr(2);
      if (!is_number(value)) throw Error(fmt::format("{} needs a number, and '{}' is none.", word, value));
      if (weight) result.class_weights.emplace_back(word.substr(2), value);
      else if (!result.given.emplace(word.substr(0, 2), value).second)
        throw Error(fmt::format("{} is given twice; give it once.", word.substr(0, 2)));
    } else {
      if (word == "--") {
        result.others.insert(result.others.end(), arguments.begin() + static_cast<std::ptrdiff_t>(k), arguments.end());
        break;
      }
      result.others.push_back(word);
    }
  }
  return result;
}

class Translation {
 public:
  explicit Translation(Split given) : given_(std::move(given)) {}

  LiblinearOptions train() {
    refuse_cross_validation();
    if (given_.given.empty() && given_.class_weights.empty()) return {given_.others, ""};
    refuse_both("-s", {"--loss", "--reg"});
    refuse_both("-c", {"--C", "--lambda", "--l1"});
    refuse_both("-B", {"--intercept"});
    refuse_both("-e", {"--gap", "--gap-abs"});
    refuse_both("-p", {"--epsilon"});
    objective();
    intercept();
    for (const auto& [label, weight] : given_.class_weights)
      add(fmt::format("-w{} {}", label, weight), {"--class-weight", fmt::format("{}={}", label, weight)});
    if (!given_.class_weights.empty() && given_.value("-s") != "4")
      said_.back() += " (one-versus-rest: in every problem; LIBLINEAR: in that of the class only)";
    if (const auto e = given_.value("-e")) {
      add("-e " + *e, {"--gap", *e});
      said_.back() += " (the duality gap relative to P; LIBLINEAR bounds a gradient or violation)";
    }
    return result();
  }

  LiblinearOptions predict() {
    if (given_.given.empty()) return {given_.others, ""};
    const std::string b = given_.given.at("-b");
    if (b != "0" && b != "1") throw Error(fmt::format("-b {} is not an option of LIBLINEAR; give -b 1 or -b 0.", b));
    if (b == "1") add("-b 1", {"--proba"});
    else said_.push_back("-b 0 is the default: labels");
    return result();
  }

 private:
  void refuse_cross_validation() const {
    for (const std::string& word : given_.others) {
      if (word == "-C")
        throw Error(
            "-C (search for C by cross-validation) is a command of its own: seesaw tune DATA --loss "
            "squared-hinge,logistic "
            "--folds 5.");
      if (word == "-v")
        throw Error(
            "-v (cross-validation) is a command of its own: seesaw tune DATA --C 1 --folds 5 measures one cost, "
            "without --C "
            "it searches for the best.");
    }
  }
  void refuse_both(const char* theirs, const std::vector<const char*>& ours) const {
    for (const char* option : ours)
      if (given_.value(theirs) && given_.has(option))
        throw Error(fmt::format("{} and {} set the same thing; give one of them.", theirs, option));
  }
  void add(const std::string& theirs, const std::vector<std::string>& ours) {
    said_.push_back(fmt::format("{} is {}", theirs, fmt::join(ours, " ")));
    added_.insert(added_.end(), ours.begin(), ours.end());
  }

  void objective() {
    const auto s = given_.value("-s");
    bool has_epsilon = given_.has("--loss");
    if (s || !(given_.has("--loss") || given_.has("--reg"))) {
      const Type& type = type_of(s.value_or("1"));
      has_epsilon = type.number >= 11;
      add(fmt::format("-s {}{}", type.number, s ? "" : " (LIBLINEAR's default)"),
          {"--loss", type.loss, "--reg", type.reg});
    }
    const auto c = given_.value("-c");
    if (c || !(given_.has("--C") || given_.has("--lambda") || given_.has("--l1")))
      add(fmt::format("-c {}{}", c.value_or("1"), c ? "" : " (default)"), {"--C", c.value_or("1")});
    if (const auto p = given_.value("-p")) {
      if (has_epsilon) add("-p " + *p, {"--epsilon", *p});
      else said_.push_back(fmt::format("-p {} is ignored (it belongs to -s 11, 12 and 13)", *p));
    }
  }

  void intercept() {
    const auto B = given_.value("-B");
    const bool free = given_.given.count("-R") > 0;
    if (given_.has("--intercept")) {
      if (free) throw Error("-R and --intercept set the same thing; give one of them.");
      return;
    }
    const double constant = B ? std::strtod(B->c_str(), nullptr) : -1;
    if (free && constant != 1) throw Error("-R (an intercept that is not penalized) needs -B 1, as in LIBLINEAR.");
    if (!(constant > 0 || constant <= 0)) throw Error(fmt::format("-B {} is not a number; give -B 1 or -B -1.", *B));
    if (free) add("-B 1 -R", {"--intercept", "free"});
    else if (constant == 1) add("-B 1", {"--intercept", "penalized"});
    else if (constant > 0) add("-B " + *B, {"--intercept", "penalized", "--intercept-scaling", *B});
    else add(B ? "-B " + *B : "no -B", {"--intercept", "none"});
  }

  LiblinearOptions result() {
    LiblinearOptions all;
    all.arguments = added_;
    all.arguments.insert(all.arguments.end(), given_.others.begin(), given_.others.end());
    all.note = fmt::format("LIBLINEAR options: {}.", fmt::join(said_, ", "));  // under -q as well: it is not a summary
    return all;
  }

  Split given_;
  std::vector<std::string> added_, said_;
};

}  // namespace

LiblinearOptions understand_liblinear(const std::string& command, const std::vector<std::string>& arguments) {
  if (command == "train") return Translation(split(arguments, "scBepw")).train();
  if (command == "predict") return Translation(split(arguments, "b")).predict();
  return {arguments, ""};
}

}  // namespace seesaw::app
