import BeaconModel

/// The tracks of everybody who is here, and who of them that one adapter heard last is silent for too long first.
///
/// Hearing of one takes constant time, and adding or removing one a time that grows with the logarithm of their number.
/// Unless the table grows no memory is needed.
struct TrackTable: Sendable {
    private var slots: [Subject: Int] = [:]
    private var tracks: [Track] = []
    /// What was heard of each in the interval of readings that goes on.
    private var tallies: [ReadingsTally] = []
    /// Slots without a track.
    private var free: [Int] = []
    /// The tracks of each adapter by when they will have been silent for too long, in the time in which it heard.
    ///
    /// A deadline there may be too early, because it isn't put off with each sighting; it is when it comes first.
    private var heaps: [DeadlineHeap] = Array(repeating: DeadlineHeap(), count: mostAdapters)
    /// Where each slot is in its heap, and in which one that is.
    private var places: [Int] = []
    private var orders: [Int] = []
    private(set) var beaconCount = 0

    /// Adapters with this number and above share an order.
    private static let mostAdapters = 16

    /// The numbers of the orders: one for each adapter.
    static let orders = 0..<mostAdapters

    static func order(of adapter: Adapter) -> Int { min(Int(adapter.index), mostAdapters - 1) }

    var count: Int { slots.count }

    func slot(of subject: Subject) -> Int? { slots[subject] }

    subscript(slot: Int) -> Track {
        _read { yield tracks[slot] }
        _modify { yield &tracks[slot] }
    }

    /// An advertisement of the one in `slot` was received.
    ///
    /// - Parameter rssi: dBm; `nil` without a plausible one.
    mutating func count(_ rssi: Int8?, in slot: Int) { tallies[slot].add(rssi) }

    /// What was heard of the one in `slot` since it was last taken.
    mutating func takeTally(of slot: Int) -> ReadingsTally {
        defer { tallies[slot] = ReadingsTally() }
        return tallies[slot]
    }

    /// What was heard of everybody since it was last taken, of those who were; in no particular order.
    mutating func takeTallies() -> [(Subject, ReadingsTally)] {
        var taken: [(Subject, ReadingsTally)] = []
        for slot in tallies.indices where tallies[slot].count > 0 {
            taken.append((tracks[slot].subject, takeTally(of: slot)))
        }
        return taken
    }

    /// The track in `slot` has been heard: by its adapter, with its silence.
    mutating func heard(_ slot: Int) {
        let order = Self.order(of: tracks[slot].adapter)
        let deadline = tracks[slot].deadline
        guard order == orders[slot] else {
            heaps[orders[slot]].remove(at: places[slot], &places)
            heaps[order].insert(slot, deadline: deadline, &places)
            orders[slot] = order
            return
        }
        if deadline < heaps[order].deadline(at: places[slot]) {
            heaps[order].setDeadline(deadline, at: places[slot], &places)
        }
    }

    /// The slot of the one of an order who will be silent for too long first; `nil` when there is none.
    mutating func firstSlot(_ order: Int) -> Int? {
        while let (deadline, slot) = heaps[order].first {
            let actual = tracks[slot].deadline
            if actual == deadline { return slot }
            heaps[order].setDeadline(actual, at: 0, &places)
        }
        return nil
    }

    /// The slots of an order, in no particular one.
    func slots(of order: Int) -> [Int] { heaps[order].slots }

    /// Gives those of an order to another adapter.
    mutating func move(from order: Int, to adapter: Adapter) {
        for slot in heaps[order].slots {
            tracks[slot].adapter = adapter
            heard(slot)
        }
    }

    mutating func changeAll(_ change: (inout Track) -> Void) {
        for order in Self.orders { for slot in heaps[order].slots { change(&tracks[slot]) } }
    }

    /// Everybody, in no particular order.
    var all: [Track] { Self.orders.flatMap { heaps[$0].slots.map { tracks[$0] } } }

    /// Adds somebody who isn't here.
    ///
    /// - Returns: the slot.
    mutating func insert(_ track: Track) -> Int {
        let slot: Int
        if let vacant = free.popLast() {
            slot = vacant
            tracks[slot] = track
        } else {
            slot = tracks.count
            tracks.append(track)
            tallies.append(ReadingsTally())
            places.append(-1)
            orders.append(-1)
        }
        slots[track.subject] = slot
        if track.subject.isBeacon { beaconCount += 1 }
        orders[slot] = Self.order(of: track.adapter)
        heaps[orders[slot]].insert(slot, deadline: track.deadline, &places)
        return slot
    }

    /// Its tally has to be taken before.
    mutating func remove(_ slot: Int) -> Track {
        tallies[slot] = ReadingsTally()
        heaps[orders[slot]].remove(at: places[slot], &places)
        free.append(slot)
        let subject = tracks[slot].subject
        slots[subject] = nil
        if subject.isBeacon { beaconCount -= 1 }
        return tracks[slot]
    }

    mutating func removeAll() {
        slots.removeAll(keepingCapacity: true)
        tracks.removeAll(keepingCapacity: true)
        tallies.removeAll(keepingCapacity: true)
        free.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        orders.removeAll(keepingCapacity: true)
        for order in Self.orders { heaps[order].removeAll() }
        beaconCount = 0
    }
}

extension Track {
    /// When it will have been silent for too long, in microseconds of the time in which its adapter heard.
    fileprivate var deadline: Int64 { (lastSeenAt + silence).microseconds &- deafness.clampedMicroseconds }
}
