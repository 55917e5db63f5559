#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

/* Whose certificate a broker has to show, and why it was refused: libmosquitto tells only that it was. */
typedef struct {
    char *host;  /* Name or address. */
    int was_refused;
    int reason;  /* X509_V_ERR_... */
} beacon_tls_verdict;

static int beacon_tls_keep(int is_good, X509_STORE_CTX *store) {
    (void)store;
    return is_good;
}

/* Verifies chain and host by OpenSSL: libmosquitto's own callback refuses every certificate in a context that isn't its
   own, because it initializes its index of SSL's data only when it makes the context. */
static int beacon_tls_verify(X509_STORE_CTX *store, void *context) {
    beacon_tls_verdict *verdict = (beacon_tls_verdict *)context;
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(store);
    X509_STORE_CTX_set_verify_cb(store, beacon_tls_keep);
    int is_good = (X509_VERIFY_PARAM_set1_ip_asc(parameters, verdict->host) == 1
                   || X509_VERIFY_PARAM_set1_host(parameters, verdict->host, 0) == 1)
        && X509_verify_cert(store) == 1;
    verdict->was_refused = !is_good;
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

/* Of a connection's SSL, which may be NULL. */
static inline int beacon_tls_is_shaking_hands(void *ssl) { return ssl && !SSL_is_init_finished((SSL *)ssl); }

/* Bytes that were read from the socket already. */
static inline int beacon_tls_pending(void *ssl) { return ssl ? SSL_pending((SSL *)ssl) : 0; }

static inline const char *beacon_tls_reason(int reason) { return X509_verify_cert_error_string(reason); }
