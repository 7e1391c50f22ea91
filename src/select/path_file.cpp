#include "select/path_file.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/nesting.h"
#include "model/json_fields.h"
#include "model/model_file.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using nlohmann::json;
using Text = fmt::memory_buffer;

constexpr std::string_view format_name = "seesaw-path";
constexpr std::string_view first_line = "{\n\"format\": \"seesaw-path\",\n";
constexpr std::uint64_t newest_version = 1;
constexpr std::string_view dual_mark = "seesaw-path-dual";  // 16 bytes; then three numbers of 8 bytes, then doubles
static_assert(dual_mark.size() == 16 && std::endian::native == std::endian::little);

struct DualHeader {
  std::array<char, 16> mark;
  std::uint64_t points, numbers, hash;  // numbers per point; hash of all of them
};

// ---- writing ----------------------------------------------------------------------------------------------------

void add(Text& text, std::string_view piece) { text.append(piece); }

template <class... Args>
void print(Text& text, fmt::format_string<Args...> pattern, Args&&... args) {
  fmt::format_to(fmt::appender(text), pattern, std::forward<Args>(args)...);
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

template <class Number>
void add_numbers(Text& text, const std::vector<Number>& numbers) {
  add(text, "[");
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k > 0) add(text, ", ");
    if constexpr (std::is_same_v<Number, double>) add(text, std::string_view(number(numbers[k])));
    else print(text, "{}", numbers[k]);
  }
  add(text, "]");
}

void add_certificate(Text& text, const char* key, const CertificateAt& of) {
  const Certificate& c = of.certificate;
  print(text, "\"{}\": {{\"t\": {}, \"primal\": {}, \"dual\": {}, \"gap\": {}, \"guaranteed\": {}", key, number(of.t),
        number(c.primal), number(c.dual), number(c.gap), c.guaranteed);
  if (std::any_of(of.dual_scale.begin(), of.dual_scale.end(), [](double s) { return s != 1; })) {
    add(text, ", \"dual_scale\": ");
    add_numbers(text, of.dual_scale);
  }
  if (!of.classes.empty()) {
    add(text, ", \"classes\": [");
    for (std::size_t k = 0; k < of.classes.size(); ++k)
      print(text, "{}{{\"label\": {}, \"primal\": {}, \"dual\": {}, \"gap\": {}}}", k > 0 ? ", " : "",
            number(of.classes[k].label), number(of.classes[k].primal), number(of.classes[k].dual),
            number(of.classes[k].gap));
    add(text, "]");
  }
  add(text, "}");
}

void add_point(Text& text, const PathPoint& point) {
  print(text, "{{\"status\": \"{}\", \"combined\": {}, \"passes\": {}, \"seconds\": {:.3g}, ", point.status,
        point.combined, number(point.passes), point.seconds);
  add_certificate(text, "certificate", point.certificate);
  if (point.coverage) {
    print(text, ", \"covered\": {{\"absolute\": {}, ", point.coverage->absolute);
    add_certificate(text, "lower", point.coverage->lower);
    add(text, ", ");
    add_certificate(text, "upper", point.coverage->upper);
    add(text, "}");
  }
  add(text, ", \"intercepts\": ");
  add_numbers(text, point.point.intercept);
  std::vector<std::size_t> indices;
  std::vector<double> values;
  for (std::size_t at = 0; at < point.point.x.size(); ++at)
    if (point.point.x[at] != 0) {
      indices.push_back(at);
      values.push_back(point.point.x[at]);
    }
  add(text, ", \"indices\": ");
  add_numbers(text, indices);
  add(text, ", \"values\": ");
  add_numbers(text, values);
  add(text, "}");
}

std::uint64_t hash_of(const std::vector<PathPoint>& points) {
  XXH3_state_t* const state = XXH3_createState();
  XXH3_64bits_reset(state);
  for (const PathPoint& point : points)
    XXH3_64bits_update(state, point.point.y.data(), point.point.y.size() * sizeof(double));
  const std::uint64_t hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return hash;
}

