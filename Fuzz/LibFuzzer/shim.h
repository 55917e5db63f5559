/* libFuzzer as a library: LLVM, docs/LibFuzzer.rst, "Using libFuzzer as a library". The toolchain has no header. */
#ifndef LIBFUZZER_SHIM_H
#define LIBFUZZER_SHIM_H
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#endif
