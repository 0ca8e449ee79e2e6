// One HTTP connection: its requests, its answers (http_answers.h), and the stream of events. On the web thread; private
// to this room.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "server/net/archive_api.h"
#include "server/net/csa_listener.h"
#include "server/net/event_reader.h"
#include "server/net/feed.h"
#include "server/net/http_server.h"
#include "server/net/http_stream.h"
#include "server/net/metrics_text.h"
#include "server/net/tournament_api.h"
#include "server/net/unread_answers.h"
#include "server/net/web_api.h"

namespace fuhyo::net {

// What the sessions share.
struct HttpShared {
  WebApi web;
  ArchiveApi archive;
  TournamentApi events;
  UnreadAnswers unread;
  HttpOptions options;
  Feed feed;
  EventReaders readers;
  std::shared_ptr<const std::vector<core::Waiter>> lobby;  // null: not known here
  CsaListener* players = nullptr;                          // takes WebSockets; null: none come in here
  std::function<core::Wall()> wall_now;
  std::function<bool()> healthy;
  std::function<const char*()> not_ready;  // why; null: it is
  std::function<const char*()> trouble;    // of which another start would not help; null: none
  std::function<HttpFigures()> figures;
  std::array<std::uint64_t, 5> answers{};  // as in HttpFigures
};

// Serves the connection, its TLS handshake first, until it ends. `peer`: its address, "192.0.2.7". The caller keeps
// both references alive.
boost::asio::awaitable<void> serve_http(HttpStream stream, const std::string& peer, HttpShared& shared);

}  // namespace fuhyo::net
