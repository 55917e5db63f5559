import BeaconModel

/// Which records of a gateway a consumer has stored, and up to which none is missing.
///
/// Records come out of order and more than once. What is stored beyond a gap is kept as ranges; beyond 2048 ranges the
/// highest are forgotten, which only costs that their records are sent again.
public struct StoredProgress: Equatable, Codable, Sendable {
    /// Everything up to here is stored, or will never come.
    public private(set) var through: RecordPosition?

    /// Stored, above `through`: apart from each other, ascending; each of one boot.
    private var ranges: [Stretch] = []
    private static let capacity = 2048

    private struct Stretch: Equatable, Codable, Sendable {
        let boot: UInt64
        var first: UInt64
        var last: UInt64
    }

    /// - Parameter through: as it was kept from an earlier run.
    public init(through: RecordPosition? = nil) { self.through = through }

    /// This record is stored.
    public mutating func stored(_ position: RecordPosition) {
        if let through, position <= through { return }
        // The first with an end not below the position's predecessor: it holds it, touches it, or lies behind it.
        let index = ranges.partitioningIndex { stretch in
            stretch.boot > position.boot
                || (stretch.boot == position.boot
                    && stretch.last >= position.sequence &- (position.sequence > 0 ? 1 : 0))
        }
        if index < ranges.count, ranges[index].boot == position.boot {
            if ranges[index].first <= position.sequence, position.sequence <= ranges[index].last { return }
            if ranges[index].last < position.sequence {
                ranges[index].last = position.sequence
                joinWithNext(index)
                advance()
                return
            }
            if ranges[index].first == position.sequence &+ 1 {
                ranges[index].first = position.sequence
                advance()
                return
            }
        }
        ranges.insert(Stretch(boot: position.boot, first: position.sequence, last: position.sequence), at: index)
        advance()
        if ranges.count > Self.capacity { ranges.removeLast() }
    }

    /// The gateway holds nothing below this position: what is missing there will never come.
    public mutating func settled(below position: RecordPosition) {
        // Sequences begin at 1.
        let below = RecordPosition(boot: position.boot, sequence: max(position.sequence, 1) - 1)
        guard through.map({ $0 < below }) ?? true else { return }
        through = below
        advance()
    }

    private mutating func joinWithNext(_ index: Int) {
        guard index + 1 < ranges.count, ranges[index + 1].boot == ranges[index].boot,
            ranges[index + 1].first == ranges[index].last &+ 1
        else { return }
        ranges[index].last = ranges[index + 1].last
        ranges.remove(at: index + 1)
    }

    /// Takes what follows without a gap into `through`.
    private mutating func advance() {
        guard var through else { return }
        var passed = 0
        for stretch in ranges {
            if RecordPosition(boot: stretch.boot, sequence: stretch.last) <= through {
                passed += 1
            } else if stretch.boot == through.boot, stretch.first <= through.sequence &+ 1 {
                through.sequence = stretch.last
                passed += 1
            } else {
                break
            }
        }
        ranges.removeFirst(passed)
        self.through = through
    }
}
