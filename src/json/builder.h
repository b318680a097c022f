#pragma once
// Private to json: from the events of Boost's push parser to a value.
#include <charconv>
#include <cmath>
#include <string>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include "json/json.h"

namespace stoker::json {

using Failure = boost::json::error_code;
using Piece = boost::json::string_view;

// Builds the value as Boost's own parser does, but reads numbers with a fraction or an exponent from their
// text: Boost 1.81 rounds those of 17 digits wrongly in the last place.
class Builder {
 public:
  static constexpr std::size_t max_object_size = boost::json::object::max_size();
  static constexpr std::size_t max_array_size = boost::json::array::max_size();
  static constexpr std::size_t max_key_size = boost::json::string::max_size();
  static constexpr std::size_t max_string_size = boost::json::string::max_size();

  Builder() { begin(); }
  // Of the next value; what was left unfinished is forgotten.
  void begin() {
    stack_.reset();
    number_.clear();
  }
  Value release() { return stack_.release(); }
  // Of all objects so far, each as often as it stands there.
  [[nodiscard]] std::size_t members() const { return members_; }

  bool on_document_begin(Failure&) { return true; }
  bool on_document_end(Failure&) { return true; }
  bool on_object_begin(Failure&) { return true; }
  bool on_object_end(std::size_t members, Failure&) {
    members_ += members;
    return stack_.push_object(members), true;
  }
  bool on_array_begin(Failure&) { return true; }
  bool on_array_end(std::size_t items, Failure&) { return stack_.push_array(items), true; }
  bool on_key_part(Piece text, std::size_t, Failure&) { return stack_.push_chars(text), true; }
  bool on_key(Piece text, std::size_t, Failure&) { return stack_.push_key(text), true; }
  bool on_string_part(Piece text, std::size_t, Failure&) { return stack_.push_chars(text), true; }
  bool on_string(Piece text, std::size_t, Failure&) { return stack_.push_string(text), true; }
  bool on_number_part(Piece text, Failure&) { return number_.append(text.data(), text.size()), true; }
  bool on_int64(std::int64_t number, Piece, Failure&) {
    number_.clear();
    return stack_.push_int64(number), true;
  }
  bool on_uint64(std::uint64_t number, Piece, Failure&) {
    number_.clear();
    return stack_.push_uint64(number), true;
  }
  bool on_double(double near, Piece text, Failure& failure) {
    number_.append(text.data(), text.size());
    double exact = 0;
    const auto [end, error] = std::from_chars(number_.data(), number_.data() + number_.size(), exact);
    (void)end;
    number_.clear();
    if (error == std::errc::result_out_of_range) {
      if (std::isinf(near)) {
        failure = boost::json::error::exponent_overflow;
        return false;
      }
      exact = near;  // too small to be told from zero
    }
    return stack_.push_double(exact), true;
  }
  bool on_bool(bool truth, Failure&) { return stack_.push_bool(truth), true; }
  bool on_null(Failure&) { return stack_.push_null(), true; }
  bool on_comment_part(Piece, Failure&) { return true; }
  bool on_comment(Piece, Failure&) { return true; }

 private:
  boost::json::value_stack stack_;
  std::size_t members_ = 0;
  std::string number_;  // its pieces so far
};

}  // namespace stoker::json
