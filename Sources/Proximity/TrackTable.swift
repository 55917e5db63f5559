import BeaconModel

/// The tracks of everybody who is here; those that one adapter heard last in the order in which it did.
///
/// Finding one, hearing of it and removing the one that was heard longest ago each take constant time and, unless the
/// table grows, no memory.
struct TrackTable: Sendable {
    private var slots: [Subject: Int] = [:]
    private var tracks: [Track] = []
    /// The neighbours of each slot in the order of its adapter; -1 is none.
    private var links: [Links] = []
    /// Slots without a track.
    private var free: [Int] = []
    /// The first and last slot of each adapter's order.
    private var ends: [Ends] = Array(repeating: Ends(), count: mostAdapters)
    private(set) var beaconCount = 0

    /// Adapters with this number and above share an order.
    private static let mostAdapters = 16

    private struct Links {
        var previous: Int
        var next: Int
        var order: Int
    }

    private struct Ends {
        var first = -1
        var last = -1
    }

    /// The numbers of the orders.
    static let orders = 0..<mostAdapters

    static func order(of adapter: Adapter) -> Int { min(Int(adapter.index), mostAdapters - 1) }

    var count: Int { slots.count }

    func slot(of subject: Subject) -> Int? { slots[subject] }

    subscript(slot: Int) -> Track {
        _read { yield tracks[slot] }
        _modify { yield &tracks[slot] }
    }

    /// The slot of the one of an order who has been silent for longest; `nil` when there is none.
    func firstSlot(_ order: Int) -> Int? {
        let first = ends[order].first
        return first < 0 ? nil : first
    }

    /// Gives those of an order to another adapter, behind its own.
    mutating func move(from order: Int, to adapter: Adapter) {
        while ends[order].first >= 0 {
            let slot = ends[order].first
            unlink(slot)
            tracks[slot].adapter = adapter
            linkLast(slot)
        }
    }

    /// Everybody.
    var all: [Track] {
        var all: [Track] = []
        all.reserveCapacity(count)
        for order in Self.orders {
            var slot = ends[order].first
            while slot >= 0 {
                all.append(tracks[slot])
                slot = links[slot].next
            }
        }
        return all
    }

    /// Adds somebody who isn't here, as the one who was heard last.
    mutating func insert(_ track: Track) {
        let slot: Int
        if let vacant = free.popLast() {
            slot = vacant
            tracks[slot] = track
        } else {
            slot = tracks.count
            tracks.append(track)
            links.append(Links(previous: -1, next: -1, order: 0))
        }
        slots[track.subject] = slot
        if track.subject.isBeacon { beaconCount += 1 }
        linkLast(slot)
    }

    /// The track in `slot` is the one that its adapter heard last.
    mutating func moveLast(_ slot: Int) {
        let order = Self.order(of: tracks[slot].adapter)
        guard slot != ends[order].last else { return }
        unlink(slot)
        linkLast(slot)
    }

    /// Removes the one of an order who has been silent for longest.
    mutating func removeFirst(_ order: Int) -> Track? {
        let slot = ends[order].first
        guard slot >= 0 else { return nil }
        unlink(slot)
        free.append(slot)
        let subject = tracks[slot].subject
        slots[subject] = nil
        if subject.isBeacon { beaconCount -= 1 }
        return tracks[slot]
    }

    mutating func removeAll() {
        slots.removeAll(keepingCapacity: true)
        tracks.removeAll(keepingCapacity: true)
        links.removeAll(keepingCapacity: true)
        free.removeAll(keepingCapacity: true)
        for order in Self.orders { ends[order] = Ends() }
        beaconCount = 0
    }

    private mutating func linkLast(_ slot: Int) {
        let order = Self.order(of: tracks[slot].adapter)
        let last = ends[order].last
        links[slot] = Links(previous: last, next: -1, order: order)
        if last >= 0 { links[last].next = slot } else { ends[order].first = slot }
        ends[order].last = slot
    }

    private mutating func unlink(_ slot: Int) {
        let (previous, next, order) = (links[slot].previous, links[slot].next, links[slot].order)
        if previous >= 0 { links[previous].next = next } else { ends[order].first = next }
        if next >= 0 { links[next].previous = previous } else { ends[order].last = previous }
    }
}
