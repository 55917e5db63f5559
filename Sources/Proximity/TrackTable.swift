import BeaconModel

/// Tracks of all present subjects, with the next one per adapter whose silence becomes too long.
///
/// Updating a track takes constant time; adding or removing one takes logarithmic time. No memory is allocated unless
/// the table grows.
struct TrackTable: Sendable {
    private var slots: [Subject: Int] = [:]
    private var tracks: [Track] = []
    /// Tally of each subject in the current interval of readings.
    private var tallies: [ReadingsTally] = []
    /// Tally of each subject in the current second of signals.
    private var seconds: [ReadingsTally] = []
    /// Slots without a track.
    private var free: [Int] = []
    /// Tracks of each adapter by the time when their silence becomes too long, measured while it is receiving.
    ///
    /// A deadline in the heap can be too early, because it is not updated with each sighting; it is when it reaches the
    /// front.
    private var heaps: [DeadlineHeap] = Array(repeating: DeadlineHeap(), count: mostAdapters)
    /// Position of each slot in its heap, and the heap.
    private var places: [Int] = []
    private var orders: [Int] = []
    private(set) var beaconCount = 0

    /// Number of orders; adapters with numbers from 15 share the last one.
    private static let mostAdapters = 16

    /// Numbers of the orders: one for each adapter.
    static let orders = 0..<mostAdapters

    static func order(of adapter: Adapter) -> Int { min(Int(adapter.index), mostAdapters - 1) }

    var count: Int { slots.count }

    func slot(of subject: Subject) -> Int? { slots[subject] }

    subscript(slot: Int) -> Track {
        _read { yield tracks[slot] }
        _modify { yield &tracks[slot] }
    }

    /// Counts an advertisement of the subject in `slot`.
    ///
    /// - Parameter rssi: dBm; `nil` without a plausible one.
    mutating func count(_ rssi: Int8?, in slot: Int) { tallies[slot].add(rssi) }

    /// Returns the tally of the subject in `slot` since the last call, and resets it.
    mutating func takeTally(of slot: Int) -> ReadingsTally {
        defer { tallies[slot] = ReadingsTally() }
        return tallies[slot]
    }

    /// Returns the tallies of all subjects received since the last call, in no particular order, and resets them.
    mutating func takeTallies() -> [(Subject, ReadingsTally)] {
        var taken: [(Subject, ReadingsTally)] = []
        for slot in tallies.indices where tallies[slot].count > 0 {
            taken.append((tracks[slot].subject, takeTally(of: slot)))
        }
        return taken
    }

    /// Counts an advertisement of the subject in `slot` in the current second.
    ///
    /// - Parameter rssi: dBm; `nil` without a plausible one.
    mutating func countInSecond(_ rssi: Int8?, in slot: Int) { seconds[slot].add(rssi) }

    /// Returns the tallies of all subjects received in the current second, in no particular order, and resets them.
    mutating func takeSecond() -> [(Subject, ReadingsTally)] {
        var taken: [(Subject, ReadingsTally)] = []
        for slot in seconds.indices where seconds[slot].count > 0 {
            taken.append((tracks[slot].subject, seconds[slot]))
            seconds[slot] = ReadingsTally()
        }
        return taken
    }

    /// Updates the deadline of the track in `slot`, for its adapter and silence.
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

    /// Returns the slot in an order whose silence becomes too long first; `nil` when there is none.
    mutating func firstSlot(_ order: Int) -> Int? {
        while let (deadline, slot) = heaps[order].first {
            let actual = tracks[slot].deadline
            if actual == deadline { return slot }
            heaps[order].setDeadline(actual, at: 0, &places)
        }
        return nil
    }

    /// Returns the slots of an order, in no particular sequence.
    func slots(of order: Int) -> [Int] { heaps[order].slots }

    /// Assigns the tracks of an order to another adapter.
    mutating func move(from order: Int, to adapter: Adapter) {
        for slot in heaps[order].slots {
            tracks[slot].adapter = adapter
            heard(slot)
        }
    }

    mutating func changeAll(_ change: (inout Track) -> Void) {
        for order in Self.orders { for slot in heaps[order].slots { change(&tracks[slot]) } }
    }

    /// Tracks of all subjects, in no particular order.
    var all: [Track] { Self.orders.flatMap { heaps[$0].slots.map { tracks[$0] } } }

    /// Adds a subject that is not present.
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
            seconds.append(ReadingsTally())
            places.append(-1)
            orders.append(-1)
        }
        slots[track.subject] = slot
        if track.subject.isBeacon { beaconCount += 1 }
        orders[slot] = Self.order(of: track.adapter)
        heaps[orders[slot]].insert(slot, deadline: track.deadline, &places)
        return slot
    }

    /// Removes a track. Its tally of the interval must be taken first.
    mutating func remove(_ slot: Int) -> Track {
        tallies[slot] = ReadingsTally()
        seconds[slot] = ReadingsTally()
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
        seconds.removeAll(keepingCapacity: true)
        free.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        orders.removeAll(keepingCapacity: true)
        for order in Self.orders { heaps[order].removeAll() }
        beaconCount = 0
    }
}

extension Track {
    /// Time when its silence becomes too long, in microseconds of its adapter's receiving time.
    fileprivate var deadline: Int64 { (lastSeenAt + silence).microseconds &- deafness.clampedMicroseconds }
}
