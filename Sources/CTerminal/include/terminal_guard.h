#ifndef TERMINAL_GUARD_H
#define TERMINAL_GUARD_H

#include <termios.h>

/// Restores the terminal on standard input and output if the program crashes: its settings become `settings`, then
/// `leave` is written to it, if it accepts output. At most 63 bytes of `leave` are kept. With NULL for `settings`
/// nothing is restored any more. After a crash, whatever the program still draws to `descriptor` is not shown.
///
/// A crash is SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE or SIGABRT; it still ends the program. Call this from one thread
/// at a time.
void terminal_guard(const struct termios *settings, const char *leave, int descriptor);

#endif
