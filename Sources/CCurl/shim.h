#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* Swift cannot call variadic functions. */

static inline CURLcode beacon_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode beacon_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/* libcurl copies strings, but neither the bytes of CURLOPT_POSTFIELDS nor the buffer of CURLOPT_ERRORBUFFER. */
static inline CURLcode beacon_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

/* The type of CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION. */
typedef size_t (*beacon_curl_receive)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode beacon_curl_set_receive(CURL *handle, CURLoption option, beacon_curl_receive function) {
    return curl_easy_setopt(handle, option, function);
}

static inline CURLcode beacon_curl_set_progress(CURL *handle, curl_xferinfo_callback function) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline long beacon_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
