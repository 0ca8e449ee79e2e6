#include "server/core/outbox.h"

#include <algorithm>
#include <utility>

namespace fuhyo::core {

void Outbox::mark(ConnId conn, Queue& queue) {
  if (queue.dirty) return;
  queue.dirty = true;
  dirty_.push_back(conn);
}

void Outbox::push(const Send& send) {
  Queue& queue = queues_[send.conn];
  const bool held = send.after > durable_ || queue.held > 0;
  if (held) {
    queue.held += send.bytes.size();
    queue.longest = std::max(queue.longest, send.bytes.size());
  }
  queue.items.push_back({send.after, send.bytes, false, {}, send.move, held});
  mark(send.conn, queue);
}

void Outbox::push(const Close& close) {
  Queue& queue = queues_[close.conn];
  queue.items.push_back({close.after, {}, true, close.why, {}, false});
  mark(close.conn, queue);
}

void Outbox::durable(Seq seq) {
  if (seq <= durable_) return;
  durable_ = seq;
  std::deque<ConnId> waiting;
  waiting.swap(gated_);
  for (const ConnId conn : waiting) {
    const auto it = queues_.find(conn);
    if (it == queues_.end()) continue;
    it->second.gated = false;
    mark(conn, it->second);
  }
}

std::vector<Outbox::Ready> Outbox::take() {
  std::vector<Ready> result;
  for (const ConnId conn : std::exchange(dirty_, {})) {
    const auto it = queues_.find(conn);
    if (it == queues_.end()) continue;
    Queue& queue = it->second;
    queue.dirty = false;
    Ready ready{.conn = conn, .bytes = {}, .close = false, .why = {}};
    while (!queue.items.empty() && !ready.close && queue.items.front().after <= durable_) {
      Item& item = queue.items.front();
      if (item.held) queue.held -= item.bytes.size();
      if (queue.held == 0) queue.longest = 0;
      ready.bytes += item.bytes;
      ready.close = item.close;
      if (!ready.move) ready.move = item.move;
      ready.why = std::move(item.why);
      queue.items.pop_front();
    }
    const bool something = !ready.bytes.empty() || ready.close;
    if (ready.close || queue.items.empty()) {
      queues_.erase(it);
    } else if (!queue.gated) {
      queue.gated = true;
      gated_.push_back(conn);
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
