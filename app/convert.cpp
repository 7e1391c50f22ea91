// seesaw convert DATA OUT: text to the binary cache, or back.
#include <fmt/format.h>

#include <memory>

#include "base/stopwatch.h"
#include "command.h"
#include "data_options.h"
#include "standard_streams.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct ConvertOptions {
  DataOptions data;
  std::string out;
};

int convert(const ConvertOptions& o) {
  const ThreadLimit threads(o.data.threads);
  refuse_overwriting(o.out, o.data.files());
  if (!o.data.memory.empty() && o.out.ends_with(".ssw") && o.data.is_text()) {
    o.data.stream(o.out);
    result_is_written();
    fmt::print(words_beside(o.out), "written: {}\n", o.out);
    return success;
  }
  Stopwatch reading;
  const LoadedData loaded = timed(reading, [&] { return o.data.load(); });
  write_data(loaded.data, o.out);
  result_is_written();
  fmt::print(words_beside(o.out), "{}\n{}written: {}\n", describe_data(loaded.data, reading.seconds()),
             table_lines(loaded.notes), o.out);
  if (loaded.table)
    fmt::print(stderr, "note: {} has the encoded numbers; a model trained on it cannot predict rows of the table.\n",
               o.out);
  return success;
}

}  // namespace

void add_convert(Program& program) {
  auto options = std::make_shared<ConvertOptions>();
  Command& command = program.add_command("convert", "write data as a binary cache (.ssw) or as LIBSVM text");
  options->data.declare(command);
  options->data.declare_weights(command);
  options->data.declare_table(command);
  options->data.declare_memory(command);
  command.add_option("OUT", options->out, "file to write: a cache if the name ends in .ssw, else LIBSVM text")
      .required();
  command.example("seesaw convert train.csv.gz train.ssw --label-column price", "");
  command.on_run([options] { return convert(*options); });
}

}  // namespace seesaw::app
