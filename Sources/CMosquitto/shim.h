#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

/* Whether a broker's certificate was refused, and why: libmosquitto tells only that it was. */
typedef struct {
    int was_refused;
    int reason;  /* X509_V_ERR_...; X509_V_OK when the certificate is good and of another host. */
} beacon_tls_verdict;

static int beacon_tls_verify(X509_STORE_CTX *store, void *context) {
    int is_good = X509_verify_cert(store);
    beacon_tls_verdict *verdict = (beacon_tls_verdict *)context;
    verdict->was_refused = is_good != 1;
    verdict->reason = X509_STORE_CTX_get_error(store);
    return is_good;
}

/* A context that notes in `verdict` how the broker's certificate was judged. NULL without memory. */
static inline void *beacon_tls_context(beacon_tls_verdict *verdict) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (context) SSL_CTX_set_cert_verify_callback(context, beacon_tls_verify, verdict);
    return context;
}

static inline void beacon_tls_context_free(void *context) { SSL_CTX_free((SSL_CTX *)context); }

static inline const char *beacon_tls_reason(int reason) { return X509_verify_cert_error_string(reason); }
