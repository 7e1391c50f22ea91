// The text of a model file before it is parsed as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace seesaw {

// All bytes of a file or pipe. Throws Error.
std::string contents_of_model(const std::string& path);

// The dual point of a model as write_text() writes it, last and on one line: its numbers are parsed here, and replaced by an
// empty list in the text, since a tree of JSON needs several times their memory. Nothing if the text has another form; it
// is then unchanged, and is parsed as a whole.
std::optional<std::vector<double>> take_dual(std::string& text);

}  // namespace seesaw
