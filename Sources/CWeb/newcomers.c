#include "server.h"

#include <netinet/in.h>
#include <sys/socket.h>

/// The most connections of one address that are no pages yet: a browser opens six, and several devices can be behind one
/// address. A stranger who opens more of them, and never says anything, leaves the others theirs.
static const uint32_t most = 24;

uint32_t cweb_address_of(int socket) {
    struct sockaddr_in other;
    socklen_t length = sizeof other;
    if (getpeername(socket, (struct sockaddr *)&other, &length) != 0 || other.sin_family != AF_INET) return 0;
    return other.sin_addr.s_addr == htonl(INADDR_LOOPBACK) ? 0 : other.sin_addr.s_addr;
}

bool cweb_lets_in(const cweb *web, int socket) {
    uint32_t address = cweb_address_of(socket), count = 0;
    if (address == 0) return true;
    for (uint32_t index = 0; index < web->newcomer_count; index++) count += web->newcomers[index].address == address;
    for (uint32_t index = 0; index < web->knock_count; index++) count += web->knocks[index].address == address;
    return count < most;
}

void cweb_count_in(cweb *web, const struct lws *wsi, int socket) {
    uint32_t address = cweb_address_of(socket);
    if (address == 0 || web->newcomer_count >= (uint32_t)web->settings.connections) return;
    web->newcomers[web->newcomer_count++] = (cweb_newcomer){.wsi = wsi, .address = address};
}

void cweb_count_out(cweb *web, const struct lws *wsi) {
    for (uint32_t index = 0; index < web->newcomer_count; index++) {
        if (web->newcomers[index].wsi != wsi) continue;
        web->newcomers[index] = web->newcomers[--web->newcomer_count];
        return;
    }
}
