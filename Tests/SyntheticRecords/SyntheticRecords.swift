package import RecordContract

/// Records of invented beacons for the proofs and benchmarks of publishing: each says who it is, and has the size and the
/// kinds of a real one.
package struct SyntheticRecords: Sendable {
    package let boot: UInt64
    /// As many as there are beacons.
    package let topics: [String]
    private let filler: String

    /// The root of all their topics.
    package static let root = "beacons/v1/proof/b/1/gw"

    /// - Parameter size: of a payload, in bytes, about.
    package init(boot: UInt64, topics count: Int, size: Int = 1000) {
        self.boot = boot
        topics = (0..<max(1, count)).map {
            "\(Self.root)/beacon/7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3/1/\($0)/interaction"
        }
        filler = String(repeating: "x", count: max(0, size - 100))
    }

    /// - Parameter sequence: from 1. Records follow each other on one topic as those of interactions do: one begins,
    ///   goes on, and ends.
    package func record(_ sequence: UInt64) -> OutboxRecord {
        let (turn, index) = (Int(truncatingIfNeeded: sequence) - 1).quotientAndRemainder(dividingBy: topics.count)
        let priority: OutboxPriority =
            switch turn % 10 {
            case 0: .started
            case 9: .ended
            default: .updated
            }
        return OutboxRecord(
            topic: topics[index], priority: priority, position: RecordPosition(boot: boot, sequence: sequence),
            payload: Array(
                #"{"boot":\#(boot),"data":"\#(filler)","historical":false,"sequence":\#(sequence)}"#.utf8))
    }

    /// The record before it of the same beacon; `nil` for a beacon's first.
    package func predecessor(of position: RecordPosition) -> RecordPosition? {
        guard position.sequence > UInt64(topics.count) else { return nil }
        return RecordPosition(boot: position.boot, sequence: position.sequence - UInt64(topics.count))
    }

    package func records(_ sequences: ClosedRange<UInt64>) -> [OutboxRecord] { sequences.map(record) }

    /// Which record a payload is; `nil` for anything else.
    package static func position(in payload: some StringProtocol) -> RecordPosition? {
        guard let boot = number("\"boot\":", in: payload), let sequence = number("\"sequence\":", in: payload) else {
            return nil
        }
        return RecordPosition(boot: boot, sequence: sequence)
    }

    private static func number(_ name: String, in text: some StringProtocol) -> UInt64? {
        // Both ends of the text are looked at: the filler between them is long.
        let bytes = text.utf8
        let name = Array(name.utf8)
        for part in [bytes.prefix(40), bytes.suffix(60)] {
            var rest = part[...]
            while rest.count > name.count {
                if rest.starts(with: name) {
                    let digits = rest.dropFirst(name.count).prefix { (48...57).contains($0) }
                    return UInt64(String(decoding: digits, as: UTF8.self))
                }
                rest = rest.dropFirst()
            }
        }
        return nil
    }
}
