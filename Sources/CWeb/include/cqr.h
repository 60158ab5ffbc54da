/// QR codes, on Debian's libqrencode, which is loaded when the first one is made. Thread: any.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The modules on a side of the largest QR code.
enum { CQR_LARGEST = 177 };

/// Makes the QR code of a text, with the least correction of errors: `modules` becomes 1 for dark ones and 0 for light
/// ones, row by row. Returns the modules on a side; 0 if the text is too long, or the library is missing.
int cqr_make(const char *text, uint8_t modules[CQR_LARGEST * CQR_LARGEST]);

/// The name of the Debian package that holds the library.
const char *cqr_package(void);
