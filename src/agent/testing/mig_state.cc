#include "agent/testing/mig_state.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent::testing {

MigState::MigState(const std::string& dir) : file_(dir + "/mig.state") {
  write({"gpu GPU-a 1 1", "gpu GPU-b 1 1", "serial 1"});
  ::setenv("FAKE_MIG_STATE", file_.c_str(), 1);
  ::setenv("LD_LIBRARY_PATH", STOKER_TEST_DRIVER, 1);
}

MigState::~MigState() {
  ::unsetenv("FAKE_MIG_STATE");
  ::unsetenv("LD_LIBRARY_PATH");
}

std::vector<std::string> MigState::lines() const {
  std::vector<std::string> out;
  const std::string text = rt::read_file(file_).value();
  for (const std::string_view line : split(text, '\n'))
    if (!line.empty()) out.emplace_back(line);
  return out;
}

void MigState::write(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  (void)rt::write_file_atomically(file_, text, {.durable = false});
}

void MigState::add(const std::string& line) {
  std::vector<std::string> all = lines();
  all.push_back(line);
  write(all);
}

void MigState::remove(const std::string& line) {
  std::vector<std::string> all = lines();
  std::erase_if(all, [&](const std::string& it) { return it.starts_with(line); });
  write(all);
}

bool MigState::has(const std::string& line) const {
  return std::ranges::count(lines(), line) > 0;
}

std::vector<std::string> MigState::instances() const {
  static const std::map<std::string, std::string> kNames = {
      {"19", "1g.10gb"}, {"14", "2g.20gb"},    {"9", "3g.40gb"}, {"5", "4g.40gb"},
      {"0", "7g.80gb"},  {"20", "1g.10gb+me"}, {"15", "1g.20gb"}};
  std::vector<std::string> out;
  for (const std::string& line : lines()) {
    std::istringstream in(line);
    std::string kind, gpu, id, profile, start, serial, ci;
    in >> kind >> gpu >> id >> profile >> start >> serial >> ci;
    if (kind != "gi") continue;
    const std::string letter = gpu == "0" ? "a" : "b";
    out.push_back(letter + ' ' + kNames.at(profile) + '@' + start + ' ' +
                  (ci == "0" ? "-" : "MIG-GPU-" + letter + '-' + serial));
  }
  std::ranges::sort(out);
  return out;
}

std::unique_ptr<nvml::Library> MigState::library() {
  return nvml::Library::open(std::string(STOKER_TEST_DRIVER) + "/libnvidia-ml.so.1").value();
}

}  // namespace stoker::agent::testing
