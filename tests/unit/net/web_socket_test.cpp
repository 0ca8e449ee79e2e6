// Frames of a WebSocket, by the examples of RFC 6455 and by what no client may send.
#include "server/net/web_socket.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::net {
namespace {

using namespace std::string_literals;
using Status = WebSocket::Status;

// As a client sends it. `head`: the first byte, opcode and FIN.
std::string masked(unsigned head, std::string_view payload) {
  const std::string mask = "\x37\xfa\x21\x3d"s;
  std::string bytes{static_cast<char>(head)};
  if (payload.size() < 126) {
    bytes += static_cast<char>(0x80 | payload.size());
  } else {
    bytes += {'\xfe', static_cast<char>(payload.size() >> 8), static_cast<char>(payload.size() & 0xFF)};
  }
  bytes += mask;
  for (std::size_t i = 0; i < payload.size(); ++i) bytes += static_cast<char>(payload[i] ^ mask[i % 4]);
  return bytes;
}
constexpr unsigned kFin = 0x80, kContinuation = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;

struct Heard {
  std::string text, answer;
  Status status = Status::none;
};

Heard hear(const std::vector<std::string>& pieces) {
  WebSocket socket;
  Heard heard;
  for (const std::string& piece : pieces) {
    heard.status = socket.take(piece, [&](std::string_view text) { heard.text += text; }, heard.answer);
  }
  return heard;
}

TEST(WebSocketKey, IsAnsweredAsTheStandardSays) {
  EXPECT_EQ(web_socket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");  // section 1.3
  for (const char* key : {"", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ==\n",
                          "dGhlIHNhbXBsZSBub25jZQAA", "dGhlIHNhbXBsZSBub25j-Q=="}) {
    EXPECT_EQ(web_socket_accept(key), "") << key;
  }
}

TEST(WebSocketFrames, MessagesAreLinesHoweverTheirBytesAreSplit) {
  EXPECT_EQ(hear({"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"s}).text, "Hello\n");  // section 5.7
  const std::string two = masked(kFin | kText, "AGREE\n") + masked(kFin | kBinary, "+7776FU");
  EXPECT_EQ(hear({two}).text, "AGREE\n+7776FU\n");
  std::vector<std::string> bytes;
  for (const char c : two) bytes.emplace_back(1, c);
  EXPECT_EQ(hear(bytes).text, "AGREE\n+7776FU\n");
  const std::string parts = masked(kText, "+77") + masked(kFin | kPing, "still there?") + masked(kContinuation, "") +
                            masked(kFin | kContinuation, "76FU") + masked(kFin | kText, "");
  EXPECT_EQ(hear({parts}).text, "+7776FU\n\n") << "an empty message is an empty line";
  const std::string empty_end = masked(kText, "a\n") + masked(kFin | kContinuation, "");
  EXPECT_EQ(hear({empty_end}).text, "a\n");
  EXPECT_EQ(hear({masked(kFin | kText, std::string(126, 'x'))}).text, std::string(126, 'x') + "\n");
  const std::string longest_length = "\x81\xff"s + std::string(7, '\0') + "\x01"s + "\0\0\0\0"s + "x";
  EXPECT_EQ(hear({longest_length}).text, "x\n");
}

TEST(WebSocketFrames, PingsAndTheEndAreAnswered) {
  const Heard pinged = hear({masked(kFin | kPing, "still there?") + masked(kFin | kPong, "what nobody asked")});
  EXPECT_EQ(pinged.answer, "\x8a\x0cstill there?"s);
  EXPECT_EQ(pinged.status, Status::none);
  const Heard closed = hear({masked(kFin | kClose, "\x03\xe8 bye"s) + masked(kFin | kText, "too late")});
  EXPECT_EQ(closed.answer, "\x88\x02\x03\xe8"s);
  EXPECT_EQ(closed.status, Status::normal);
  EXPECT_EQ(closed.text, "");
}

TEST(WebSocketFrames, WhatNoClientMaySendEndsTheConnection) {
  const std::pair<const char*, std::string> wrong[] = {
      {"no mask", "\x81\x05Hello"s},
      {"a reserved bit", masked(0xC0 | kText, "a")},
      {"an unknown opcode", masked(kFin | 3, "a")},
      {"an unknown opcode of control", masked(kFin | 11, "a")},
      {"a ping in parts", masked(kPing, "a")},
      {"a ping of 126 bytes", masked(kFin | kPing, std::string(126, 'x'))},
      {"a continuation of nothing", masked(kFin | kContinuation, "a")},
      {"a message within a message", masked(kText, "") + masked(kFin | kText, "b")},
      {"a length of 2^63", "\x81\xff\x80"s + std::string(7, '\0') + "mask"},
  };
  for (const auto& [what, bytes] : wrong) {
    SCOPED_TRACE(what);
    const Heard heard = hear({masked(kFin | kText, "before"), bytes, masked(kFin | kText, "after")});
    EXPECT_EQ(heard.status, Status::protocol_error);
    EXPECT_EQ(heard.answer, "\x88\x02\x03\xea"s);
    EXPECT_EQ(heard.text, "before\n");
  }
}

TEST(WebSocketFrames, WhatIsSaidIsTextWhereItCanBe) {
  EXPECT_EQ(WebSocket::message("START:1\n"), "\x81\x08START:1\n"s);
  EXPECT_EQ(WebSocket::message("\x8b\xfa\n"), "\x82\x03\x8b\xfa\n"s) << "Shift_JIS";
  const std::string at(125, 'x'), past(126, 'x'), most(0xFFFF, 'x'), more(0x10000, 'x');
  EXPECT_EQ(WebSocket::message(at), "\x81\x7d" + at);
  EXPECT_EQ(WebSocket::message(past), "\x81\x7e\x00\x7e"s + past);
  EXPECT_EQ(WebSocket::message(most), "\x81\x7e\xff\xff" + most);
  EXPECT_EQ(WebSocket::message(more), "\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00"s + more);
}

}  // namespace
}  // namespace fuhyo::net
