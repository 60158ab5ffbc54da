#define _GNU_SOURCE
#include "library.h"
#include "cweb.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The headers that the program was built with decide the library: 4.1 has the number 17, and so on.
#define NUMBERED(prefix, number) prefix #number
#define NUMBERED_BY_VALUE(prefix, number) NUMBERED(prefix, number)
#if LWS_LIBRARY_VERSION_MAJOR != 4
#error "libwebsockets 4 is needed"
#elif LWS_LIBRARY_VERSION_MINOR == 1
#define SONAME 17
#elif LWS_LIBRARY_VERSION_MINOR == 2
#define SONAME 18
#elif LWS_LIBRARY_VERSION_MINOR == 3
#define SONAME 19
#else
#error "the number of this libwebsockets is not known"
#endif

const char *cweb_package(void) { return NUMBERED_BY_VALUE("libwebsockets", SONAME); }

/// Finds one function. The pointer is copied, because C has no conversion from an object pointer to a function pointer.
static bool find(void *handle, const char *name, void *function) {
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

cweb_library cweb_lws;
static bool is_loaded;

static void load(void) {
    void *handle = dlopen(NUMBERED_BY_VALUE("libwebsockets.so.", SONAME), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
#define CWEB_FIND(name) if (!find(handle, #name, &cweb_lws.name)) return;
    CWEB_FUNCTIONS(CWEB_FIND)
    // Its messages would quote what strangers send.
    cweb_lws.lws_set_log_level(0, NULL);
    is_loaded = true;
}

bool cweb_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
