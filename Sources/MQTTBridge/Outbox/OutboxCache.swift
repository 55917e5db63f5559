import DequeModule

/// Payloads of the newest rows, so that what is offered at once needn't be read from the disk.
struct OutboxCache: Sendable {
    /// In bytes.
    let capacity: Int
    private var payloads: [Int64: [UInt8]] = [:]
    private var order: Deque<Int64> = []
    private(set) var bytes = 0

    init(capacity: Int) { self.capacity = capacity }

    subscript(id: Int64) -> [UInt8]? { payloads[id] }

    mutating func insert(_ id: Int64, _ payload: [UInt8]) {
        remove(id)
        payloads[id] = payload
        order.append(id)
        bytes += payload.count
        while bytes > capacity, let oldest = order.first {
            remove(oldest)
            if order.first == oldest { order.removeFirst() }
        }
    }

    mutating func remove(_ id: Int64) {
        guard let payload = payloads.removeValue(forKey: id) else { return }
        bytes -= payload.count
        while let first = order.first, payloads[first] == nil { order.removeFirst() }
        if order.count > 2 * payloads.count + 64 { order.removeAll { payloads[$0] == nil } }
    }
}
