#define _GNU_SOURCE
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// The library answers some requests by itself, with a page of its own, before it asks anybody. Connections therefore come in
// here: once a request has begun, its first bytes tell whether the library gets the connection. They are looked at and left
// in the socket.

/// The longest method with its space and one byte after it.
enum { HEAD = 24, BATCH = 16 };

/// The descriptors that connections leave to the rest of the program, and how long no connection is taken without any, in µs.
enum { SPARE = 8, REST = 100000 };

/// What the beginning of a request asks for: 0 if the library may have it, -1 if more of it must come, or the status of the
/// answer.
static int judge(const char *head, size_t length) {
    static const char *const methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"};
    size_t end = 0;
    while (end < length && ((head[end] >= 'A' && head[end] <= 'Z') || (head[end] >= 'a' && head[end] <= 'z'))) end++;
    if (end == length) return length < HEAD ? -1 : 0;
    // The library would answer what begins without a method, such as TLS.
    if (end == 0 || head[end] != ' ') return 400;
    if (end + 1 == length) return length < HEAD ? -1 : 0;
    size_t index = 0, count = sizeof methods / sizeof methods[0];
    while (index < count && (strlen(methods[index]) != end || memcmp(methods[index], head, end) != 0)) index++;
    if (index == count) return 405;
    // The library would answer the address /%00 as /.
    const char *path = head + end + 1, *zero = "/%00";
    size_t begun = length - end - 1 < strlen(zero) ? length - end - 1 : strlen(zero);
    if (memcmp(path, zero, begun) == 0) return begun < strlen(zero) ? -1 : 400;
    return *path == '/' ? 0 : 400;
}

static int64_t seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/// Forgets a connection that waits at the door, which stays open.
static void let_go(cweb *web, uint32_t index) {
    epoll_ctl(web->door, EPOLL_CTL_DEL, web->knocks[index].socket, NULL);
    web->knocks[index] = web->knocks[--web->knock_count];
}

/// Looks at what a connection has sent so far.
static void look(cweb *web, uint32_t index) {
    char head[HEAD];
    int socket = web->knocks[index].socket;
    ssize_t count = recv(socket, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    int verdict = count > 0 ? judge(head, (size_t)count) : 0;
    if (verdict < 0) return;
    let_go(web, index);
    if (count <= 0) close(socket);
    else if (verdict > 0) cweb_turn_away(socket, verdict);
    // The library closes a socket that it cannot take.
    else cweb_lws.lws_adopt_socket_vhost(web->host, socket);
}

/// Whether hardly any descriptors are left after the newest one: the system gives the lowest number that is free.
static bool is_scarce(int newest) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)newest + SPARE >= limit.rlim_cur;
}

/// Listens, or lets new connections wait, which the system would report again at once.
static void set_listening(cweb *web, bool listens) {
    struct epoll_event event = {.events = listens ? EPOLLIN : 0, .data.fd = web->listener};
    epoll_ctl(web->door, EPOLL_CTL_MOD, web->listener, &event);
}

/// Takes a new connection, if there is one: whether there was.
static bool take(cweb *web) {
    int socket = accept4(web->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
        if (errno == EINTR || errno == ECONNABORTED) return true;
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            set_listening(web, false);
            cweb_lws.lws_set_timer_usecs(web->at_door, REST);
        }
        return false;
    }
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.fd = socket};
    bool has_room = web->knock_count < (uint32_t)web->settings.connections && cweb_lets_in(web, socket);
    if (is_scarce(socket) || !has_room || epoll_ctl(web->door, EPOLL_CTL_ADD, socket, &event) != 0) {
        close(socket);
        return true;
    }
    int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    cweb_knock knock = {.socket = socket, .address = cweb_address_of(socket), .since = seconds()};
    web->knocks[web->knock_count++] = knock;
    return true;
}

void cweb_answer_door(cweb *web) {
    struct epoll_event events[BATCH];
    int count = epoll_wait(web->door, events, BATCH, 0);
    for (int n = 0; n < count; n++) {
        if (events[n].data.fd == web->listener) {
            for (int taken = 0; taken < BATCH && take(web); taken++) {}
            continue;
        }
        for (uint32_t index = 0; index < web->knock_count; index++) {
            if (web->knocks[index].socket != events[n].data.fd) continue;
            look(web, index);
            break;
        }
    }
}

void cweb_tidy_door(cweb *web) {
    set_listening(web, true);
    int64_t latest = seconds() - web->settings.hello_seconds;
    for (uint32_t index = web->knock_count; index-- > 0;) {
        if (web->knocks[index].since > latest) continue;
        int socket = web->knocks[index].socket;
        let_go(web, index);
        close(socket);
    }
}

bool cweb_open_door(cweb *web) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)web->settings.port)};
    const char *address = web->settings.address;
    if (address && inet_pton(AF_INET, address, &place.sin_addr) != 1) return false;
    int yes = 1;
    socklen_t length = sizeof place;
    web->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (web->listener < 0) return false;
    setsockopt(web->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(web->listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(web->listener, 128) != 0) return false;
    if (getsockname(web->listener, (struct sockaddr *)&place, &length) != 0) return false;
    web->port = ntohs(place.sin_port);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = web->listener};
    web->door = epoll_create1(EPOLL_CLOEXEC);
    if (web->door < 0 || epoll_ctl(web->door, EPOLL_CTL_ADD, web->listener, &event) != 0) return false;
    // The library waits for the door with everything else. From here on, it closes it.
    lws_sock_file_fd_type door = {.filefd = web->door};
    web->at_door = cweb_lws.lws_adopt_descriptor_vhost(web->host, LWS_ADOPT_RAW_FILE_DESC, door, "barline", NULL);
    if (!web->at_door) {
        web->door = -1;
        return false;
    }
    cweb_lws.lws_set_timer_usecs(web->at_door, LWS_USEC_PER_SEC);
    return true;
}

void cweb_close_door(cweb *web) {
    for (uint32_t index = 0; index < web->knock_count; index++) close(web->knocks[index].socket);
    web->knock_count = 0;
    if (web->listener >= 0) close(web->listener);
    if (web->door >= 0 && !web->at_door) close(web->door);
}
