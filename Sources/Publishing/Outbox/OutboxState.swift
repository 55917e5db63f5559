import BeaconModel
package import RecordContract

/// The state of an outbox that is kept in addition to its records: how old they are, and that none is missing.
///
/// It is a text file next to the database. It consists of one block that is overwritten in place, so it can be written
/// even on a full disk.
package struct OutboxState: Equatable, Sendable {
    package var clock: OutboxClock.State
    /// Records that were certainly on disk and not delivered; `nil` if there were none.
    package var holding: Holding?
    /// The last record of each of the latest boots, delivered or not.
    package var lasts = LastRecords()
    /// Whether the outbox was closed, so that nothing was written after this state.
    package var isClosed = false

    package struct Holding: Equatable, Sendable {
        package var count: Int
        /// The highest identifier; `newest` is the position of that record.
        package var newestID: Int64
        package var newest: RecordPosition
        package var oldest: RecordPosition
    }

    package static let size = 4096
    private static let title = "beacon-gateway outbox state 1"

    /// The contents of the whole file.
    package var encoded: [UInt8] {
        var lines = [
            Self.title,
            "clock \(clock.time) \(clock.firstID) \(clock.origin)",
            "reading \(clock.reading.wall.microseconds) \(clock.reading.sinceBoot)"
                + " \(clock.reading.isSynchronized ? 1 : 0) \(clock.reading.bootID.isEmpty ? "-" : clock.reading.bootID)",
        ]
        if let reference = clock.reference {
            lines.append("reference \(reference.time) \(reference.wall.microseconds)")
        }
        if let firstID = clock.unanchoredFrom { lines.append("unanchored \(firstID)") }
        for step in clock.steps { lines.append("step \(step.firstID) \(step.microseconds)") }
        if let holding {
            lines.append(
                "holding \(holding.count) \(holding.newestID) \(holding.newest.boot) \(holding.newest.sequence)"
                    + " \(holding.oldest.boot) \(holding.oldest.sequence)")
        }
        for last in lasts.positions { lines.append("last \(last.boot) \(last.sequence)") }
        if isClosed { lines.append("closed") }
        var bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        bytes += Array("checksum \(Self.checksum(bytes[...]))\n".utf8)
        bytes += Array(repeating: UInt8(ascii: "\n"), count: max(0, Self.size - bytes.count))
        return bytes
    }

    /// Reads the contents of a file.
    ///
    /// - Returns: `nil` for anything but an intact file.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= 4 * Self.size else { return nil }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let last = lines.last, lines.count > 3, String(decoding: lines[0], as: UTF8.self) == Self.title,
            String(decoding: last, as: UTF8.self) == "checksum \(Self.checksum(bytes[..<last.startIndex]))"
        else { return nil }
        var clock: [Int64] = []
        var reading: ClockReading?
        var reference: OutboxClock.Reference?
        var unanchored: Int64?
        var steps: [OutboxClock.Step] = []
        var lasts = LastRecords()
        for line in lines.dropFirst().dropLast() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int64($0) }
            // Sums of these numbers must not overflow.
            guard numbers.allSatisfy({ $0.magnitude < 1 << 56 }) else { return nil }
            switch (words.first.map(String.init) ?? "", numbers.count) {
            case ("clock", 3): clock = numbers
            case ("reading", 3...4) where words.count == 5:
                reading = ClockReading(
                    wall: Timestamp(microseconds: numbers[0]), sinceBoot: numbers[1],
                    bootID: words[4] == "-" ? "" : String(words[4]), isSynchronized: numbers[2] == 1)
            case ("reference", 2):
                reference = .init(time: numbers[0], wall: Timestamp(microseconds: numbers[1]))
            case ("unanchored", 1): unanchored = numbers[0]
            case ("step", 2) where steps.count < OutboxClock.mostSteps:
                steps.append(.init(firstID: numbers[0], microseconds: numbers[1]))
            case ("holding", 6):
                guard numbers.allSatisfy({ $0 >= 0 }) else { return nil }
                holding = Holding(
                    count: Int(numbers[0]), newestID: numbers[1],
                    newest: RecordPosition(boot: UInt64(numbers[2]), sequence: UInt64(numbers[3])),
                    oldest: RecordPosition(boot: UInt64(numbers[4]), sequence: UInt64(numbers[5])))
            case ("last", 2):
                guard numbers.allSatisfy({ $0 >= 0 }) else { return nil }
                lasts.add(RecordPosition(boot: UInt64(numbers[0]), sequence: UInt64(numbers[1])))
            case ("closed", 0): isClosed = true
            default: return nil
            }
        }
        guard clock.count == 3, let reading else { return nil }
        self.lasts = lasts
        self.clock = .init(
            reading: reading, time: clock[0], reference: reference, unanchoredFrom: unanchored, steps: steps,
            firstID: clock[1], origin: clock[2])
    }

    package init(
        clock: OutboxClock.State, holding: Holding? = nil, lasts: LastRecords = LastRecords(), isClosed: Bool = false
    ) {
        self.clock = clock
        self.holding = holding
        self.lasts = lasts
        self.isClosed = isClosed
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
        var checksum = OutboxChecksum()
        bytes.withUnsafeBytes { checksum.combine($0) }
        return checksum.value
    }
}
