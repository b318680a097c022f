#include "core/workflow/jsonata/functions/calendar.h"

#include <cmath>
#include <limits>

namespace stoker::jsonata {

namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// Days since 1970-01-01, by eras of 400 years that begin in March.
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month < 2 ? 1 : 0;
  const std::int64_t era = floor_divide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

struct YearMonth {
  std::int64_t year;
  int month;
  [[nodiscard]] YearMonth next_month() const {
    return month == 11 ? YearMonth{year + 1, 0} : YearMonth{year, month + 1};
  }
  [[nodiscard]] YearMonth previous_month() const {
    return month == 0 ? YearMonth{year - 1, 11} : YearMonth{year, month - 1};
  }
};

std::int64_t start_of(const YearMonth& at) {
  return static_cast<std::int64_t>(utc_millis(static_cast<double>(at.year), at.month));
}

// The first week of a year or month is the one with its first Thursday.
std::int64_t first_week(const YearMonth& at) {
  const std::int64_t first = start_of(at);
  const int weekday = calendar_time(first).weekday;
  return weekday > 4 ? first + (8 - weekday) * kMillisPerDay : first - (weekday - 1) * kMillisPerDay;
}

std::int64_t weeks_between(std::int64_t from, std::int64_t to) {
  return floor_divide(to - from, 7 * kMillisPerDay) + 1;
}

std::int64_t week_within(std::int64_t today, const YearMonth& here, const YearMonth& next,
                         const YearMonth& previous, std::int64_t most) {
  const std::int64_t week = weeks_between(first_week(here), today);
  if (week > most) return today >= first_week(next) ? 1 : week;
  return week < 1 ? weeks_between(first_week(previous), today) : week;
}

}  // namespace

CalendarTime calendar_time(std::int64_t millis) {
  const std::int64_t days = floor_divide(millis, kMillisPerDay);
  const std::int64_t within = millis - days * kMillisPerDay;
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = floor_divide(shifted, 146097);
  const std::int64_t day_of_era = shifted - era * 146097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t march_month = (5 * day_of_year + 2) / 153;
  CalendarTime out;
  out.month = static_cast<int>((march_month + 2) % 12);
  out.year = year_of_era + era * 400 + (out.month < 2 ? 1 : 0);
  out.day = static_cast<int>(day_of_year - (153 * march_month + 2) / 5 + 1);
  out.hour = static_cast<int>(within / 3'600'000);
  out.minute = static_cast<int>(within / 60'000 % 60);
  out.second = static_cast<int>(within / 1000 % 60);
  out.millisecond = static_cast<int>(within % 1000);
  out.weekday = static_cast<int>((days % 7 + 7 + 3) % 7) + 1;
  return out;
}

double utc_millis(double year, double month, double day, double hour, double minute, double second,
                  double millisecond) {
  constexpr double kFieldMax = 1e14;
  for (const double field : {year, month, day, hour, minute, second, millisecond})
    if (!(std::fabs(field) <= kFieldMax)) return std::numeric_limits<double>::quiet_NaN();
  year = std::trunc(year);
  month = std::trunc(month);
  if (year >= 0 && year <= 99) year += 1900;
  const double whole_years = std::floor(month / 12);
  const double full_year = year + whole_years;
  constexpr double kYearMax = 400'000;
  if (std::fabs(full_year) > kYearMax) return std::numeric_limits<double>::quiet_NaN();
  const auto days =
      days_of(static_cast<std::int64_t>(full_year), static_cast<std::int64_t>(month - whole_years * 12), 1);
  const double out = (static_cast<double>(days) + std::trunc(day) - 1) * static_cast<double>(kMillisPerDay) +
                     std::trunc(hour) * 3'600'000 + std::trunc(minute) * 60'000 + std::trunc(second) * 1000 +
                     std::trunc(millisecond);
  return std::fabs(out) <= kMillisMax ? out : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t date_component(std::int64_t millis, char component) {
  const CalendarTime time = calendar_time(millis);
  const YearMonth year{time.year, 0};
  const YearMonth next_year{time.year + 1, 0};
  const YearMonth month{time.year, time.month};
  const auto today =
      static_cast<std::int64_t>(utc_millis(static_cast<double>(time.year), time.month, time.day));
  switch (component) {
    case 'Y':
      return time.year;
    case 'M':
      return time.month + 1;
    case 'D':
      return time.day;
    case 'd':
      return (today - start_of(year)) / kMillisPerDay + 1;
    case 'F':
      return time.weekday;
    case 'W':
      return week_within(today, year, next_year, {time.year - 1, 0}, 52);
    case 'w':
      return week_within(today, month, month.next_month(), month.previous_month(), 4);
    case 'X':
      if (millis < first_week(year)) return time.year - 1;
      return millis >= first_week(next_year) ? time.year + 1 : time.year;
    case 'x':
      if (millis < first_week(month)) return month.previous_month().month + 1;
      return (millis >= first_week(month.next_month()) ? month.next_month().month : time.month) + 1;
    case 'H':
      return time.hour;
    case 'h':
      return time.hour % 12 == 0 ? 12 : time.hour % 12;
    case 'm':
      return time.minute;
    case 's':
      return time.second;
    case 'f':
      return time.millisecond;
    default:
      return 0;
  }
}

}  // namespace stoker::jsonata
