#pragma once
// What the readers of the parts of one definition share.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/data/payload.h"
#include "core/workflow/definition/diagnosis.h"

namespace stoker::asl {

// Map and Parallel inside one another. Each level is some stack for every later walk of the definition.
inline constexpr std::size_t kMachineNestingMax = 30;

struct Reading {
  Diagnosis& diagnosis;
  bool express = false;
  bool alone = false;                      // one state without its machine: what it names need not exist
  Language language = Language::JsonPath;  // of the whole machine
  std::size_t nesting = 0;
  std::set<std::string, std::less<>> state_names{};  // unique in the whole document
  std::set<std::string, std::less<>> labels{};
};

// One way out of a state.
struct Transition {
  std::string from;
  std::string to;
  std::string field;  // "Next", "Default"
  Where where;        // of that field
};

}  // namespace stoker::asl
