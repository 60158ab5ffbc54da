#pragma once
#include <ltc.h>
