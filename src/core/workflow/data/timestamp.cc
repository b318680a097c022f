#include "core/workflow/data/timestamp.h"

namespace stoker::asl {
namespace {

// Days since 1970-01-01 in the Gregorian calendar, which repeats every 400 years of 146,097 days.
std::int64_t days_since_epoch(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::int64_t y = month > 2 ? year : year - 1;  // years that begin in March have their leap day last
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t month_from_march = (month + 9) % 12;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  constexpr std::int64_t kEpochDays = 719'468;  // from 0000-03-01
  return era * 146'097 + day_of_era - kEpochDays;
}

std::int64_t days_of_month(std::int64_t year, std::int64_t month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Exactly so many digits whose value is in range.
  bool number(std::size_t digits, std::int64_t min, std::int64_t max, std::int64_t& out) {
    if (text_.size() < digits) return false;
    out = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return false;
      out = out * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(digits);
    return out >= min && out <= max;
  }
  // One to nine digits after the point.
  bool fraction(std::int64_t& nanos) {
    constexpr std::size_t kDigitsMax = 9;
    std::size_t digits = 0;
    nanos = 0;
    for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; ++digits, text_.remove_prefix(1)) {
      if (digits == kDigitsMax) return false;
      nanos = nanos * 10 + (text_[0] - '0');
    }
    for (std::size_t i = digits; i < kDigitsMax; ++i) nanos *= 10;
    return digits > 0;
  }
  [[nodiscard]] bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  Reader in(text);
  std::int64_t year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, nanos = 0;
  const bool date = in.number(4, 0, 9999, year) && in.take('-') && in.number(2, 1, 12, month) &&
                    in.take('-') && in.number(2, 1, days_of_month(year, month), day);
  if (!date || !in.take('T')) return std::nullopt;
  const bool time = in.number(2, 0, 23, hour) && in.take(':') && in.number(2, 0, 59, minute) &&
                    in.take(':') && in.number(2, 0, 59, second);
  if (!time || (in.take('.') && !in.fraction(nanos))) return std::nullopt;
  std::int64_t offset_minutes = 0;
  if (!in.take('Z')) {
    const bool east = in.take('+');
    std::int64_t hours = 0, minutes = 0;
    if (!east && !in.take('-')) return std::nullopt;
    if (!in.number(2, 0, 18, hours) || !in.take(':') || !in.number(2, 0, 59, minutes)) return std::nullopt;
    offset_minutes = (hours * 60 + minutes) * (east ? 1 : -1);
  }
  if (!in.at_end()) return std::nullopt;
  const std::int64_t minutes =
      (days_since_epoch(year, month, day) * 24 + hour) * 60 + minute - offset_minutes;
  return Timestamp{.ms = (minutes * 60 + second) * 1000 + nanos / 1'000'000,
                   .nanos_below_ms = static_cast<std::int32_t>(nanos % 1'000'000)};
}

}  // namespace stoker::asl
