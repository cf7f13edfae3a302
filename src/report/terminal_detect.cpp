// What the terminal is: the one place of this room that looks at the environment.

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "report/terminal.h"

namespace diffram::report {

TerminalOptions terminal_of(int file_descriptor) {
  TerminalOptions options;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  winsize size{};
  const bool is_terminal = isatty(file_descriptor) == 1;
  if (is_terminal && ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    options.columns = size.ws_col;
  options.has_colour = is_terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  // POSIX: the first of these that is set and not empty decides.
  std::string locale = variable("LC_ALL");
  if (locale.empty()) locale = variable("LC_CTYPE");
  if (locale.empty()) locale = variable("LANG");
  options.is_utf8 = locale.find("UTF-8") != std::string::npos ||
                    locale.find("utf8") != std::string::npos ||
                    locale.find("utf-8") != std::string::npos;
  return options;
}

}  // namespace diffram::report
