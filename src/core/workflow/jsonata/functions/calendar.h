#pragma once
// The calendar of JavaScript's Date in UTC: proleptic Gregorian, milliseconds since 1970.
#include <cstdint>

namespace stoker::jsonata {

inline constexpr double kMillisMax = 8.64e15;  // further away Date knows no instant
inline constexpr std::int64_t kMillisPerDay = 86'400'000;

struct CalendarTime {
  std::int64_t year = 1970;
  int month = 0;  // 0 is January
  int day = 1;
  int hour = 0, minute = 0, second = 0, millisecond = 0;
  int weekday = 4;  // 1 is Monday, 7 Sunday
};

CalendarTime calendar_time(std::int64_t millis);
// Date.UTC: fields may be out of range and count on; years 0 to 99 are in the 20th century. NaN when a field
// is not finite or the instant too far away.
double utc_millis(double year, double month, double day = 1, double hour = 0, double minute = 0,
                  double second = 0, double millisecond = 0);

// The value of a component of a picture (Y M D d F W w X x H h m s f); weeks as ISO 8601 counts them, in
// years and in months.
std::int64_t date_component(std::int64_t millis, char component);

}  // namespace stoker::jsonata
