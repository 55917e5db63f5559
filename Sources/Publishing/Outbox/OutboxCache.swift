/// Payloads of the newest rows, so that records that are offered immediately need not be read from disk.
package struct OutboxCache: Sendable {
    /// Maximum size in bytes.
    package let capacity: Int
    private var payloads = OutboxSlots<[UInt8]>()
    package private(set) var bytes = 0

    package init(capacity: Int) { self.capacity = capacity }

    package subscript(id: Int64) -> [UInt8]? { payloads[id] }

    package mutating func insert(_ id: Int64, _ payload: [UInt8]) {
        bytes += payload.count - (payloads.insert(id, payload)?.count ?? 0)
        while bytes > capacity, let oldest = payloads.popFirst() { bytes -= oldest.value.count }
    }

    package mutating func remove(_ id: Int64) { bytes -= payloads.remove(id)?.count ?? 0 }
}
