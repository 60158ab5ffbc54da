#ifndef TERMINAL_GUARD_H
#define TERMINAL_GUARD_H

#include <termios.h>

/// Has a terminal on standard input and output put back if the program crashes: its settings to `settings`, after `leave`
/// has been written to it, if it takes anything (at most 63 bytes are kept). NULL for `settings`: nothing is put back any
/// more. What is written to `descriptor`, by which the program draws, after the crash is not shown.
///
/// A crash is SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE or SIGABRT; it ends the program all the same. From one thread at a
/// time.
void terminal_guard(const struct termios *settings, const char *leave, int descriptor);

#endif
