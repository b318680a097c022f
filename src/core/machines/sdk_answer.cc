#include "core/machines/sdk_answer.h"

#include <array>

#include "base/text.h"

namespace stoker::core {

std::string http_date(Instant at) {
  static constexpr std::array<std::string_view, 7> kDays = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  static constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr std::int64_t kDayMs = 86'400'000;
  const std::string iso = iso_time(at.ms);  // 2026-11-30T16:55:25Z
  const auto day = static_cast<std::size_t>(at.ms / kDayMs % 7);
  const auto month = static_cast<std::size_t>(parse_int(iso.substr(5, 2)).value_or(1) - 1);
  std::string out(kDays[day]);
  out.append(", ").append(iso, 8, 2).append(" ").append(kMonths[month]).append(" ").append(iso, 0, 4);
  return out.append(" ").append(iso, 11, 8).append(" GMT");
}

void add_sdk_metadata(json::Object& answer, const Uuid& request, Instant now, std::size_t bytes,
                      std::string_view content_type) {
  const json::Object headers{{"connection", "keep-alive"},
                             {"Content-Length", std::to_string(bytes)},
                             {"Content-Type", content_type},
                             {"Date", http_date(now)},
                             {"x-amzn-RequestId", request.str()}};
  json::Object lists;
  for (const auto& [name, value] : headers) lists[name] = json::Array{value};
  answer["SdkHttpMetadata"] =
      json::Object{{"AllHttpHeaders", std::move(lists)}, {"HttpHeaders", headers}, {"HttpStatusCode", 200}};
  answer["SdkResponseMetadata"] = json::Object{{"RequestId", request.str()}};
}

std::string sdk_cause(std::string_view message, std::string_view service, int status, std::string_view name,
                      const Uuid& request) {
  std::string out(message);
  out.append(" (Service: ").append(service).append("; Status Code: ").append(std::to_string(status));
  out.append("; Error Code: ").append(name).append("; Request ID: ").append(request.str());
  return out.append("; Proxy: null)");
}

}  // namespace stoker::core
