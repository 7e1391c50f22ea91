#include "study/sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "data/readers/read.h"
#include "seesaw/error.h"
#include "study/toml_table.h"

namespace seesaw {
namespace {

GeneratedSet read_generated(TomlTable table) {
  GeneratedSet generated;
  generated.kind = table.required_text("kind");
  std::vector<std::string> kinds;
  for (const Generator& one : generators()) kinds.push_back(one.name);
  table.require_one_of("kind", generated.kind, kinds);
  SynthOptions& o = generated.options;
  o.n = table.count("n").value_or(0);
  o.d = table.count("d").value_or(0);
  o.seed = table.count("seed").value_or(1);
  o.classes = table.count("classes").value_or(2);
  o.noise = table.number("noise").value_or(o.noise);
  o.spread = table.number("spread").value_or(o.spread);
  o.correlation = table.number("correlation").value_or(o.correlation);
  o.row_size = table.number("row_size").value_or(o.row_size);
  const std::string task = table.text("task").value_or("classification");
  table.require_one_of("task", task, {"classification", "regression"});
  o.task = task == "regression" ? Task::regression : Task::classification;
  generated.profile.sizes = table.numbers("sizes");
  generated.profile.density = table.number("density").value_or(1);
  if (auto codes = table.table("codes"))
    for (const std::string& code : codes->keys()) {
      ColumnProfile::Code one{std::strtod(code.c_str(), nullptr), {}};
      if (one.code == 0) codes->fail(code, "a code is a number other than 0.");
      for (const double column : codes->numbers(code)) {
        if (!(column >= 1 && column <= static_cast<double>(o.d))) codes->fail(code, "columns are numbers from 1 to d.");
        one.columns.push_back(static_cast<std::size_t>(column) - 1);
      }
      generated.profile.codes.push_back(std::move(one));
    }
  generated.positives = table.number("positives");
  generated.unit_ranges = table.flag("unit_ranges").value_or(false);
  if (generated.positives) {
    if (!(*generated.positives > 0 && *generated.positives < 1)) table.fail("positives", "it must be in (0, 1).");
    o.task = Task::regression;  // the scores, from which the largest are chosen
  }
  table.finish();
  return generated;
}

PaperSet read_set(TomlTable table, const std::string& name) {
  PaperSet set;
  set.name = name;
  set.file = table.text("file").value_or("");
  set.published = table.text("published").value_or("");
  set.n = table.count("n").value_or(0);
  set.d = table.count("d").value_or(0);
  set.preparation.keep = table.numbers("keep");
  set.preparation.rows = table.count("rows").value_or(0);
  set.preparation.positive = table.numbers("positive");
  set.preparation.divide = table.number("divide").value_or(1);
  if (set.preparation.divide == 0) table.fail("divide", "'divide' cannot be 0.");
  set.preparation.standardize = table.flag("standardize").value_or(false);
  set.preparation.constant = table.flag("constant").value_or(false);
  set.preparation.unit_rows = table.flag("unit_rows").value_or(false);
  set.preparation.unit_ranges = table.flag("unit_ranges").value_or(false);
  set.preparation.standard_labels = table.flag("standard_labels").value_or(false);
  if (set.preparation.standardize && set.preparation.unit_ranges)
    table.fail("unit_ranges", "'standardize' and 'unit_ranges' exclude each other.");
  set.stand_in = table.text("stand_in").value_or("");
  set.why = table.text("why").value_or("");
  if (auto generated = table.table("generate")) set.generate = read_generated(*generated);
  table.finish();
  if (set.file.empty() && set.stand_in.empty() && !set.generate)
    table.fail("file",
               fmt::format("the set {} has neither 'file' nor 'stand_in' nor 'generate'; add one of them.", name));
  return set;
}

}  // namespace

void PaperSets::add(std::string_view text, const std::string& file) {
  TomlTable table = TomlTable::parse(text, file);
  for (const std::string& name : table.keys()) sets_.insert_or_assign(name, read_set(*table.table(name), name));
}

const PaperSet& PaperSets::named(const std::string& name) const {
  const auto found = sets_.find(name);
  if (found != sets_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& one : sets_) names.push_back(one.first);
  throw Error(fmt::format("there is no set '{}' in sets.toml; choose one of {}.", name, fmt::join(names, ", ")));
}

std::string data_folder(const std::string& given) {
  std::error_code ignored;
  if (!given.empty()) {
    if (!std::filesystem::is_directory(given, ignored))
      throw InvalidOption("data", given, "it must be an existing folder");
    return given;
  }
  if (const char* set = std::getenv("SEESAW_DATA"); set != nullptr && *set != '\0') {
    if (!std::filesystem::is_directory(set, ignored))
      throw Error(fmt::format("SEESAW_DATA is {}, which is not a folder; correct or unset it.", set));
    return set;
  }
  const std::string here = "./data";
  return std::filesystem::is_directory(here, ignored) ? here : "";
}

std::string path_of(const PaperSet& set, const std::string& folder) {
  if (set.file.empty() || folder.empty()) return {};
  std::error_code ignored;
  for (const char* ending : {"", ".xz", ".gz", ".bz2", ".zst"}) {
    std::string path = (std::filesystem::path(folder) / (set.file + ending)).string();
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return {};
}

SetChoice choose_set(const PaperSets& sets, const std::string& name, const std::string& folder) {
  const PaperSet& set = sets.named(name);
  if (std::string path = path_of(set, folder); !path.empty()) return {&set, std::move(path), {}};
  if (!set.stand_in.empty()) {
    const PaperSet& other = sets.named(set.stand_in);
    if (std::string path = path_of(other, folder); !path.empty())
      return {
          &other, std::move(path),
          fmt::format("{} is absent; {} is used instead{}.", name, other.name, set.why.empty() ? "" : ": " + set.why)};
  }
  if (set.generate && set.file.empty() && set.stand_in.empty() && set.published.empty()) return {&set, {}, {}};
  if (set.generate) return {&set, {}, fmt::format("{} is absent; generated rows are used instead", name)};
  return {nullptr, {}, fmt::format("{} is absent, and there is no substitute.", name)};
}

namespace {

LoadedSet load_file(const SetChoice& choice, std::optional<std::size_t> rows) {
  const Dataset whole = read_dataset(choice.path);
  const SetPreparation& preparation = choice.set->preparation;
  const bool cut = rows && whole.n() > *rows;
  LoadedSet loaded{prepared(cut ? evenly_spaced_rows(whole, *rows) : whole, preparation), choice.set->name,
                   choice.substitute, !cut && preparation.nothing()};
  if (cut)
    loaded.substitute +=
        fmt::format("{}{} of {} rows, evenly spaced.", loaded.substitute.empty() ? "" : " ", *rows, whole.n());
  return loaded;
}

LoadedSet generate(const SetChoice& choice, std::optional<std::size_t> rows) {
  const GeneratedSet& generated = *choice.set->generate;
  SynthOptions options = generated.options;
  const bool cut = rows && (options.n == 0 || options.n > *rows);
  if (cut) options.n = *rows;
  Dataset data = with_profile(synthesize(generated.kind, options), generated.profile, options.seed);
  if (generated.positives) label_largest(data.labels, *generated.positives);
  data.source = fmt::format("{} (generated)", choice.set->name);
  const std::string shape = fmt::format("{}, {} x {}", generated.kind, data.n(), data.d());
  if (choice.substitute.empty())  // generated by the paper as well
    return {prepared(data, choice.set->preparation), choice.set->name,
            cut ? fmt::format("{} rows instead of {}.", *rows, generated.options.n) : "", false};
  SetPreparation preparation = choice.set->preparation;  // without what depends on the values in the file
  preparation.keep.clear();
  preparation.rows = 0;
  preparation.positive.clear();
  preparation.divide = 1;
  preparation.unit_ranges = preparation.unit_ranges || generated.unit_ranges;
  return {prepared(data, preparation), fmt::format("generated rows ({})", shape),
          fmt::format("{} ({}).", choice.substitute, shape), false};
}

}  // namespace

LoadedSet load_set(const PaperSets& sets, const std::string& name, const std::string& folder,
                   std::optional<std::size_t> rows) {
  const SetChoice choice = choose_set(sets, name, folder);
  if (choice.set == nullptr)
    throw Error(fmt::format("{} It is published at {}; set `data` to the folder of the sets.", choice.substitute,
                            sets.named(name).published));
  return choice.path.empty() ? generate(choice, rows) : load_file(choice, rows);
}

}  // namespace seesaw
