import CDBus

/// Reads the arguments of a message in order. Each function checks the type of the next argument. If the type differs,
/// the function returns `nil` and does not advance.
///
/// The reader descends only as deep as its caller requests, whatever the message contains, and keeps the message alive.
package struct BusReader {
    private let message: BusMessage
    private var iterator = DBusMessageIter()

    init(_ message: BusMessage) {
        self.message = message
        // Without arguments the iterator is at the end.
        dbus_message_iter_init(message.pointer, &iterator)
    }

    private init(inside parent: inout BusReader) {
        message = parent.message
        dbus_message_iter_recurse(&parent.iterator, &iterator)
    }

    private mutating func isNext(_ type: CInt) -> Bool { dbus_message_iter_get_arg_type(&iterator) == type }

    private mutating func basic<Value: BitwiseCopyable>(_ type: CInt, _ initial: Value) -> Value? {
        guard isNext(type) else { return nil }
        var value = initial
        dbus_message_iter_get_basic(&iterator, &value)
        dbus_message_iter_next(&iterator)
        return value
    }

    package mutating func byte() -> UInt8? { basic(BusType.byte, 0) }
    mutating func int16() -> Int16? { basic(BusType.int16, 0) }
    mutating func uint16() -> UInt16? { basic(BusType.uint16, 0) }
    package mutating func boolean() -> Bool? { basic(BusType.boolean, dbus_bool_t(0)).map { $0 != 0 } }
    package mutating func string() -> String? { text(BusType.string) }
    mutating func objectPath() -> String? { text(BusType.objectPath) }

    private mutating func text(_ type: CInt) -> String? {
        basic(type, UnsafePointer<CChar>?.none)?.map { String(cString: $0) }
    }

    /// Reads an array of bytes. Returns `nil` also when it has more than `limit` bytes.
    package mutating func bytes(limit: Int) -> [UInt8]? {
        guard isNext(BusType.array), dbus_message_iter_get_element_type(&iterator) == BusType.byte else { return nil }
        var inner = BusReader(inside: &self)
        var start: UnsafePointer<UInt8>?
        var count: CInt = 0
        // The iterator has no element for an empty array.
        if inner.isNext(BusType.byte) { dbus_message_iter_get_fixed_array(&inner.iterator, &start, &count) }
        dbus_message_iter_next(&iterator)
        guard count >= 0, Int(count) <= limit else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// Enters a variant and returns a reader of its value.
    mutating func variant() -> BusReader? { enter(BusType.variant) }

    /// Enters a structure and returns a reader of its fields.
    package mutating func structure() -> BusReader? { enter(BusType.structure) }

    private mutating func enter(_ type: CInt) -> BusReader? {
        guard isNext(type) else { return nil }
        let inner = BusReader(inside: &self)
        dbus_message_iter_next(&iterator)
        return inner
    }

    /// Passes at most `limit` entries of a dictionary to `body`, each as a reader of a key and a value.
    ///
    /// - Returns: whether there was a dictionary.
    @discardableResult
    mutating func forEachEntry(limit: Int = 256, _ body: (inout BusReader) -> Void) -> Bool {
        forEachElement(limit: limit) { element in
            guard var entry = element.enter(BusType.dictionaryEntry) else { return false }
            body(&entry)
            return true
        }
    }

    /// Passes at most `limit` elements of an array to `body`, which reads one element and returns whether it succeeded.
    ///
    /// - Returns: whether there was an array and all elements tried could be read.
    @discardableResult
    mutating func forEachElement(limit: Int, _ body: (inout BusReader) -> Bool) -> Bool {
        guard isNext(BusType.array) else { return false }
        var inner = BusReader(inside: &self)
        dbus_message_iter_next(&iterator)
        var left = limit
        while left > 0, !inner.isNext(BusType.end) {
            guard body(&inner) else { return false }
            left -= 1
        }
        return true
    }
}
