#include "server/core/outbox.h"

#include <algorithm>
#include <utility>

namespace fuhyo::core {

void Outbox::list(ConnId conn, Queue& queue) {
  if (queue.dirty || queue.gated) return;
  const bool waits = queue.items.front().after > durable_;
  (waits ? queue.gated : queue.dirty) = true;
  (waits ? gated_ : dirty_).push_back(conn);
}

void Outbox::push(Send send) {
  Queue& queue = queues_[send.conn];
  const bool held = send.after > durable_ || queue.held > 0;
  if (held) {
    queue.held += send.bytes.size();
    queue.longest = std::max(queue.longest, send.bytes.size());
  }
  queue.items.push_back({send.after, std::move(send.bytes), false, held, send.move});
  list(send.conn, queue);
}

void Outbox::push(Close close) {
  Queue& queue = queues_[close.conn];
  queue.items.push_back({close.after, std::move(close.why), true, false, {}});
  list(close.conn, queue);
}

void Outbox::durable(Seq seq) {
  if (seq <= durable_) return;
  durable_ = seq;
  for (const ConnId conn : std::exchange(gated_, {})) {
    const auto it = queues_.find(conn);
    if (it == queues_.end()) continue;
    it->second.gated = false;
    list(conn, it->second);
  }
}

std::vector<Outbox::Ready> Outbox::take() {
  std::vector<Ready> result;
  result.reserve(dirty_.size());
  for (const ConnId conn : std::exchange(dirty_, {})) {
    const auto it = queues_.find(conn);
    if (it == queues_.end()) continue;
    Queue& queue = it->second;
    queue.dirty = false;
    Ready ready{.conn = conn, .bytes = {}, .close = false, .why = {}};
    auto item = queue.items.begin();
    for (; item != queue.items.end() && !ready.close && item->after <= durable_; ++item) {
      if (item->held) queue.held -= item->text.size();
      if (queue.held == 0) queue.longest = 0;
      if (!ready.move) ready.move = item->move;
      ready.close = item->close;
      std::string& text = item->close ? ready.why : ready.bytes;
      if (text.empty())
        text = std::move(item->text);
      else
        text += item->text;
    }
    queue.items.erase(queue.items.begin(), item);
    const bool something = !ready.bytes.empty() || ready.close;
    if (ready.close || queue.items.empty()) {
      queues_.erase(it);
    } else {
      list(conn, queue);
    }
    if (something) result.push_back(std::move(ready));
  }
  return result;
}

void Outbox::forget(ConnId conn) { queues_.erase(conn); }

std::size_t Outbox::held(ConnId conn) const {
  const auto it = queues_.find(conn);
  return it == queues_.end() ? 0 : it->second.held - std::min(it->second.held, it->second.longest);
}

}  // namespace fuhyo::core
