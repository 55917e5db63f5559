/// Incoming bytes per second over the last five minutes.
package struct OutboxFillRate: Sendable {
    /// Length of a span in microseconds.
    private static let span = 10_000_000 as Int64
    private static let spans = 30

    /// Bytes by span of time; the last is the present one.
    private var bytes: [Int] = []
    /// Number of the present span. `beganAt` is when the first one began, in microseconds.
    private var present: Int64 = 0
    private var beganAt: Int64?

    package init(beganAt: Int64? = nil) {
        self.beganAt = beganAt
    }

    /// Adds incoming bytes.
    ///
    /// - Parameter now: microseconds of a clock that does not go backwards.
    package mutating func add(_ count: Int, at now: Int64) {
        advance(to: now)
        if beganAt == nil { beganAt = now }
        if bytes.isEmpty { bytes = [0] }
        bytes[bytes.count - 1] += count
    }

    /// Returns the bytes per second; 0 if nothing arrived for five minutes.
    package mutating func rate(at now: Int64) -> Double {
        advance(to: now)
        let sum = bytes.reduce(0, +)
        guard let beganAt, sum > 0 else { return 0 }
        let covered = min(now - beganAt, Int64(Self.spans - 1) * Self.span + (now - present * Self.span))
        return Double(sum) / (Double(max(covered, Self.span)) / 1_000_000)
    }

    private mutating func advance(to now: Int64) {
        let number = now / Self.span
        guard number != present else { return }
        if bytes.isEmpty || number - present >= Int64(Self.spans) || number < present {
            // After a long pause the measurement starts again.
            bytes = []
            beganAt = nil
        } else {
            for _ in 0..<(number - present) { bytes.append(0) }
            if bytes.count > Self.spans { bytes.removeFirst(bytes.count - Self.spans) }
        }
        present = number
    }
}
