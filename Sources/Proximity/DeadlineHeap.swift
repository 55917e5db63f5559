/// Slots ordered by deadline: the earliest first, equal ones in the order of slots.
///
/// A binary heap that tracks the position of each slot (D. E. Knuth, "The Art of Computer Programming", 5.2.3), so that
/// any slot can be moved or removed in logarithmic time.
struct DeadlineHeap: Sendable {
    private var entries: [Entry] = []

    private struct Entry {
        /// Deadline in microseconds.
        var deadline: Int64
        var slot: Int
    }

    var first: (deadline: Int64, slot: Int)? { entries.first.map { ($0.deadline, $0.slot) } }

    var slots: [Int] { entries.map(\.slot) }

    func deadline(at place: Int) -> Int64 { entries[place].deadline }

    /// Inserts a slot.
    ///
    /// - Parameter places: position of each slot in its heap; all mutating functions keep it up to date.
    mutating func insert(_ slot: Int, deadline: Int64, _ places: inout [Int]) {
        entries.append(Entry(deadline: deadline, slot: slot))
        places[slot] = entries.count - 1
        rise(entries.count - 1, &places)
    }

    mutating func remove(at place: Int, _ places: inout [Int]) {
        places[entries[place].slot] = -1
        let last = entries.removeLast()
        guard place < entries.count else { return }
        entries[place] = last
        places[last.slot] = place
        sink(place, &places)
        rise(places[last.slot], &places)
    }

    mutating func setDeadline(_ deadline: Int64, at place: Int, _ places: inout [Int]) {
        let isEarlier = deadline < entries[place].deadline
        entries[place].deadline = deadline
        if isEarlier { rise(place, &places) } else { sink(place, &places) }
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (entries[left].deadline, entries[left].slot) < (entries[right].deadline, entries[right].slot)
    }

    private mutating func rise(_ from: Int, _ places: inout [Int]) {
        var place = from
        while place > 0 {
            let parent = (place - 1) / 2
            guard precedes(place, parent) else { return }
            exchange(place, parent, &places)
            place = parent
        }
    }

    private mutating func sink(_ from: Int, _ places: inout [Int]) {
        var place = from
        while true {
            let left = 2 * place + 1
            guard left < entries.count else { return }
            let child = left + 1 < entries.count && precedes(left + 1, left) ? left + 1 : left
            guard precedes(child, place) else { return }
            exchange(place, child, &places)
            place = child
        }
    }

    private mutating func exchange(_ left: Int, _ right: Int, _ places: inout [Int]) {
        entries.swapAt(left, right)
        places[entries[left].slot] = left
        places[entries[right].slot] = right
    }
}
