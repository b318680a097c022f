#include "json/element_reader.h"

#include <optional>
#include <vector>

#include "json/builder.h"

namespace stoker::json {
namespace {

// "/a/b~1c" as ["a", "b/c"]. Nothing for what is no pointer.
std::optional<std::vector<std::string>> tokens_of(std::string_view pointer) {
  std::vector<std::string> out;
  if (pointer.empty()) return out;
  if (pointer.front() != '/') return std::nullopt;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      out.emplace_back();
    } else if (pointer[i] != '~') {
      out.back() += pointer[i];
    } else {
      const char next = i + 1 < pointer.size() ? pointer[i + 1] : '\0';
      if (next != '0' && next != '1') return std::nullopt;
      out.back() += next == '0' ? '~' : '/';
      ++i;
    }
  }
  return out;
}

// Follows the text to the array and builds its elements, one at a time.
class Follower {
 public:
  static constexpr std::size_t max_object_size = Builder::max_object_size;
  static constexpr std::size_t max_array_size = Builder::max_array_size;
  static constexpr std::size_t max_key_size = Builder::max_key_size;
  static constexpr std::size_t max_string_size = Builder::max_string_size;

  void use(std::optional<std::vector<std::string>> pointer, std::size_t bytes_max,
           ElementReader::OnElement on_element) {
    pointer_ = std::move(pointer);
    bytes_max_ = bytes_max;
    on_element_ = std::move(on_element);
  }

  ElementReader::Found found = ElementReader::Found::Nothing;
  bool enough = false;
  bool too_large = false;

  bool on_document_begin(Failure&) { return true; }
  bool on_document_end(Failure&) { return true; }
  bool on_object_begin(Failure& failure) { return open(false, failure); }
  bool on_object_end(std::size_t members, Failure& failure) {
    levels_.pop_back();
    if (!inside()) return true;
    return builder_.on_object_end(members, failure) && close(failure);
  }
  bool on_array_begin(Failure& failure) { return open(true, failure); }
  bool on_array_end(std::size_t items, Failure& failure) {
    levels_.pop_back();
    if (!inside()) return true;
    if (levels_.size() == *array_) {  // the array itself
      array_.reset();
      return true;
    }
    return builder_.on_array_end(items, failure) && close(failure);
  }
  bool on_key_part(Piece text, std::size_t size, Failure& failure) {
    if (inside()) return fits(text.size(), failure) && builder_.on_key_part(text, size, failure);
    key_.append(text.data(), text.size());
    return true;
  }
  bool on_key(Piece text, std::size_t size, Failure& failure) {
    if (inside()) return fits(text.size(), failure) && builder_.on_key(text, size, failure);
    key_.append(text.data(), text.size());
    Level& level = levels_.back();
    level.on_way = is_next_token(key_);
    key_.clear();
    return true;
  }
  bool on_string_part(Piece text, std::size_t size, Failure& failure) {
    return !inside() || (fits(text.size(), failure) && builder_.on_string_part(text, size, failure));
  }
  bool on_string(Piece text, std::size_t size, Failure& failure) {
    if (!inside()) return pass_scalar();
    return fits(text.size(), failure) && builder_.on_string(text, size, failure) && close(failure);
  }
  bool on_number_part(Piece text, Failure& failure) {
    return !inside() || (fits(text.size(), failure) && builder_.on_number_part(text, failure));
  }
  bool on_int64(std::int64_t number, Piece text, Failure& failure) {
    if (!inside()) return pass_scalar();
    return builder_.on_int64(number, text, failure) && close(failure);
  }
  bool on_uint64(std::uint64_t number, Piece text, Failure& failure) {
    if (!inside()) return pass_scalar();
    return builder_.on_uint64(number, text, failure) && close(failure);
  }
  bool on_double(double number, Piece text, Failure& failure) {
    if (!inside()) return pass_scalar();
    return builder_.on_double(number, text, failure) && close(failure);
  }
  bool on_bool(bool truth, Failure& failure) {
    if (!inside()) return pass_scalar();
    return builder_.on_bool(truth, failure) && close(failure);
  }
  bool on_null(Failure& failure) {
    if (!inside()) return pass_scalar();
    return builder_.on_null(failure) && close(failure);
  }
  bool on_comment_part(Piece, Failure&) { return true; }
  bool on_comment(Piece, Failure&) { return true; }

 private:
  // An open container, and whether the member or element that we are in is the next one of the pointer.
  struct Level {
    bool array = false;
    bool on_way = false;
    std::size_t next = 0;  // element of an array
  };

  [[nodiscard]] bool inside() const { return array_.has_value(); }

