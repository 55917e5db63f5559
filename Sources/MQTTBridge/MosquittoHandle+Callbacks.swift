import CMosquitto
import Glibc
import Publishing

extension MosquittoHandle {
    /// Makes the callbacks do nothing.
    func removeCallbacks() { mosquitto_user_data_set(pointer, nil) }

    /// Has libmosquitto's callbacks call `events`, on the thread of the connection.
    ///
    /// - Parameter events: must live until `removeCallbacks`.
    func setCallbacks(to events: ConnectionEvents) {
        mosquitto_user_data_set(pointer, Unmanaged.passUnretained(events).toOpaque())
        mosquitto_connect_v5_callback_set(pointer) { _, context, reason, _, properties in
            ConnectionEvents.from(context)?.connected(reason, properties)
        }
        mosquitto_disconnect_v5_callback_set(pointer) { _, context, reason, _ in
            let errorNumber = errno
            ConnectionEvents.from(context)?.disconnected(reason, errorNumber)
        }
        mosquitto_publish_v5_callback_set(pointer) { _, context, number, reason, _ in
            ConnectionEvents.from(context)?.published(number, reason)
        }
        mosquitto_subscribe_callback_set(pointer) { _, context, number, count, granted in
            let isGranted = count > 0 && (granted?.pointee ?? 128) < 128
            ConnectionEvents.from(context)?.subscribed(number, isGranted: isGranted)
        }
        mosquitto_message_v5_callback_set(pointer) { _, context, message, properties in
            guard let events = ConnectionEvents.from(context), let message else { return }
            events.received(message, properties)
        }
        mosquitto_log_callback_set(pointer) { _, context, _, text in
            guard let events = ConnectionEvents.from(context), let text else { return }
            events.logged(text)
        }
    }
}
