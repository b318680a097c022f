#include "core/workflow/definition/label.h"

#include "core/workflow/definition/characters.h"

namespace stoker::asl {
namespace {

bool allowed_in_label(std::uint32_t character) {
  constexpr std::string_view kForbidden = " ?*<>{}[]:;,\\|^~$#%&`\"";
  return !is_control(character) && (character > 0x7e || !kForbidden.contains(static_cast<char>(character)));
}

}  // namespace

std::string read_label(const Fields& fields, Reading& reading) {
  if (!fields.has("Label")) return {};
  const Where where = fields.at("Label");
  std::string label = fields.string("Label");
  if (label.empty()) {
    reading.diagnosis.error("INVALID_LABEL_NAME", "Label cannot be empty", where);
    return {};
  }
  if (count_characters(label) > kLabelCharsMax) {
    reading.diagnosis.error("INVALID_LABEL_NAME", "Label cannot exceed 40 characters", where);
    return {};
  }
  for (std::string_view rest = label; !rest.empty();)
    if (!allowed_in_label(take_character(rest))) {
      reading.diagnosis.error("INVALID_LABEL_NAME", "Label contains an invalid character", where);
      return {};
    }
  if (!reading.labels.insert(label).second)
    reading.diagnosis.error("DUPLICATE_LABEL_NAME", "Duplicate label: " + label, where);
  return label;
}

}  // namespace stoker::asl
