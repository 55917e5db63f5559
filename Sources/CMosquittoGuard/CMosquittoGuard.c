#include "CMosquittoGuard.h"

#include <mosquitto.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libmosquitto 2.0 has one assertion that what a broker sends makes fail: of a property that it doesn't know it wants to
   say so in the log of no connection (property_mosq.c), and log__printf asserts that there is one. Any packet of MQTT 5
   with such a property would end the process.

   The program's own __assert_fail comes before that of the C library. From that one assertion it goes back to where the
   packet was read: no callback, and so no frame of Swift, is between, and no lock is held. Any other ends the process as
   the C library does. */

static _Thread_local jmp_buf *reader;

int beacon_mosquitto_read(struct mosquitto *connection) {
    jmp_buf here;
    if (_setjmp(here)) return MOSQ_ERR_MALFORMED_PACKET;
    reader = &here;
    int status = mosquitto_loop_read(connection, 1);
    reader = NULL;
    return status;
}

_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function) {
    jmp_buf *back = reader;
    reader = NULL;
    if (back && function && strcmp(function, "log__printf") == 0) _longjmp(*back, 1);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?", assertion);
    abort();
}
