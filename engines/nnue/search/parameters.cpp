#include "engines/nnue/search/parameters.h"

namespace fuhyo::nnue {

#ifdef FUHYO_TUNE

void add_tuning_options(usi::OptionTable& table) {
#define FUHYO_ADD(name, value, least, most) table.add_spin(#name, value, least, most, usi::kTuningOption);
  FUHYO_SEARCH_PARAMETERS(FUHYO_ADD)
#undef FUHYO_ADD
#define FUHYO_ADD(name, used) table.add_check("Use_" #name, used, usi::kTuningOption);
  FUHYO_SEARCH_TECHNIQUES(FUHYO_ADD)
#undef FUHYO_ADD
}

void take_tuning_options(const usi::OptionTable& table) {
#define FUHYO_TAKE(name, value, least, most) parameter::name = static_cast<int>(table.spin(#name));
  FUHYO_SEARCH_PARAMETERS(FUHYO_TAKE)
#undef FUHYO_TAKE
#define FUHYO_TAKE(name, used) use::name = table.check("Use_" #name);
  FUHYO_SEARCH_TECHNIQUES(FUHYO_TAKE)
#undef FUHYO_TAKE
}

#else

void add_tuning_options(usi::OptionTable&) {}
void take_tuning_options(const usi::OptionTable&) {}

#endif

}  // namespace fuhyo::nnue