void write_dual(const Path& path, const std::string& name, std::uint64_t hash) {
  AtomicFile file(name);
  DualHeader header{{}, path.points.size(), path.frame.n * path.frame.outputs(), hash};
  std::copy(dual_mark.begin(), dual_mark.end(), header.mark.begin());
  file.write(std::as_bytes(std::span(&header, 1)));
  for (const PathPoint& point : path.points) file.write(std::as_bytes(std::span(point.point.y)));
  file.commit();
}

// ---- reading ----------------------------------------------------------------------------------------------------

std::string contents_of(const std::string& name, const char* what) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw Error(fmt::format("cannot open {} {}: {}.", what, name, std::strerror(errno)));
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) throw Error(fmt::format("cannot read {} {}: {}.", what, name, std::strerror(errno)));
  return text;
}

CertificateAt parse_certificate(const Fields& fields, const LinearModel& frame, const std::string& name) {
  CertificateAt result;
  result.t = fields.number("t");
  result.certificate.primal = fields.number_unless_null("primal", infinity);
  result.certificate.dual = fields.number_unless_null("dual", -infinity);
  result.certificate.gap = fields.number_unless_null("gap", infinity);
  result.certificate.guaranteed = fields.flag("guaranteed");
  if (fields.has("classes"))
    for (const json& item : fields.list("classes")) {
      const Fields one(item, "classes", name);
      result.classes.push_back({{.primal = one.number_unless_null("primal", infinity),
                                 .dual = one.number_unless_null("dual", -infinity),
                                 .gap = one.number_unless_null("gap", infinity)},
                                one.number("label")});
    }
  const std::size_t parts = frame.one_versus_rest() ? frame.outputs() : 1;
  if (result.classes.size() != (frame.one_versus_rest() ? parts : 0)) fields.wrong("classes", "one per class");
  result.dual_scale.assign(parts, 1.0);
  if (fields.has("dual_scale")) result.dual_scale = fields.numbers("dual_scale");
  if (result.dual_scale.size() != parts) fields.wrong("dual_scale", "one number per class");
  return result;
}

PathPoint parse_point(const json& item, const LinearModel& frame, const std::string& name) {
  const Fields fields(item, "points", name);
  PathPoint point;
  point.status = fields.text("status");
  point.combined = fields.flag("combined");
  point.passes = fields.number_unless_null("passes", infinity);
  point.seconds = fields.number("seconds");
  point.certificate = parse_certificate(fields.object("certificate"), frame, name);
  if (fields.has("covered")) {
    const Fields covered = fields.object("covered");
    point.coverage = Coverage{parse_certificate(covered.object("lower"), frame, name),
                              parse_certificate(covered.object("upper"), frame, name), covered.flag("absolute")};
  }
  point.point.intercept = fields.numbers("intercepts");
  if (point.point.intercept.size() != frame.outputs()) fields.wrong("intercepts", "one number per output");
  const std::vector<double> values = fields.numbers("values");
  const json& indices = fields.list("indices");
  if (indices.size() != values.size()) fields.wrong("indices", "as long as \"values\"");
  point.point.x.assign(frame.x.size(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!indices[k].is_number_unsigned() || indices[k].get<std::size_t>() >= frame.x.size())
      fields.wrong("indices", "a list of indices of weights");
    point.point.x[indices[k].get<std::size_t>()] = values[k];
  }
  return point;
}

json parse(const std::string& name) {
  const std::string text = contents_of(name, "the path");
  if (nested_deeper(text)) refuse_model(name, "brackets are nested more than 100 deep: this is no path of Seesaw.");
  if (ambiguous_key(text)) refuse_model(name, "a key occurs twice, or has a backslash; the path is damaged.");
  try {
    return json::parse(text);
  } catch (const json::exception&) {
    refuse_model(name, "the path is damaged or truncated: this is not JSON.");
  }
}

