// Data of the C++ interface: arrays that are viewed or copied, and arrays that are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "seesaw/seesaw.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace data_test {

// 3 rows of 4 features: (1, 0, 2, 0), (0, 0, 0, 0), (0, 3, 0, 0.5).
template <class Offset, class Column, class Value>
struct Csr {
  std::vector<Offset> offsets = {0, 2, 2, 4};
  std::vector<Column> columns = {0, 2, 1, 3};
  std::vector<Value> values = {1, 2, 3, 0.5};
  SparseArrays arrays() const { return {4, offsets, columns, values}; }
};
template <class Value>
struct Dense {
  std::vector<Value> values = {1, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0.5};
  DenseArrays arrays() const { return {3, 4, values}; }
};
const std::vector<double> labels = {1, -1, 1};
using Usual = Csr<std::int64_t, std::int32_t, double>;

TEST(Data, is_the_same_from_arrays_of_every_type) {
  const std::uint64_t hash = Data::copy(Usual().arrays(), {labels}).hash();
  const auto expect_same = [&](const auto& arrays) {
    for (const Data& data : {Data::copy(arrays.arrays(), {labels}), Data::view(arrays.arrays(), {labels}, nullptr)}) {
      EXPECT_EQ(data.rows(), 3U);
      EXPECT_EQ(data.features(), 4U);
      EXPECT_EQ(data.entries(), 4U);
      EXPECT_EQ(data.labels(), labels);
      EXPECT_EQ(data.hash(), hash);
    }
  };
  expect_same(Csr<std::int32_t, std::int32_t, double>());
  expect_same(Csr<std::int32_t, std::int64_t, float>());
  expect_same(Csr<std::int64_t, std::int64_t, double>());
  expect_same(Csr<std::uint64_t, std::uint32_t, float>());
  expect_same(Csr<std::uint32_t, std::uint64_t, double>());
  expect_same(Dense<double>());
  expect_same(Dense<float>());
}

// A view reads the caller's memory: the hash, which is computed when first needed, sees a change made before that. (Users
// must not change the arrays; this is how a test can see that they were not copied.)
TEST(DataView, does_not_copy_the_values) {
  Usual sparse;
  Dense<float> dense;
  const Data a = Data::view(sparse.arrays(), {labels}, nullptr), b = Data::view(dense.arrays(), {labels}, nullptr);
  const Data copied = Data::copy(sparse.arrays(), {labels});
  sparse.values[1] = dense.values[2] = 7;
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(a.hash(), Data::copy(sparse.arrays(), {labels}).hash());
  EXPECT_NE(a.hash(), copied.hash());
}

TEST(DataView, keeps_its_owner_as_long_as_any_copy_lives) {
  auto owner = std::make_shared<Usual>();
  const std::weak_ptr<Usual> watched = owner;
  {
    std::unique_ptr<Data> second;
    {
      const Data first = Data::view(owner->arrays(), {labels}, owner);
      owner.reset();
      second = std::make_unique<Data>(first);
    }
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(second->rows(), 3U);
  }
  EXPECT_TRUE(watched.expired());
}

TEST(Data, removes_rows_of_weight_0) {
  const std::vector<double> weights = {2, 0, 1}, kept = {2, 1}, two = {1, 1};
  const auto expect_two_rows = [&](const Data& data) {
    EXPECT_EQ(data.rows(), 2U);
    EXPECT_EQ(data.labels(), two);
    EXPECT_EQ(data.weights(), kept);
    EXPECT_EQ(data.entries(), 4U);
  };
  expect_two_rows(Data::view(Usual().arrays(), {labels, weights}, nullptr));
  expect_two_rows(Data::copy(Usual().arrays(), {labels, weights}));
  expect_two_rows(Data::view(Dense<double>().arrays(), {labels, weights}, nullptr));
  const std::vector<double> ones = {1, 1, 0};
  EXPECT_TRUE(Data::copy(Usual().arrays(), {labels, ones}).weights().empty()) << "all that remain are 1";
}

