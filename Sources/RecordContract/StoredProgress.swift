import BeaconModel

/// The records of a gateway that a consumer has stored, and the position up to which none is missing.
///
/// Records arrive out of order and more than once. Records stored beyond a gap are kept as ranges. Beyond 2048 ranges
/// the highest are forgotten, which only causes their records to be sent again.
package struct StoredProgress: Equatable, Codable, Sendable {
    /// The position up to which everything is stored, or will never arrive.
    package private(set) var through: RecordPosition?

    /// Ranges of stored records above `through`: separate, ascending, each of one boot.
    private var ranges: [Stretch] = []
    private static let capacity = 2048

    /// The last record of each of the gateway's latest boots, ascending, as far as the gateway reports it and it lies
    /// above `through`.
    private var ends: [RecordPosition]?
    /// Maximum number of boots whose ends are remembered.
    package static let mostEnds = 4

    private struct Stretch: Equatable, Codable, Sendable {
        let boot: UInt64
        var first: UInt64
        var last: UInt64
    }

    /// Creates the progress of a consumer.
    ///
    /// - Parameter through: the position saved by an earlier run.
    package init(through: RecordPosition? = nil) { self.through = through }

    /// Marks a record as stored.
    package mutating func stored(_ position: RecordPosition) {
        if let through, position <= through { return }
        // The first range whose end is not below the position's predecessor. It contains the position, touches it, or
        // lies after it.
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

    /// Marks everything below this position as settled: the gateway holds nothing there, so missing records will never
    /// arrive.
    package mutating func settled(below position: RecordPosition) {
        // Sequences begin at 1.
        let below = RecordPosition(boot: position.boot, sequence: max(position.sequence, 1) - 1)
        guard through.map({ $0 < below }) ?? true else { return }
        through = below
        advance()
    }

    /// Records the last number that the gateway has assigned in each of its boots. A record missing up to there was
    /// withheld or lost, or is still on its way.
    package mutating func given(_ lasts: [RecordPosition]) {
        var ends = ends ?? []
        for position in lasts where through.map({ $0 < position }) ?? true {
            let index = ends.partitioningIndex { $0.boot >= position.boot }
            if index < ends.count, ends[index].boot == position.boot {
                ends[index] = max(ends[index], position)
            } else {
                ends.insert(position, at: index)
            }
        }
        self.ends = ends.isEmpty ? nil : ends.suffix(Self.mostEnds)
    }

    /// The highest record that is stored, or that the gateway has reported.
    package var highest: RecordPosition? {
        [through, ranges.last.map { RecordPosition(boot: $0.boot, sequence: $0.last) }, ends?.last].compactMap(\.self)
            .max()
    }

    /// Number of records that are neither stored nor settled, up to the highest known one.
    package var missing: UInt64 {
        highest.map { missing(below: RecordPosition(boot: $0.boot, sequence: $0.sequence &+ 1)) } ?? 0
    }

    /// Returns the number of known records below a position that are neither stored nor settled. Records are known from
    /// the numbers of others of the same boot, and from the ends of boots that the gateway reports.
    ///
    /// If nothing of a gateway is settled, its records before the first received one are unknown.
    package func missing(below position: RecordPosition) -> UInt64 {
        var missing: UInt64 = 0
        for boot in knownBoots(to: position.boot) {
            var next: UInt64 = 1
            if let through {
                if boot < through.boot { continue }
                if boot == through.boot { next = through.sequence &+ 1 }
            } else if boot == ranges.first?.boot ?? ends?.first?.boot {
                next = ranges.first.flatMap { $0.boot == boot ? $0.first : nil } ?? 1
            }
            if next == 0 { continue }
            let stop = boot == position.boot ? position.sequence : .max
            for stretch in ranges where stretch.boot == boot && stretch.first < stop && stretch.last >= next {
                if stretch.first > next { missing = Self.sum(missing, stretch.first - next) }
                next = stretch.last &+ 1
                if next == 0 { break }
            }
            if next == 0 { continue }
            // Below the position every number was assigned; of earlier boots only the reported end is known.
            let end = boot == position.boot ? position.sequence : (end(of: boot)?.sequence).map { $0 &+ 1 } ?? 0
            if end > next { missing = Self.sum(missing, end - next) }
        }
        return missing
    }

    private func end(of boot: UInt64) -> RecordPosition? { ends?.first { $0.boot == boot } }

    /// Returns the known boots, ascending.
    private func knownBoots(to last: UInt64) -> [UInt64] {
        var boots = Set(ranges.map(\.boot) + (ends ?? []).map(\.boot)).filter { $0 <= last }
        if let through {
            if through.boot <= last { boots.insert(through.boot) }
            boots.insert(last)
        }
        return boots.sorted()
    }

    private static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let (sum, isTooMany) = a.addingReportingOverflow(b)
        return isTooMany ? .max : sum
    }

    private mutating func joinWithNext(_ index: Int) {
        guard index + 1 < ranges.count, ranges[index + 1].boot == ranges[index].boot,
            ranges[index + 1].first == ranges[index].last &+ 1
        else { return }
        ranges[index].last = ranges[index + 1].last
        ranges.remove(at: index + 1)
    }

    /// Extends `through` over the ranges that follow without a gap.
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
        if let left = ends?.filter({ $0 > through }) { ends = left.isEmpty ? nil : left }
    }
}
