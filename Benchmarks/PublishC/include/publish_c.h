/* A bare publisher: libmosquitto and nothing else, the measure for ours. */
#ifndef PUBLISH_C_H
#define PUBLISH_C_H

typedef struct {
    const char *topic;
    const void *payload;
    int length;
} publish_message;

typedef struct {
    /* From the first message to the last acknowledgement. */
    double seconds;
    /* Of this process. */
    double processor_seconds;
    long acknowledged;
} publish_result;

/* Publishes `messages` with QoS 1, over and over, `total` of them, of which at most `window` wait for their
   acknowledgement. `version` is 4 for MQTT 3.1.1, 5 for MQTT 5. Gives 0, or a status of libmosquitto. */
int publish_bare(const char *host, int port, int version, const publish_message *messages, long count, long total,
                 int window, publish_result *result);

/* Of this process, user and system. */
double processor_seconds(void);

#endif
