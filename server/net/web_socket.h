// The frames of a WebSocket whose messages are lines of text (RFC 6455), the server's side, without extensions. Beast's
// WebSocket reads when it likes; here the bytes are read by who must be able to say that nothing more has come
// (core::ReadPass). Pure; one object a connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fuhyo::net {

// The value of Sec-WebSocket-Accept for one of Sec-WebSocket-Key (section 4.2.2); empty: the key is none, which is 16
// bytes in base64.
std::string web_socket_accept(std::string_view key);

class WebSocket {
 public:
  // Why a connection ends (section 7.4.1); none: it goes on.
  enum class Status : std::uint16_t { none = 0, normal = 1000, protocol_error = 1002 };

  // Frames of a client, in whatever pieces they come. `text` gets what messages hold, piece by piece, and "\n" behind a
  // message that does not end with it: a message is one line, or several. `answer` gets what is to be sent at once,
  // frames already. After an end nothing is taken any more.
  Status take(std::string_view bytes, const std::function<void(std::string_view text)>& text, std::string& answer);

  // One message: text, or, where the bytes are no UTF-8, which a browser would end the connection for, binary.
  static std::string message(std::string_view bytes);
  static std::string close(Status status);

 private:
  enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };
  static constexpr std::size_t kLongestControl = 125;

  static std::string frame(Opcode opcode, std::string_view payload);
  bool begin_frame();
  bool is_control() const { return static_cast<std::uint8_t>(opcode_) >= 8; }
  void end_frame(const std::function<void(std::string_view text)>& text, std::string& answer);

  std::string head_;             // of the frame that comes, as far as it is there
  Opcode opcode_{};              // of the frame whose payload comes
  bool final_ = false;           // it is the last one of its message
  std::uint64_t left_ = 0;       // bytes of its payload that are still to come
  std::uint32_t masked_at_ = 0;  // the place in the mask of the next byte
  std::string mask_;             // four bytes; empty: no payload is being read
  std::string control_;          // payload of a control frame, which may stand within a message
  bool within_ = false;          // a message has begun
  char last_ = '\0';             // of its text
  Status ended_ = Status::none;
};

}  // namespace fuhyo::net
