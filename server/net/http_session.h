// One HTTP connection: requests, answers, and the stream of events. On the web thread; private to this room.
#pragma once

#include <memory>
#include <set>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include "server/net/event_reader.h"
#include "server/net/feed.h"
#include "server/net/http_server.h"

namespace fuhyo::net {

// What the sessions share.
struct HttpShared {
  HttpOptions options;
  Feed feed;
  std::set<EventReader*> readers;
  std::function<core::Wall()> wall_now;
  std::function<bool()> healthy;
};

// Serves the connection until it ends. The caller keeps `shared` alive.
boost::asio::awaitable<void> serve_http(boost::beast::tcp_stream stream, HttpShared& shared);

}  // namespace fuhyo::net
