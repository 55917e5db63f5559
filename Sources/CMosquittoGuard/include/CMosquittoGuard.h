/* Reads from a broker by libmosquitto without letting the broker end the process, or keep it reading. */

struct mosquitto;

/* mosquitto_loop_read of one packet. A packet at which libmosquitto's assertion fails is MOSQ_ERR_MALFORMED_PACKET: the
   connection can't be read from any more, and what the packet had been given is lost.

   `packets`: how many beacon_mosquitto_did_read_packet told of. By TLS that may be all of a record. */
int beacon_mosquitto_read(struct mosquitto *connection, int *packets);

/* Says in a callback of libmosquitto's log that a packet has come: by TLS no more than what is left of its record is read
   with it. */
void beacon_mosquitto_did_read_packet(void);
