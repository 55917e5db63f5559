#include "publish_c.h"
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

typedef struct {
    struct mosquitto *client;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long under_way;
    long acknowledged;
    int is_connected;
    int status;
    int window;
    atomic_int is_over;
} publisher;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6 + usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6;
}

static void connected(struct mosquitto *client, void *context, int reason) {
    (void)client;
    publisher *self = context;
    pthread_mutex_lock(&self->lock);
    self->is_connected = reason == 0;
    if (reason != 0) self->status = MOSQ_ERR_CONN_REFUSED;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

static void acknowledged(struct mosquitto *client, void *context, int number) {
    (void)client;
    (void)number;
    publisher *self = context;
    pthread_mutex_lock(&self->lock);
    self->acknowledged++;
    /* The publisher goes on when a quarter of the window is free: a wake-up for each message would cost more than it. */
    if (--self->under_way <= self->window * 3 / 4) pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

static void *serve(void *context) {
    publisher *self = context;
    int status = MOSQ_ERR_SUCCESS;
    while (status == MOSQ_ERR_SUCCESS && !atomic_load(&self->is_over)) status = mosquitto_loop(self->client, 100, 1);
    pthread_mutex_lock(&self->lock);
    self->status = status;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    return 0;
}

int publish_bare(const char *host, int port, int version, const publish_message *messages, long count, long total,
                 int window, publish_result *result) {
    publisher self = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .window = window};
    mosquitto_lib_init();
    self.client = mosquitto_new("bare", true, &self);
    if (!self.client) return MOSQ_ERR_NOMEM;
    mosquitto_threaded_set(self.client, true);
    mosquitto_int_option(self.client, MOSQ_OPT_PROTOCOL_VERSION, version);
    mosquitto_int_option(self.client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_max_inflight_messages_set(self.client, window);
    mosquitto_connect_callback_set(self.client, connected);
    mosquitto_publish_callback_set(self.client, acknowledged);
    int status = mosquitto_connect(self.client, host, port, 30);
    pthread_t thread;
    if (status == MOSQ_ERR_SUCCESS && pthread_create(&thread, 0, serve, &self) != 0) status = MOSQ_ERR_NOMEM;
    if (status != MOSQ_ERR_SUCCESS) {
        mosquitto_destroy(self.client);
        return status;
    }
    pthread_mutex_lock(&self.lock);
    while (!self.is_connected && self.status == 0) pthread_cond_wait(&self.changed, &self.lock);
    double begin = now(), processor = processor_seconds();
    for (long index = 0; index < total && self.status == 0; index++) {
        while (self.under_way >= window && self.status == 0) pthread_cond_wait(&self.changed, &self.lock);
        self.under_way++;
        pthread_mutex_unlock(&self.lock);
        const publish_message *message = &messages[index % count];
        status = mosquitto_publish(self.client, 0, message->topic, message->length, message->payload, 1, false);
        pthread_mutex_lock(&self.lock);
        if (status != MOSQ_ERR_SUCCESS) self.status = status;
    }
    while (self.acknowledged < total && self.status == 0) pthread_cond_wait(&self.changed, &self.lock);
    result->seconds = now() - begin;
    result->processor_seconds = processor_seconds() - processor;
    result->acknowledged = self.acknowledged;
    status = self.status;
    pthread_mutex_unlock(&self.lock);
    atomic_store(&self.is_over, 1);
    mosquitto_disconnect(self.client);
    pthread_join(thread, 0);
    mosquitto_destroy(self.client);
    return status;
}
