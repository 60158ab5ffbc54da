#define _GNU_SOURCE
#include "cqr.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

const char *cqr_package(void) { return "libqrencode4"; }

/// A code as the library gives it; its header is not needed for three functions, and this is the ABI of its number.
typedef struct {
    int version, width;
    unsigned char *data;
} code;

int cqr_make(const char *text, uint8_t modules[CQR_LARGEST * CQR_LARGEST]) {
    // dlopen does not load a library twice.
    void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    // Text of 8 bits a character, whose case matters (QR_MODE_8), and 7 % of correction (QR_ECLEVEL_L).
    code *(*encode)(const char *, int version, int level, int mode, int has_case);
    void (*release)(code *);
    void *symbols[] = {dlsym(library, "QRcode_encodeString"), dlsym(library, "QRcode_free")};
    if (!symbols[0] || !symbols[1]) return 0;
    memcpy(&encode, &symbols[0], sizeof encode);
    memcpy(&release, &symbols[1], sizeof release);
    code *made = encode(text, 0, 0, 2, 1);
    if (!made) return 0;
    int width = made->width <= CQR_LARGEST ? made->width : 0;
    // Only the lowest bit is the color.
    for (int index = 0; index < width * width; index++) modules[index] = made->data[index] & 1;
    release(made);
    return width;
}
