#pragma once
// A place in a tree while it is walked: "Output/a[0]". Each level is on the stack of the walk; the text is
// only put together for what is reported, since keys may be long and places many.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stoker::asl {

class Spot {
 public:
  explicit Spot(std::string_view root) : name_(root) {}
  // Both refer to this one and to the name.
  [[nodiscard]] Spot member(std::string_view name) const { return Spot(this, name, std::nullopt); }
  [[nodiscard]] Spot item(std::size_t index) const { return Spot(this, {}, index); }

  [[nodiscard]] bool is_root() const { return above_ == nullptr; }
  [[nodiscard]] std::string text() const {
    std::vector<const Spot*> way;
    for (const Spot* spot = this; spot != nullptr; spot = spot->above_) way.push_back(spot);
    std::string out;
    for (auto spot = way.rbegin(); spot != way.rend(); ++spot) {
      if ((*spot)->index_)
        out.append("[").append(std::to_string(*(*spot)->index_)).append("]");
      else
        out.append((*spot)->is_root() ? "" : "/").append((*spot)->name_);
    }
    return out;
  }

 private:
  Spot(const Spot* above, std::string_view name, std::optional<std::size_t> index)
      : above_(above), name_(name), index_(index) {}

  const Spot* above_ = nullptr;
  std::string_view name_;
  std::optional<std::size_t> index_;
};

}  // namespace stoker::asl
