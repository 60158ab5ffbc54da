#include "terminal_guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_WAIT_MS = 1000 };

static struct termios kept;
static char bytes[64];
static size_t length;
static atomic_int drawing;
static atomic_bool is_held;
static atomic_bool is_set_up;

// What ends the program at once: its own faults, Ctrl-\, and what others may send.
static const int ends[] = {
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
};

// Calls only what is allowed in a signal handler.
static void put_back(int number) {
    if (atomic_exchange(&is_held, false)) {
        tcsetattr(STDIN_FILENO, TCSANOW, &kept);
        // Other threads must not draw after the terminal has been restored.
        int terminal = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (terminal >= 0 && nowhere >= 0) {
            dup2(nowhere, atomic_load(&drawing));
            dup2(nowhere, STDOUT_FILENO);
        }
        if (terminal < 0) terminal = STDOUT_FILENO;
        // A terminal that has stopped reading must not keep the program from ending. After a second, output that the user has
        // stopped is resumed; output for which there is still no room is discarded.
        struct pollfd output = {.fd = terminal, .events = POLLOUT};
        if (poll(&output, 1, LONGEST_WAIT_MS) == 0 && tcgetpgrp(terminal) == getpgrp()) {
            tcflow(terminal, TCOOFF);
            tcflow(terminal, TCOON);
            if (poll(&output, 1, 0) == 0) tcflush(terminal, TCOFLUSH);
        }
        if (poll(&output, 1, 0) > 0) {
            ssize_t written = write(terminal, bytes, length);
            (void)written;
        }
    }
    // SA_RESETHAND has restored the default action: this ends the program.
    raise(number);
}

void terminal_guard(const struct termios *settings, const char *leave, int descriptor) {
    atomic_store(&is_held, false);
    if (settings == NULL) return;
    kept = *settings;
    length = strnlen(leave, sizeof bytes - 1);
    memcpy(bytes, leave, length);
    atomic_store(&drawing, descriptor);
    atomic_store(&is_held, true);
    if (atomic_exchange(&is_set_up, true)) return;
    struct sigaction action = {.sa_handler = put_back, .sa_flags = SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) sigaction(ends[i], &action, NULL);
}
