import CDBus
import CLinux
import Glibc
import SystemIO

/// A private connection to a D-Bus message bus, for use by one thread.
///
/// It does not use libdbus' dispatcher. Messages are taken from its queue, so that a call that waits for its answer can
/// serve incoming calls meanwhile.
final class BusConnection {
    /// Maximum size of a message and of the received data in bytes. For several thousand devices bluetoothd replies
    /// with several MB.
    private static let mostBytes: CLong = 16 * 1024 * 1024
    /// Maximum number of messages queued while an answer is awaited. Further messages are dropped: they are reports,
    /// and new ones follow soon.
    private static let mostWaiting = 4096

    private let pointer: OpaquePointer
    private let patience: Duration
    private let serve: ((BusMessage) -> BusMessage?)?
    private var waiting: [BusMessage] = []
    private var uniqueName = ""

    /// - Parameters:
    ///   - address: the address of the bus, as in `DBUS_SYSTEM_BUS_ADDRESS`.
    ///   - patience: the maximum wait for an answer.
    ///   - serve: answers a call from another program. Calls that it does not answer are refused. Without it, `next`
    ///     also returns calls.
    init(
        address: String, patience: Duration = .seconds(3), serve: ((BusMessage) -> BusMessage?)? = nil
    ) throws(BusError) {
        self.patience = patience
        self.serve = serve
        var error = DBusError()
        dbus_error_init(&error)
        guard let pointer = dbus_connection_open_private(address, &error) else {
            let name = error.name.map { String(cString: $0) } ?? "unknown error"
            dbus_error_free(&error)
            throw .unreachable(name)
        }
        self.pointer = pointer
        // By default libdbus ends the process when the bus goes away.
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        dbus_connection_set_max_message_size(pointer, Self.mostBytes)
        dbus_connection_set_max_received_size(pointer, Self.mostBytes)
        var answer = try callBus("Hello").reader
        uniqueName = answer.string() ?? ""
    }

    deinit {
        waiting = []
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }

    /// Unique name of this connection on the bus.
    var name: String { uniqueName }

    /// Descriptor that becomes readable when the bus has sent data.
    var descriptor: CInt {
        var descriptor: CInt = -1
        return dbus_connection_get_unix_fd(pointer, &descriptor) != 0 ? descriptor : -1
    }

    /// Whether `next` can return a message without receiving more data.
    var hasWaiting: Bool {
        !waiting.isEmpty || dbus_connection_get_dispatch_status(pointer) == DBUS_DISPATCH_DATA_REMAINS
    }

    /// Calls a method of the bus itself.
    @discardableResult
    func callBus(_ member: String, _ write: (inout BusWriter) -> Void = { _ in }) throws(BusError) -> BusMessage {
        try call(
            .call(
                "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member,
                write))
    }

    /// Sends a call and waits for its answer.
    ///
    /// - Parameter timeout: the maximum wait, if it is shorter than the connection's patience.
    @discardableResult
    func call(_ message: BusMessage?, timeout: Duration? = nil) throws(BusError) -> BusMessage {
        guard let message else { throw .outOfMemory }
        let serial = try send(message)
        let deadline = ContinuousClock.now + min(timeout ?? patience, patience)
        while true {
            while let received = pop() {
                if received.answeredSerial != serial {
                    if waiting.count < Self.mostWaiting { waiting.append(received) }
                    continue
                }
                if let error = received.errorName { throw .refused(call: message.member ?? "?", error: error) }
                return received
            }
            let rest = deadline - ContinuousClock.now
            guard rest > .zero else { throw .noAnswer(call: message.member ?? "?") }
            let (seconds, attoseconds) = rest.components
            try exchange(milliseconds: CInt(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
        }
    }

    /// Queues a message for sending and returns its serial number.
    @discardableResult
    func send(_ message: BusMessage?) throws(BusError) -> UInt32 {
        var serial: UInt32 = 0
        guard let message, dbus_connection_send(pointer, message.pointer, &serial) != 0 else { throw .outOfMemory }
        return serial
    }

    /// Sends and receives as much as possible, after waiting up to the given time for activity.
    func exchange(milliseconds: CInt = 0) throws(BusError) {
        guard dbus_connection_read_write(pointer, milliseconds) != 0 else { throw .lost }
    }

    /// Returns the next received message that is not served here, or `nil`.
    func next() -> BusMessage? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        return pop()
    }

    /// Takes the next message from libdbus' queue. Serves calls along the way.
    private func pop() -> BusMessage? {
        while let pointer = dbus_connection_pop_message(pointer) {
            let message = BusMessage(owning: pointer)
            guard message.isCall, let serve else { return message }
            let answer = serve(message) ?? message.refusal("org.freedesktop.DBus.Error.UnknownMethod")
            if message.wantsAnswer { _ = try? send(answer) }
        }
        return nil
    }
}
