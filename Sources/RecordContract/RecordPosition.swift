/// The position of a record among those of a gateway: the run that made it, and its number in that run, from 1.
package struct RecordPosition: Hashable, Comparable, Codable, Sendable {
    package var boot: UInt64
    package var sequence: UInt64

    package init(boot: UInt64, sequence: UInt64) {
        self.boot = boot
        self.sequence = sequence
    }

    /// Whether a gateway can assign this position: numbers of runs and of records are below 2^53.
    package var isPossible: Bool { boot < 1 << 53 && sequence < 1 << 53 }

    package static func < (one: RecordPosition, other: RecordPosition) -> Bool {
        (one.boot, one.sequence) < (other.boot, other.sequence)
    }
}

extension RecordPosition: CustomStringConvertible {
    package var description: String { "boot \(boot) sequence \(sequence)" }
}
