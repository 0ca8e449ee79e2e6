#include "engines/nnue/path.h"

namespace fuhyo::nnue {

Repetition Path::repetition() const {
  if (steps_.size() < 5) return Repetition::none;
  const std::size_t now = steps_.size() - 1;
  int in_game = 0;
  for (std::size_t back = 4; back <= now; back += 2) {
    const std::size_t earlier = now - back;
    if (steps_[earlier].key != steps_[now].key) continue;
    if (earlier + 1 >= root_ || ++in_game == 3) return judge(earlier);
  }
  return Repetition::none;
}

// Who was in check at each of its turns since `earlier`? A side whose every turn there was in check has been chased by
// perpetual check, which the other side loses by.
Repetition Path::judge(std::size_t earlier) const {
  const std::size_t now = steps_.size() - 1;
  bool us_chased = true, them_chased = true;
  for (std::size_t i = earlier + 1; i <= now; ++i) {
    bool& chased = (now - i) % 2 == 0 ? us_chased : them_chased;
    chased = chased && steps_[i].in_check;
  }
  if (us_chased) return Repetition::win;
  return them_chased ? Repetition::loss : Repetition::draw;
}

}  // namespace fuhyo::nnue
