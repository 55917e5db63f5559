#include "CMosquittoGuard.h"

#include <mosquitto.h>
#include <openssl/bio.h>
#include <openssl/ssl.h>
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

/* However few packets mosquitto_loop_read is to read, it goes on while OpenSSL has bytes. A broker whose packets never end
   where a record of TLS does keeps it there, with all that it sends in memory. So the socket looks empty from the first packet
   on: what OpenSSL has of a record is read, 16 kB at most, and the loop ends, as it does when a packet isn't whole yet. It looks
   empty after some records as well, which may hold no packet at all, but tickets of TLS without an end. */

static _Thread_local int packets_read;
static _Thread_local int socket_reads;

/* A record takes two: 1 MB. */
enum { most_socket_reads = 128 };

void beacon_mosquitto_did_read_packet(void) { packets_read++; }

static long gate(BIO *socket, int operation, const char *data, size_t length, int argument, long other, int result,
                 size_t *processed) {
    (void)data, (void)length, (void)argument, (void)other, (void)processed;
    if (operation != BIO_CB_READ) return result;
    if (packets_read == 0 && socket_reads++ < most_socket_reads) return result;
    BIO_set_retry_read(socket);
    return -1;
}

int beacon_mosquitto_read(struct mosquitto *connection, int *packets) {
    SSL *tls = mosquitto_ssl_get(connection);
    BIO *socket = tls ? SSL_get_rbio(tls) : NULL;
    if (socket && BIO_get_callback_ex(socket) != gate) BIO_set_callback_ex(socket, gate);
    packets_read = socket_reads = 0;
    jmp_buf here;
    if (_setjmp(here)) return MOSQ_ERR_MALFORMED_PACKET;
    reader = &here;
    int status = mosquitto_loop_read(connection, 1);
    reader = NULL;
    *packets = packets_read;
    // Whoever reads by another way isn't held up.
    packets_read = socket_reads = 0;
    return status;
}

_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function) {
    jmp_buf *back = reader;
    reader = NULL;
    if (back && function && strcmp(function, "log__printf") == 0) _longjmp(*back, 1);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?", assertion);
    abort();
}