void read_dual(Path& path, const std::string& name, std::uint64_t hash) {
  const std::string dual = dual_path_of(name);
  const std::string bytes = contents_of(dual, "the dual points");
  const std::size_t numbers = path.frame.n * path.frame.outputs(), each = numbers * sizeof(double);
  const auto damaged = [&] {
    throw Error(
        fmt::format("{} does not belong to {}, or is damaged; use the file that was written with it.", dual, name));
  };
  DualHeader header{};
  if (bytes.size() != sizeof header + path.points.size() * each) damaged();
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::string_view(header.mark.data(), header.mark.size()) != dual_mark || header.points != path.points.size() ||
      header.numbers != numbers || header.hash != hash)
    damaged();
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    path.points[k].point.y.resize(numbers);
    std::memcpy(path.points[k].point.y.data(), bytes.data() + sizeof header + k * each, each);
  }
  if (hash_of(path.points) != hash) damaged();
}

}  // namespace

void write_path(const Path& path, const std::string& name) {
  const std::uint64_t hash = hash_of(path.points);
  Text text;
  add(text, first_line);
  print(text, "\"version\": {},\n", newest_version);
  print(text, "\"line\": {{\"lambda\": {}, \"lambda_per\": {}, \"l1\": {}, \"l1_per\": {}}},\n",
        number(path.line.lambda), number(path.line.lambda_per), number(path.line.l1), number(path.line.l1_per));
  print(text, "\"range\": [{}, {}],\n\"accuracy\": {},\n\"absolute\": {},\n\"total_weight\": {},\n",
        number(path.range.lo), number(path.range.hi), number(path.tolerance.relative), number(path.tolerance.absolute),
        number(path.total_weight));
  print(text, "\"by_C\": {},\n\"grid\": {},\n\"dual_hash\": \"{:016x}\",\n\"points\": [\n", path.by_C, path.grid, hash);
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    add_point(text, path.points[k]);
    add(text, k + 1 < path.points.size() ? ",\n" : "\n");
  }
  add(text, "],\n\"frame\": ");
  add(text, std::string_view(model_file_text(path.frame)));
  add(text, "}\n");
  write_dual(path, dual_path_of(name), hash);
  AtomicFile file(name);
  file.write(std::string_view(text.data(), text.size()));
  file.commit();
}

bool is_path_file(const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored)) return false;
  std::ifstream file(name, std::ios::binary);
  std::string start(256, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  std::erase_if(start, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return start.starts_with("{\"format\":\"seesaw-path\"");
}

Path read_path(const std::string& name, bool with_dual) {
  const json document = parse(name);
  const Fields fields(document, "", name);
  if (!fields.has("format") || document["format"] != format_name)
    refuse_model(name,
                 fmt::format("this is JSON, but not a path of Seesaw: its \"format\" is not \"{}\".", format_name));
  const std::uint64_t version = fields.count("version");
  if (version == 0 || version > newest_version)
    refuse_model(name,
                 fmt::format("this path is of version {}, and this Seesaw reads version {}.", version, newest_version));
  Path path;
  path.frame = parse_model_file(fields.at("frame").dump(), name);
  const Fields line = fields.object("line");
  path.line = {line.number("lambda"), line.number("lambda_per"), line.number("l1"), line.number("l1_per")};
  const std::vector<double> range = fields.numbers("range");
  if (range.size() != 2 || !(range[0] > 0 && range[0] < range[1])) fields.wrong("range", "two numbers, ascending");
  path.range = {range[0], range[1]};
  path.tolerance = {fields.number("accuracy"), fields.number("absolute")};
  path.total_weight = fields.number("total_weight");
  path.by_C = fields.flag("by_C");
  path.grid = fields.count("grid");
  const std::string hex = fields.text("dual_hash");
  std::uint64_t hash = 0;
  if (std::from_chars(hex.data(), hex.data() + hex.size(), hash, 16).ptr != hex.data() + hex.size())
    fields.wrong("dual_hash", "a hexadecimal number");
  for (const json& item : fields.list("points")) path.points.push_back(parse_point(item, path.frame, name));
  for (std::size_t k = 1; k < path.points.size(); ++k)
    if (!(path.points[k].t() < path.points[k - 1].t())) fields.wrong("points", "ordered by t, descending");
  if (with_dual) read_dual(path, name, hash);
  return path;
}

}  // namespace seesaw