TEST(Data, with_other_labels_shares_the_rows) {
  Dense<double> dense;
  const std::vector<double> numbers = {5, 6, 7}, weights = {2, 3, 4}, zero = {1, 0, 1}, two = {1, 2};
  const Data first = Data::view(dense.arrays(), {labels, weights}, nullptr);
  const Data second = first.with_labels({numbers});
  EXPECT_EQ(second.labels(), numbers);
  EXPECT_TRUE(second.weights().empty());
  EXPECT_EQ(second.entries(), first.entries());
  dense.values[0] = 9;  // a view: both read the same memory
  EXPECT_EQ(second.hash(), Data::copy(dense.arrays(), {numbers}).hash());
  EXPECT_EQ(first.with_labels({numbers, zero}).rows(), 2U);
  EXPECT_THROW(first.with_labels({two}), ShapeError);
  EXPECT_THROW(train(first.with_labels({})), Error) << "no labels any more";
}

TEST(Data, passes_feature_names_to_models) {
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  const Data plain = Data::copy(Usual().arrays(), {labels}), named = plain.with_feature_names(names);
  EXPECT_EQ(named.feature_names(), names);
  EXPECT_EQ(named.hash(), plain.hash());
  EXPECT_EQ(train(named).model.feature_names(), names);
  EXPECT_THROW(plain.with_feature_names({"a"}), ShapeError);
}

// The InvalidArray that call() throws: its array and index.
template <class Call>
std::string wrong(const Call& call) {
  try {
    call();
  } catch (const InvalidArray& error) {
    EXPECT_GT(std::string(error.what()).size(), 10U);
    return error.array + "[" + std::to_string(error.index) + "]";
  } catch (const ShapeError& error) {
    return "shape " + std::to_string(error.expected) + ", " + std::to_string(error.actual);
  }
  return "nothing";
}

TEST(Data, refuses_arrays_that_make_no_rows) {
  const auto sparse = [](const auto& change, std::vector<double> of_rows = labels, std::vector<double> weights = {}) {
    Usual arrays;
    change(arrays);
    return wrong([&] { Data::view(arrays.arrays(), {of_rows, weights}, nullptr); });
  };
  const auto none = [](Usual&) {};
  EXPECT_EQ(sparse(none), "nothing");
  EXPECT_EQ(sparse([](Usual& a) { a.values[2] = NAN; }), "values[2]");
  EXPECT_EQ(sparse([](Usual& a) { a.columns[1] = 0; }), "columns[0]") << "not increasing";
  EXPECT_EQ(sparse([](Usual& a) { a.columns[3] = 4; }), "columns[2]") << "beyond the features";
  EXPECT_EQ(sparse([](Usual& a) { a.columns[3] = -1; }), "columns[2]");
  EXPECT_EQ(sparse([](Usual& a) { a.offsets[1] = 5; }), "offsets[0]");
  EXPECT_EQ(sparse([](Usual& a) { a.offsets[2] = 1; }), "offsets[1]") << "falling";
  EXPECT_EQ(sparse([](Usual& a) { a.offsets[1] = -1; }), "offsets[0]");
  EXPECT_EQ(sparse([](Usual& a) { a.offsets[0] = 1; }), "offsets[0]");
  EXPECT_EQ(sparse([](Usual& a) { a.offsets[3] = 3; }), "offsets[0]") << "not all values";
  EXPECT_EQ(sparse([](Usual& a) { a.offsets.clear(); }), "shape 1, 0");
  EXPECT_EQ(sparse([](Usual& a) { a.columns.pop_back(); }), "shape 4, 3");
  EXPECT_EQ(sparse(none, {1, 2}), "shape 3, 2");
  EXPECT_EQ(sparse(none, {1, INFINITY, 2}), "labels[1]");
  EXPECT_EQ(sparse(none, labels, {1, 1}), "shape 3, 2");
  EXPECT_EQ(sparse(none, labels, {1, 1, -1}), "weights[2]");
  EXPECT_EQ(sparse(none, labels, {0, 0, 0}), "weights[0]");

  Csr<std::int32_t, std::int64_t, double> wide;
  wide.columns[3] = std::int64_t{1} << 32;  // 0 as 32 bits
  EXPECT_EQ(wrong([&] { Data::view(wide.arrays(), {labels}, nullptr); }), "columns[2]");

  Dense<double> dense;
  dense.values[5] = INFINITY;
  EXPECT_EQ(wrong([&] { Data::view(dense.arrays(), {labels}, nullptr); }), "values[5]");
  dense.values.pop_back();
  EXPECT_EQ(wrong([&] { Data::view(dense.arrays(), {labels}, nullptr); }), "shape 12, 11");
  EXPECT_EQ(wrong([&] { Data::copy(DenseArrays{0, 4, {}}, {}); }), "shape 1, 0");
}

