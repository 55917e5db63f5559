/* Reads from a broker by libmosquitto without letting the broker end the process. */

struct mosquitto;

/* mosquitto_loop_read of one packet. A packet at which libmosquitto's assertion fails is MOSQ_ERR_MALFORMED_PACKET: the
   connection can't be read from any more, and what the packet had been given is lost. */
int beacon_mosquitto_read(struct mosquitto *connection);
