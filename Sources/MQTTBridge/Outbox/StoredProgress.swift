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

    /// How many records are missing behind `through`, as far as later ones tell: of its boot, else of the next that is known.
    public var firstGap: UInt64 {
        guard let through, let next = ranges.first(where: { $0.boot >= through.boot }) else { return 0 }
        let before = next.boot == through.boot ? through.sequence : 0
        return next.first > before ? next.first - before - 1 : 0
    }

    /// How many records below a position are neither stored nor settled, as far as their numbers tell: of boots before, nobody
    /// knows how many they had.
    public func missing(below position: RecordPosition) -> UInt64 {
        guard let through, through < position, position.sequence > 0 else { return 0 }
        let first = through.boot == position.boot ? through.sequence + 1 : 1
        guard first < position.sequence else { return 0 }
        var missing = position.sequence - first
        for stretch in ranges where stretch.boot == position.boot && stretch.first < position.sequence {
            let (low, high) = (max(stretch.first, first), min(stretch.last, position.sequence - 1))
            if low <= high { missing -= high - low + 1 }
        }
        return missing
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
