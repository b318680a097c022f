#include "agent/mig_record.h"

#include <algorithm>

#include "json/json.h"
#include "log/log.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kFileBytesMax = 1u << 20;

bool same_place(const MigOwn& own, const MigInstance& instance) {
  return own.profile == instance.profile && own.start == instance.start &&
         (own.id < 0 || own.id == instance.id);
}

}  // namespace

MigRecord::MigRecord(std::string file, std::string boot) : file_(std::move(file)), boot_(std::move(boot)) {
  const auto text = rt::read_file(file_, kFileBytesMax);
  if (!text) return;
  const auto kept = json::parse(*text);
  if (!kept) {
    log::warning("mig_record_unreadable", {{"error", kept.error().message}});
    return;
  }
  if (json::get_string(*kept, "boot") != boot_) return;
  for (const json::Value& item : json::get_array(*kept, "instances"))
    own_.push_back(
        {std::string(json::get_string(item, "gpu")), std::string(json::get_string(item, "profile")),
         static_cast<int>(json::get_int(item, "start")), static_cast<int>(json::get_int(item, "id", -1))});
}

Result<void> MigRecord::settle(const std::string& gpu, const std::vector<MigInstance>& instances) {
  const std::vector<MigOwn> before = own_;
  std::erase_if(own_, [&](MigOwn& own) {
    if (own.gpu != gpu) return false;
    const auto found =
        std::ranges::find_if(instances, [&](const MigInstance& it) { return same_place(own, it); });
    if (found == instances.end()) return true;
    own.id = found->id;
    return false;
  });
  return own_ == before ? Result<void>{} : save();
}

Result<void> MigRecord::will_make(const std::string& gpu, const std::string& profile, int start) {
  own_.push_back({gpu, profile, start, -1});
  return save();
}

Result<void> MigRecord::made(const std::string& gpu, const MigInstance& instance) {
  for (MigOwn& own : own_)
    if (own.gpu == gpu && same_place(own, instance)) own.id = instance.id;
  return save();
}

Result<void> MigRecord::gone(const std::string& gpu, int start) {
  std::erase_if(own_, [&](const MigOwn& own) { return own.gpu == gpu && own.start == start; });
  return save();
}

bool MigRecord::owns(const std::string& gpu, const MigInstance& instance) const {
  return std::ranges::any_of(
      own_, [&](const MigOwn& own) { return own.gpu == gpu && own.id >= 0 && same_place(own, instance); });
}

// Not durable: what outlives a loss of power is of another boot.
Result<void> MigRecord::save() const {
  json::Array instances;
  for (const MigOwn& own : own_)
    instances.push_back(
        json::Object{{"gpu", own.gpu}, {"profile", own.profile}, {"start", own.start}, {"id", own.id}});
  const json::Value kept = json::Object{{"boot", boot_}, {"instances", std::move(instances)}};
  return rt::write_file_atomically(file_, json::write(kept), {.mode = 0600, .durable = false});
}

}  // namespace stoker::agent