TEST(Data, without_labels_is_for_prediction) {
  const Usual arrays;
  const Data rows = Data::view(arrays.arrays(), {}, nullptr);
  EXPECT_EQ(rows.rows(), 3U);
  EXPECT_THROW(train(rows), Error);
  EXPECT_EQ(train(Data::copy(Usual().arrays(), {labels})).model.predict(rows).size(), 3U);
}

TEST(Data, read_says_where_a_file_cannot_be_parsed) {
  try {
    Data::read("no such file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no such file"), std::string::npos);
  }
}

TEST(Data, reads_tables_and_models_keep_their_encoding) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("t.csv", "y,age,city,id\nb,31,Paris,1\na,,Rome,2\nb,45,Paris,3\na,22,Oslo,4\n");
  const Data data = Data::read(path, {.label_column = "y", .table = {.drop = {"id"}}});
  EXPECT_TRUE(data.is_table());
  EXPECT_EQ(data.label_names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.labels(), (std::vector<double>{1, 0, 1, 0}));
  EXPECT_EQ(data.feature_names(),
            (std::vector<std::string>{"age", "age (missing)", "city=Oslo", "city=Paris", "city=Rome"}));
  EXPECT_FALSE(data.notes().empty());
  EXPECT_TRUE(data.with_labels({.labels = data.labels()}).is_table());
  const Model model = train(data, {.loss = LossName::hinge}).model;
  EXPECT_TRUE(model.is_table());
  EXPECT_EQ(model.label_names(), data.label_names());
  const std::string other = folder.file("other.csv", "city,age\nRome,30\nLima,40\n");
  const Data encoded = model.read(other);
  EXPECT_EQ(encoded.rows(), 2U);
  EXPECT_EQ(model.decision(encoded)[0], model.weights()[0] * 30 + model.weights()[4] + model.intercept());
  EXPECT_EQ(model.decision(encoded)[1], model.weights()[0] * 40 + model.intercept()) << "a level that is not listed";
  EXPECT_THROW(model.decision(Data::read(other, {.label_column = "none"})), Error) << "encoded by itself";
  EXPECT_THROW(train(data, {.loss = LossName::squared}), Error) << "text labels";
  EXPECT_THROW(model.save_liblinear(folder.path("m")), Error);
}

// The least memory for the rows of a cache, which depends on the number of cores: as the message says.
std::size_t least_memory(const std::string& path) {
  try {
    Data::read(path, {.memory = 1});
  } catch (const InvalidOption& error) {
    EXPECT_EQ(error.field, "memory");
    return std::stoull(error.allowed.substr(error.allowed.find("at least ") + 9));
  }
  ADD_FAILURE() << "1 byte is enough";
  return 0;
}

TEST(Data, keeps_rows_on_disk_within_its_memory) {
  std::vector<double> values, targets;
  for (int i = 0; i < 4000000; ++i) values.push_back(0.1 * (i % 1013));
  for (int i = 0; i < 100000; ++i) targets.push_back(i % 7);
  const Data data = Data::copy({100000, 40, values}, {targets});
  const test::ScratchFolder folder;
  const std::string path = folder.path("rows.ssw");
  data.save(path);
  EXPECT_THROW(Data::read(folder.file("a.svm", "1 1:1\n"), {.memory = 1000}), Error) << "not a cache";
  const Data all = Data::read(path);
  EXPECT_FALSE(all.on_disk());
  EXPECT_FALSE(Data::read(path, {.memory = std::size_t{1} << 30}).on_disk());
  const std::size_t memory = least_memory(path);
  if (memory >= all.bytes()) GTEST_SKIP() << "so many cores need all of these rows at once";
  const Data some = Data::read(path, {.memory = memory});
  EXPECT_TRUE(some.on_disk());
  EXPECT_EQ(some.hash(), data.hash());
  const Training training{.loss = LossName::squared, .solver = "newton"};
  EXPECT_EQ(train(some, training).model.to_bytes(), train(all, training).model.to_bytes());
}

}  // namespace data_test
}  // namespace seesaw
