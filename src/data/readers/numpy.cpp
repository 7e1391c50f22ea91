#include "data/readers/numpy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "data/readers/numbers.h"
#include "data/readers/numpy_array.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using Files = std::map<std::string, std::string>;

std::vector<double> numbers_of(const NumpyArray& array, const std::string& name) {
  if (array.kind == 'S') refuse_numpy(name, "its elements are text; save numbers.");
  std::vector<double> numbers(array.size());
  array.read(0, numbers.size(), numbers.data());
  return numbers;
}

std::vector<double> read_labels(const std::string& path, std::size_t rows) {
  const Files files = unpacked_files(path);
  if (!files.contains("")) refuse_numpy(path, "labels are a .npy file with one number per row.");
  const NumpyArray array = parse_numpy_array(files.at(""), path);
  std::vector<double> labels = numbers_of(array, path);
  if (labels.size() != rows || array.shape.empty() || array.shape[0] != rows)
    refuse_numpy(
        path, fmt::format("has {} for {}; give one per row.", counted(labels.size(), "label"), counted(rows, "row")));
  for (std::size_t i = 0; i < rows; ++i)
    if (!std::isfinite(labels[i]))
      refuse_numpy(path, fmt::format("the label of row {} is not a finite number (or beyond 2^53).", i + 1));
  return labels;
}

