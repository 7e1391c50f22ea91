// Errors on several ranks (base/ranks.h): an Error of one is thrown on all, so that no rank waits for another.
#pragma once

#include <string>
#include <type_traits>

#include "base/ranks.h"
#include "seesaw/error.h"

namespace seesaw {

// The text that rank `root` gives, on all.
inline std::string text_of_rank(Ranks& ranks, int root, const std::string& own) {
  std::vector<char> characters(own.begin(), own.end());
  ranks.broadcast(root, characters);
  return {characters.begin(), characters.end()};
}

// Throws Error on all ranks if the first one gives a sentence: what is wrong.
inline void agree_on_error(Ranks& ranks, const std::string& of_first) {
  if (const std::string sentence = text_of_rank(ranks, 0, of_first); !sentence.empty()) throw Error(sentence);
}

// For files and folders that the first rank alone has to have: f() on the first rank, and what it returns on all: text, or a trivially copyable value. An Error that it throws is
// thrown on all. ranks: null with one process.
template <class F>
auto on_first(Ranks* ranks, const F& f) {
  using Result = std::invoke_result_t<F>;
  if (ranks == nullptr) return f();
  const auto run = [&](const auto& take) {
    std::string problem;
    if (ranks->first()) {
      try {
        take();
      } catch (const Error& error) {
        problem = error.what();
      }
    }
    agree_on_error(*ranks, problem);
  };
  if constexpr (std::is_void_v<Result>) {
    run(f);
  } else {
    Result result{};
    run([&] { result = f(); });
    if constexpr (std::is_same_v<Result, std::string>) {
      return text_of_rank(*ranks, 0, result);
    } else {
      static_assert(std::is_trivially_copyable_v<Result>);
      ranks->broadcast(0, &result, sizeof result);
      return result;
    }
  }
}

// f() on all ranks. An Error of one of them is thrown on all: that of the first one that has an error.
template <class F>
void on_each(Ranks& ranks, const F& f) {
  std::string problem;
  try {
    f();
  } catch (const Error& error) {
    problem = error.what();
  }
  int rank = 0;
  for (const char failed : ranks.gather(static_cast<char>(!problem.empty()))) {
    if (failed != 0) throw Error(text_of_rank(ranks, rank, problem));
    ++rank;
  }
}

}  // namespace seesaw
