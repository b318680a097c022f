#pragma once
// Whether a GPU is of the model that somebody asked for. Drivers say "NVIDIA A100-SXM4-80GB" where people say
// "A100": a wish is met when each of its words is a word of the model's name, whatever the case. The maker's
// words count only where a wish has no others: catalogues leave them out. The one rule for machines that are
// there and for those that could be launched.
#include <string_view>

namespace stoker::core {

// "A100-80GB" is met by "NVIDIA A100-SXM4-80GB", "A10" neither by "A100" nor by "A10G". An empty wish is met
// by none.
bool is_model(std::string_view model, std::string_view wish);

}  // namespace stoker::core
