// The results of a cross-validation in a file: fits that are in it are not repeated, so a search that was stopped resumes.
#pragma once

#include <map>
#include <mutex>

#include "base/journal_file.h"
#include "select/tune.h"

namespace seesaw {

class TuneJournal final : public TuneStore {
 public:
  // Throws Error if the file exists and was not written by a cross-validation.
  explicit TuneJournal(const std::string& path);
  std::optional<std::vector<FoldResult>> find(const std::string& key) override;
  void add(const std::string& key, const std::vector<FoldResult>& results) override;
  bool empty() const { return found_.empty(); }

 private:
  JournalFile file_;
  std::map<std::string, std::vector<FoldResult>> found_;
  std::mutex mutex_;
};

}  // namespace seesaw
