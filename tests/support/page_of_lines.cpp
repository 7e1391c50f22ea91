// Lines in, page out: what a report is made of, without a run.      usage: page_of_lines PAGE < LINES
#include <iostream>
#include <iterator>
#include <string>

#include "report/page.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: page_of_lines PAGE < LINES\n";
    return 2;
  }
  const std::string lines{std::istreambuf_iterator<char>(std::cin), {}};
  seesaw::write_page(arguments[1], lines);
}
