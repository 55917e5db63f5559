import CDBus

/// A D-Bus message. Holds a reference to libdbus' object.
final class BusMessage {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { dbus_message_unref(pointer) }

    /// Returns a method call, or `nil` when out of memory. The call does not start a service that is not running.
    static func call(
        _ destination: String, path: String, interface: String, _ member: String,
        _ write: (inout BusWriter) -> Void = { _ in }
    ) -> BusMessage? {
        guard let pointer = dbus_message_new_method_call(destination, path, interface, member) else { return nil }
        dbus_message_set_auto_start(pointer, 0)
        return BusMessage(owning: pointer).with(write)
    }

    /// Returns a signal, or `nil` when out of memory.
    static func signal(
        path: String, interface: String, _ member: String, to destination: String? = nil,
        _ write: (inout BusWriter) -> Void = { _ in }
    ) -> BusMessage? {
        guard let pointer = dbus_message_new_signal(path, interface, member) else { return nil }
        if let destination { dbus_message_set_destination(pointer, destination) }
        return BusMessage(owning: pointer).with(write)
    }

    /// Returns an answer to this call, or `nil` when out of memory.
    func answer(_ write: (inout BusWriter) -> Void = { _ in }) -> BusMessage? {
        dbus_message_new_method_return(pointer).map { BusMessage(owning: $0).with(write) }
    }

    /// Returns an error reply to this call, or `nil` when out of memory.
    func refusal(_ error: String) -> BusMessage? {
        dbus_message_new_error(pointer, error, nil).map { BusMessage(owning: $0) }
    }

    private func with(_ write: (inout BusWriter) -> Void) -> BusMessage {
        var writer = BusWriter(self)
        write(&writer)
        return self
    }

    var isCall: Bool { dbus_message_get_type(pointer) == DBUS_MESSAGE_TYPE_METHOD_CALL }
    var wantsAnswer: Bool { isCall && dbus_message_get_no_reply(pointer) == 0 }
    var path: String? { dbus_message_get_path(pointer).map { String(cString: $0) } }
    var interface: String? { dbus_message_get_interface(pointer).map { String(cString: $0) } }
    var member: String? { dbus_message_get_member(pointer).map { String(cString: $0) } }
    /// Unique name of the sender. The bus guarantees that it is genuine.
    var sender: String? { dbus_message_get_sender(pointer).map { String(cString: $0) } }
    /// Serial number of the call that this message answers; 0 if it is not an answer.
    var answeredSerial: UInt32 { dbus_message_get_reply_serial(pointer) }
    /// Name of the error if this message is an error; otherwise `nil`.
    var errorName: String? {
        guard dbus_message_get_type(pointer) == DBUS_MESSAGE_TYPE_ERROR else { return nil }
        return dbus_message_get_error_name(pointer).map { String(cString: $0) } ?? ""
    }

    func isSignal(_ interface: String, _ member: String) -> Bool {
        dbus_message_is_signal(pointer, interface, member) != 0
    }

    func isCall(_ interface: String, _ member: String) -> Bool {
        dbus_message_is_method_call(pointer, interface, member) != 0
    }

    var reader: BusReader { BusReader(self) }
}

/// Type codes (D-Bus Specification 0.38, "Summary of types").
enum BusType {
    /// End of the arguments.
    static let end: CInt = 0
    static let byte = code("y")
    static let boolean = code("b")
    static let int16 = code("n")
    static let uint16 = code("q")
    static let uint32 = code("u")
    static let string = code("s")
    static let objectPath = code("o")
    static let array = code("a")
    static let variant = code("v")
    static let structure = code("r")
    static let dictionaryEntry = code("e")

    private static func code(_ letter: Unicode.Scalar) -> CInt { CInt(letter.value) }
}
