/// The wrappers replace some functions of alsa-lib for simulated cards, in a program that links them or has them loaded
/// by LD_PRELOAD. There is nothing to call; for tests in Swift, this header provides the types of the card's interface.
#pragma once

#include "../../Plugin/include/simulated_card.h"