  // Whether the way so far, without the innermost level, is that of the pointer.
  [[nodiscard]] bool on_way_above() const {
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i)
      if (!levels_[i].on_way) return false;
    return true;
  }
  [[nodiscard]] bool is_next_token(std::string_view name) const {
    return pointer_ && levels_.size() <= pointer_->size() && (*pointer_)[levels_.size() - 1] == name;
  }
  // A value begins outside of the array: whether it is what the pointer names.
  bool arrive() {
    if (!levels_.empty() && levels_.back().array)
      levels_.back().on_way = is_next_token(std::to_string(levels_.back().next++));
    if (!pointer_ || levels_.size() != pointer_->size() || found != ElementReader::Found::Nothing)
      return false;
    return levels_.empty() || (levels_.back().on_way && on_way_above());
  }

  bool open(bool array, Failure& failure) {
    if (inside()) {
      levels_.push_back({.array = array});
      return fits(1, failure);
    }
    if (arrive()) {
      found = array ? ElementReader::Found::AnArray : ElementReader::Found::NotAnArray;
      if (array) array_ = levels_.size();
    }
    levels_.push_back({.array = array});
    return true;
  }
  bool pass_scalar() {
    if (arrive()) found = ElementReader::Found::NotAnArray;
    return true;
  }
  // A value of the array, or of one in it, is complete.
  bool close(Failure& failure) {
    if (levels_.size() != *array_ + 1) return fits(1, failure);
    Value element = builder_.release();
    builder_.begin();
    bytes_ = 0;
    if (on_element_(std::move(element))) return true;
    enough = true;
    failure = boost::json::error::extra_data;  // any: it stops the parser
    return false;
  }
  bool fits(std::size_t bytes, Failure& failure) {
    bytes_ += bytes;
    if (bytes_ <= bytes_max_) return true;
    too_large = true;
    failure = boost::json::error::extra_data;
    return false;
  }

  std::optional<std::vector<std::string>> pointer_;
  ElementReader::OnElement on_element_;
  std::vector<Level> levels_;
  std::string key_;
  std::optional<std::size_t> array_;  // how many levels the array that we are in has around it
  Builder builder_;
  std::size_t bytes_ = 0;  // of the element so far, about
  std::size_t bytes_max_ = 0;
};

boost::json::parse_options options_of(const ParseLimits& limits, std::size_t around) {
  boost::json::parse_options options;
  options.max_depth = limits.depth_max + around + 1;
  return options;
}

}  // namespace

struct ElementReader::Impl {
  Impl(std::optional<std::vector<std::string>> pointer, const ParseLimits& limits, OnElement on_element)
      : limits_(limits), parser_(options_of(limits, pointer ? pointer->size() : 0)) {
    parser_.handler().use(std::move(pointer), limits.bytes_max, std::move(on_element));
  }

  Result<void> feed(std::string_view bytes, bool more) {
    Follower& follower = parser_.handler();
    if (follower.enough) return {};
    boost::json::error_code error;
    // Behind the end of the text the parser would begin another one.
    std::size_t at = parser_.done() ? 0 : parser_.write_some(more, bytes.data(), bytes.size(), error);
    if (follower.enough) return {};
    if (follower.too_large)
      return fail(Code::LimitExceeded,
                  "JSON: an element has more than " + std::to_string(limits_.bytes_max) + " bytes");
    if (const std::size_t blank_end = bytes.find_first_not_of(" \t\n\r", at);
        !error && blank_end != std::string_view::npos) {
      error = boost::json::error::extra_data;
      at = blank_end;
    }
    if (error)
      return fail(Code::InvalidArgument,
                  "JSON: " + error.message() + " at byte " + std::to_string(before_ + at));
    before_ += bytes.size();
    return {};
  }

  ParseLimits limits_;
  boost::json::basic_parser<Follower> parser_;
  std::size_t before_ = 0;  // bytes of earlier pieces
};

ElementReader::ElementReader(std::string_view pointer, ParseLimits limits, OnElement on_element)
    : impl_(std::make_unique<Impl>(tokens_of(pointer), limits, std::move(on_element))) {}
ElementReader::~ElementReader() = default;
ElementReader::ElementReader(ElementReader&&) noexcept = default;

Result<void> ElementReader::feed(std::string_view bytes) {
  if (bytes.empty()) return {};
  return impl_->feed(bytes, true);
}
Result<void> ElementReader::finish() {
  return impl_->feed("", false);
}
ElementReader::Found ElementReader::found() const {
  return impl_->parser_.handler().found;
}
bool ElementReader::enough() const {
  return impl_->parser_.handler().enough;
}

}  // namespace stoker::json
