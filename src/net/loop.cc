#include "net/loop.h"

#include <exception>
#include <utility>

#include <boost/asio/post.hpp>
#include <time.h>

#include "log/log.h"
#include "net/render.h"

namespace stoker::net {
namespace {

thread_local const Loop* current_loop = nullptr;

std::int64_t coarse(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
}

// The content of a Reply: delivers once, and says so when it is dropped without.
class Ticket {
 public:
  Ticket(std::shared_ptr<Mailbox> mailbox, std::uint64_t peer) : mailbox_(std::move(mailbox)), peer_(peer) {}
  Ticket(Ticket&& other) noexcept = default;
  Ticket& operator=(Ticket&&) = delete;
  ~Ticket() {
    if (mailbox_) mailbox_->deliver(peer_, std::nullopt);
  }
  void operator()(Response answer) {
    if (const auto mailbox = std::exchange(mailbox_, nullptr)) mailbox->deliver(peer_, std::move(answer));
  }

 private:
  std::shared_ptr<Mailbox> mailbox_;
  std::uint64_t peer_;
};

}  // namespace

Reply make_reply(std::shared_ptr<Mailbox> mailbox, std::uint64_t peer) {
  return Ticket(std::move(mailbox), peer);
}

// ---- Mailbox ----

void Mailbox::deliver(std::uint64_t peer, std::optional<Response> answer) {
  // Only the loop's own thread may look at handling_, and while it runs the loop exists: no lock.
  if (current_loop != nullptr && current_loop->mailbox_.get() == this && current_loop->handling_id_ == peer) {
    current_loop->handling_->deliver(std::move(answer));
    return;
  }
  push(Item{.peer = peer, .wake_only = false, .answer = std::move(answer)});
}

void Mailbox::wake(std::uint64_t peer) {
  push(Item{.peer = peer, .wake_only = true, .answer = std::nullopt});
}

void Mailbox::push(Item item) {
  const std::lock_guard lock(mutex_);
  if (loop_ == nullptr) return;
  items_.push_back(std::move(item));
  if (scheduled_) return;
  scheduled_ = true;
  // Under the lock, so that the loop cannot go meanwhile; once per batch only.
  asio::post(loop_->io_, [loop = loop_] { loop->read_mail(); });
}

void Mailbox::close() {
  std::vector<Item> unread;
  const std::lock_guard lock(mutex_);
  loop_ = nullptr;
  unread.swap(items_);
}

// ---- Loop ----

Loop::Loop(std::string name, Duration tick) : name_(std::move(name)), tick_(tick) {}

void Loop::start() {
  schedule_tick();
  thread_ = rt::Thread(name_, [this] { run(); });
}

void Loop::run() {
  current_loop = this;
  for (;;) {
    // Handlers catch their own; whatever comes through here ends one connection at most.
    try {
      io_.run();
      return;
    } catch (const std::exception& e) {
      log::error("net_handler_threw", {{"thread", name_}, {"what", e.what()}});
    }
  }
}

bool Loop::on_own_thread() const {
  return current_loop == this;
}

void Loop::stop() {
  if (thread_.running()) {
    asio::post(io_, [this] { close_all(); });
    thread_.join();
  }
  mailbox_->close();
}

void Loop::close_all() {
  stopping_ = true;
  timer_.cancel();
  std::vector<std::shared_ptr<Peer>> peers;
  for (const auto& [id, peer] : peers_) peers.push_back(peer);
  for (const auto& peer : peers) peer->close_now();
  work_.reset();
}

void Loop::add(std::uint64_t id, std::shared_ptr<Peer> peer) {
  peers_.emplace(id, std::move(peer));
}

void Loop::remove(std::uint64_t id) {
  peers_.erase(id);
}

std::int64_t Loop::now_ms() {
  return coarse(CLOCK_MONOTONIC_COARSE);
}

const std::string& Loop::date() {
  const std::int64_t second = coarse(CLOCK_REALTIME_COARSE) / 1000;
  if (second != date_second_) {
    date_second_ = second;
    date_ = http_date(second);
  }
  return date_;
}

void Loop::schedule_tick() {
  timer_.expires_after(std::chrono::milliseconds(tick_.ms));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error && !stopping_) on_tick();
  });
}

void Loop::on_tick() {
  const std::int64_t now = now_ms();
  std::vector<std::shared_ptr<Peer>> expired;
  for (const auto& [id, peer] : peers_)
    if (peer->expired(now)) expired.push_back(peer);
  for (const auto& peer : expired) peer->close_now();
  schedule_tick();
}

void Loop::read_mail() {
  mail_.clear();
  {
    const std::lock_guard lock(mailbox_->mutex_);
    mailbox_->scheduled_ = false;
    mail_.swap(mailbox_->items_);
  }
  for (Mailbox::Item& item : mail_) {
    const auto found = peers_.find(item.peer);
    if (found == peers_.end()) continue;
    const std::shared_ptr<Peer> peer = found->second;  // it may leave the loop meanwhile
    if (item.wake_only) {
      peer->wake();
    } else {
      peer->deliver(std::move(item.answer));
    }
  }
  mail_.clear();
}

}  // namespace stoker::net
