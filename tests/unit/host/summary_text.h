// Game_Summary blocks for tests, in the form of shogi-server.
#pragma once

#include <string>
#include <vector>

namespace fuhyo::host {

using Lines = std::vector<std::string>;

inline Lines operator+(Lines a, const Lines& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Lines time_block(int total, int byoyomi, int increment, const std::string& unit = "1sec",
                        const std::string& name = "Time") {
  return {"BEGIN " + name,
          "Time_Unit:" + unit,
          "Total_Time:" + std::to_string(total),
          "Byoyomi:" + std::to_string(byoyomi),
          "Increment:" + std::to_string(increment),
          "Least_Time_Per_Move:0",
          "END " + name};
}

inline Lines start_position() {
  return {"P1-KY-KE-GI-KI-OU-KI-GI-KE-KY", "P2 * -HI *  *  *  *  * -KA * ",
          "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU", "P4 *  *  *  *  *  *  *  *  * ",
          "P5 *  *  *  *  *  *  *  *  * ", "P6 *  *  *  *  *  *  *  *  * ",
          "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU", "P8 * +KA *  *  *  *  * +HI * ",
          "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY", "+"};
}

inline Lines summary(char turn, const Lines& time, const Lines& position = start_position(),
                     const std::string& declaration = "Declaration:Jishogi 1.1") {
  Lines lines = {"BEGIN Game_Summary",
                 "Protocol_Version:1.2",
                 "Protocol_Mode:Server",
                 "Format:Shogi 1.0",
                 declaration,
                 "Game_ID:ev+test-10-1+A+B+20261121041440",
                 "Name+:A",
                 "Name-:B",
                 std::string("Your_Turn:") + turn,
                 "Rematch_On_Draw:NO",
                 "To_Move:+",
                 "Max_Moves:256"};
  return lines + time + Lines{"BEGIN Position"} + position + Lines{"END Position", "END Game_Summary"};
}

}  // namespace fuhyo::host
