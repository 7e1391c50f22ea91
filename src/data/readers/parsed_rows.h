// The common part of the LIBSVM and CSV readers: blocks of text become labelled rows, and these a data set.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "data/dataset.h"
#include "data/readers/parse_blocks.h"
#include "data/rows_builder.h"
#include "data/rows_sink.h"

namespace seesaw {

// The rows of one block.
struct ParsedRows {
  Buffer<double> labels;
  Buffer<std::uint32_t> sizes;    // entries of each row
  Buffer<std::uint32_t> columns;  // of all rows, contiguous, counted from 0
  Buffer<double> values;
  std::size_t lines = 0;

  // Before parsing: the maximum that the block can contain, so that parsing needs no capacity checks; unused memory is
  // not touched. After parsing: the actual sizes.
  void resize(std::size_t rows, std::size_t entries) {
    labels.resize(rows);
    sizes.resize(rows);
    columns.resize(entries);
    values.resize(entries);
  }
};

// A file that several processes read in parts.
struct PartOfFile {
  std::function<RowsBuilder::Shape(const RowsBuilder::Shape&)> of_all;  // the shape of the rows of all parts
  std::size_t lines = 0;                                                // of this part, as far as it was read
};

// parse(block, rows) as for parse_blocks. width = 0: the largest column determines the width. sink: where the rows go;
// the data set has none then, and no labels. part_of_file: storage and nnz are those of all parts.
template <class Parse>
Dataset read_rows(TextBlocks& blocks, std::size_t width, Precision precision, RowsSink* sink, const Parse& parse,
                  PartOfFile* part_of_file = nullptr) {
  if (sink != nullptr) {
    parse_blocks<ParsedRows>(blocks, parse, [&](const ParsedRows& part) {
      sink->add(part.labels.span(), part.sizes.span(), part.columns.span(), part.values.span());
    });
    if (sink->rows() == 0) blocks.refuse_as_empty();
    return {.rows = SparseRows<double>(width, {}, {}, {}, nullptr), .labels = {}, .source = blocks.name()};
  }
  RowsBuilder builder(precision);
  std::vector<double> labels;
  parse_blocks<ParsedRows>(blocks, parse, [&](const ParsedRows& part) {
    if (part_of_file != nullptr) part_of_file->lines += part.lines;
    labels.insert(labels.end(), part.labels.begin(), part.labels.end());
    builder.add_rows(part.sizes.span(), part.columns.span(), part.values.span());
  });
  const RowsBuilder::Shape all = part_of_file != nullptr ? part_of_file->of_all(builder.shape()) : builder.shape();
  if (all.rows == 0) blocks.refuse_as_empty();
  Rows rows = std::move(builder).finish(width, precision, all);
  return {.rows = std::move(rows), .labels = std::move(labels), .nnz = all.entries, .source = blocks.name()};
}

}  // namespace seesaw