// The label column of a dense matrix; `width` if there is none.
std::size_t label_column(const std::string& path, const ReadOptions& options, std::size_t width) {
  const std::string& given = options.label_column;
  if (!options.labels.empty()) {
    if (!given.empty() && given != "none")
      throw InvalidOption("label_column", given, "the labels are those of `labels`; give one of the two");
    return width;
  }
  if (given == "none" || (given.empty() && options.width == width)) return width;
  if (given.empty()) return 0;
  std::size_t number = 0;
  const auto [after, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (error != std::errc() || after != given.data() + given.size() || number < 1 || number > width)
    refuse_numpy(path, fmt::format("has no column {}; the label column is one of 1 to {}.", in_quotes(given), width));
  return number - 1;
}

Dataset read_dense(const std::string& path, const std::string& bytes, const ReadOptions& options) {
  const NumpyArray array = parse_numpy_array(bytes, path);
  if (array.kind == 'S') refuse_numpy(path, "its elements are text; save numbers.");
  if (array.shape.size() != 2)
    refuse_numpy(path, fmt::format("is an array of {} dimensions; save a matrix.", array.shape.size()));
  const std::size_t rows = array.shape[0], width = array.shape[1];
  if (array.fortran_order && rows > 1 && width > 1)
    refuse_numpy(path, "is in Fortran order; save numpy.ascontiguousarray(X).");
  if (rows == 0 || width == 0) refuse_numpy(path, "has no elements.");
  const std::size_t label = label_column(path, options, width);
  const std::size_t features = width - (label < width ? 1 : 0);
  if (options.width && *options.width != features)
    refuse_numpy(path, fmt::format("has {} where {} has {}; give data with the same features.",
                                   counted(features, "feature"), expecting(options), *options.width));
  if (features > 0xffffffff) refuse_numpy(path, "has too many columns.");
  std::vector<double> labels(rows), values(width);
  RowsBuilder builder(options.precision);
  RowEntries row;
  for (std::size_t i = 0; i < rows; ++i) {
    array.read(i * width, width, values.data());
    row.columns.clear();
    row.values.clear();
    for (std::size_t j = 0; j < width; ++j) {
      if (!std::isfinite(values[j]))
        refuse_numpy(
            path,
            fmt::format("the element in row {}, column {} (counted from 1) is not a finite number (or beyond 2^53); "
                        "fill it in or remove the row.",
                        i + 1, j + 1));
      if (j == label) labels[i] = values[j];
      else if (values[j] != 0) {
        row.columns.push_back(static_cast<std::uint32_t>(j - (j > label ? 1 : 0)));
        row.values.push_back(values[j]);
      }
    }
    builder.add_row(row);
  }
  if (!options.labels.empty()) labels = read_labels(options.labels, rows);
  const std::size_t entries = builder.entries();
  return {.rows = std::move(builder).finish(features, options.precision),
          .labels = std::move(labels),
          .nnz = entries,
          .labelled = label < width || !options.labels.empty(),
          .fixed_width = true,
          .source = path,
          .label_column = label < width ? fmt::format("column {}", label + 1) : ""};
}

class SparseReader {
 public:
  SparseReader(const std::string& path, const Files& files, const ReadOptions& options)
      : path_(path), files_(files), options_(options) {}

  Dataset read() {
    const NumpyArray format = array("format");
    std::string_view word = format.bytes.substr(0, format.item_size);
    if (format.kind != 'S') word = {};
    if (!word.starts_with("csr"))
      refuse_numpy(path_, fmt::format("is a sparse matrix in the form {}; save X.tocsr().", in_quotes(word)));
    const std::vector<double> shape = whole("shape", 0, 1e18);
    if (shape.size() != 2) refuse_numpy(path_, "is not a matrix; save a matrix of rows and features.");
    rows_ = static_cast<std::size_t>(shape[0]);
    if (shape[1] > 4294967295.0) refuse_numpy(path_, "has more than 4294967295 columns.");
    width_ = static_cast<std::size_t>(shape[1]);
    if (rows_ == 0) refuse_numpy(path_, "has no rows.");
    if (options_.width && width_ > *options_.width)
      refuse_numpy(path_, fmt::format("has {}, more than the {} of {}; give data with the same features.",
                                      counted(width_, "feature"), *options_.width, expecting(options_)));
    if (!options_.label_column.empty() && options_.label_column != "none")
      throw InvalidOption("label_column", options_.label_column, "a sparse matrix has no label column; give `labels`");
    return finish(add_rows());
  }

 private:
  NumpyArray array(const std::string& name) const {
    const auto found = files_.find(name + ".npy");
    if (found == files_.end())
      refuse_numpy(path_, fmt::format("has no array {}; write it with scipy.sparse.save_npz.", in_quotes(name)));
    return parse_numpy_array(found->second, path_);
  }

  std::vector<double> whole(const std::string& name, double least, double most) const {
    std::vector<double> numbers = numbers_of(array(name), path_);
    for (const double number : numbers)
      if (!(number >= least && number <= most && number == std::floor(number)))
        refuse_numpy(
            path_,
            fmt::format("the array {} has an element that is not a whole number from {:.0f} to {:.0f}; it is damaged.",
                        in_quotes(name), least, most));
    return numbers;
  }

  RowsBuilder add_rows() const {
    const std::vector<double> values = numbers_of(array("data"), path_);
    const auto entries = static_cast<double>(values.size());
    const std::vector<double> offsets = whole("indptr", 0, entries);
    const std::vector<double> columns = whole("indices", 0, static_cast<double>(width_) - 1);
    if (offsets.size() != rows_ + 1 || columns.size() != values.size() || offsets[0] != 0 ||
        offsets.back() != entries || !std::is_sorted(offsets.begin(), offsets.end()))
      refuse_numpy(path_, "the sizes of its arrays do not agree; it is damaged.");
    RowsBuilder builder(options_.precision);
    RowEntries row;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows_; ++i) {
      const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
      order.resize(end - begin);
      std::iota(order.begin(), order.end(), begin);
      const auto before = [&](std::size_t k, std::size_t l) { return columns[k] < columns[l]; };
      if (!std::is_sorted(order.begin(), order.end(), before)) std::sort(order.begin(), order.end(), before);
      row.columns.clear();
      row.values.clear();
      for (const std::size_t k : order) {
        const auto column = static_cast<std::uint32_t>(columns[k]);
        if (!row.columns.empty() && row.columns.back() == column)
          refuse_numpy(
              path_, fmt::format(
                         "row {} has two entries in column {} (counted from 1); call X.sum_duplicates() before saving.",
                         i + 1, column + 1.0));
        if (!std::isfinite(values[k]))
          refuse_numpy(
              path_,
              fmt::format("the element in row {}, column {} (counted from 1) is not a finite number (or beyond 2^53).",
                          i + 1, column + 1.0));
        row.columns.push_back(column);
        row.values.push_back(values[k]);
      }
      builder.add_row(row);
    }
    return builder;
  }

  Dataset finish(RowsBuilder builder) const {
    std::vector<double> labels(rows_);
    if (!options_.labels.empty()) labels = read_labels(options_.labels, rows_);
    const std::size_t entries = builder.entries();
    return {.rows = std::move(builder).finish(options_.width.value_or(width_), options_.precision),
            .labels = std::move(labels),
            .nnz = entries,
            .labelled = !options_.labels.empty(),
            .source = path_};
  }

  const std::string& path_;
  const Files& files_;
  const ReadOptions& options_;
  std::size_t rows_ = 0, width_ = 0;
};

}  // namespace

bool is_numpy(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 6> first{};
  const ssize_t got = ::read(file, first.data(), first.size());
  close(file);
  const std::string_view bytes(first.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
  return bytes == "\x93NUMPY" || bytes.starts_with("PK\x03\x04");
}

Dataset read_numpy(const std::string& path, const ReadOptions& options) {
  const std::string name = path == "-" ? "standard input" : path;
  const Files files = unpacked_files(path);
  if (files.empty()) refuse_numpy(name, "is empty; give a .npy or .npz file.");
  if (const auto whole = files.find(""); whole != files.end()) return read_dense(name, whole->second, options);
  return SparseReader(name, files, options).read();
}

}  // namespace seesaw
