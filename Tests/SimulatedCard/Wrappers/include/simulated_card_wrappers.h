/// Linked into a program, or loaded before it by LD_PRELOAD, the wrappers answer some of alsa-lib's functions for simulated
/// cards; there is nothing to call. For tests in Swift this header brings along the types of the card's own.
#pragma once

#include "../../Plugin/include/simulated_card.h"
