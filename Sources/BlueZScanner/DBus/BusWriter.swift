import CDBus

/// Appends arguments to a message.
struct BusWriter {
    private var iterator = DBusMessageIter()

    init(_ message: BusMessage) { dbus_message_iter_init_append(message.pointer, &iterator) }

    private init() {}

    private mutating func basic<Value: BitwiseCopyable>(_ type: CInt, _ value: Value) {
        var value = value
        dbus_message_iter_append_basic(&iterator, type, &value)
    }

    mutating func byte(_ value: UInt8) { basic(BusType.byte, value) }
    mutating func int16(_ value: Int16) { basic(BusType.int16, value) }
    mutating func uint16(_ value: UInt16) { basic(BusType.uint16, value) }
    mutating func uint32(_ value: UInt32) { basic(BusType.uint32, value) }
    mutating func boolean(_ value: Bool) { basic(BusType.boolean, dbus_bool_t(value ? 1 : 0)) }
    mutating func string(_ value: String) { value.withCString { basic(BusType.string, $0) } }
    mutating func objectPath(_ value: String) { value.withCString { basic(BusType.objectPath, $0) } }

    mutating func bytes(_ values: [UInt8]) {
        array(of: "y") { array in
            for value in values { array.byte(value) }
        }
    }

    /// - Parameter signature: the signature of one element.
    mutating func array(of signature: String, _ write: (inout BusWriter) -> Void) {
        container(BusType.array, signature, write)
    }

    /// - Parameter signature: the signature of the value.
    mutating func variant(_ signature: String, _ write: (inout BusWriter) -> Void) {
        container(BusType.variant, signature, write)
    }

    mutating func structure(_ write: (inout BusWriter) -> Void) { container(BusType.structure, nil, write) }

    mutating func entry(_ write: (inout BusWriter) -> Void) { container(BusType.dictionaryEntry, nil, write) }

    /// Appends one entry of an a{sv}.
    mutating func property(_ name: String, _ signature: String, _ write: (inout BusWriter) -> Void) {
        entry { entry in
            entry.string(name)
            entry.variant(signature, write)
        }
    }

    private mutating func container(_ type: CInt, _ signature: String?, _ write: (inout BusWriter) -> Void) {
        var inner = BusWriter()
        guard dbus_message_iter_open_container(&iterator, type, signature, &inner.iterator) != 0 else { return }
        write(&inner)
        dbus_message_iter_close_container(&iterator, &inner.iterator)
    }
}
