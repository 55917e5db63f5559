import Localisation

/// How often a shown room changes although nobody changed rooms, and how late a true change is shown.
struct RoomChanges {
    private(set) var falseChanges = 0
    private(set) var seconds = 0.0
    private(set) var delays: [Double] = []
    private(set) var trueChanges = 0

    /// Time in seconds by which a change can be shown before or after the truth.
    private static let early = 5.0
    private static let late = 30.0
    /// Gap of the truth in seconds after which it begins anew.
    private static let gap = 30.0

    private struct Change {
        var time: Double
        var floor: Int
        var room: Int?
    }

    /// Adds one subject.
    mutating func add(_ guesses: [Guess], _ truth: [Recording.TruePosition]) {
        let truth = truth.filter(\.isRoomKnown)
        guard let first = truth.first, let last = truth.last else { return }
        var trueOnes: [Change] = []
        for (before, after) in zip(truth, truth.dropFirst()) {
            guard after.time - before.time <= Self.gap else { continue }
            seconds += after.time - before.time
            if (before.floor, before.room ?? -1) != (after.floor, after.room ?? -1) {
                trueOnes.append(Change(time: after.time, floor: after.floor, room: after.room))
            }
        }
        var shown: [Change] = []
        for guess in guesses where guess.time >= first.time && guess.time <= last.time + Self.late {
            guard case .room(let floor, let room) = guess.shown else { continue }
            if shown.last.map({ $0.floor != floor || $0.room != room }) ?? true {
                shown.append(Change(time: guess.time, floor: floor, room: room))
            }
        }
        trueChanges += trueOnes.count
        var isUsed = Array(repeating: false, count: shown.count)
        for change in trueOnes {
            let index = shown.indices.first {
                !isUsed[$0] && shown[$0].floor == change.floor && shown[$0].room == change.room
                    && shown[$0].time >= change.time - Self.early && shown[$0].time <= change.time + Self.late
            }
            guard let index else { continue }
            isUsed[index] = true
            delays.append(max(0, shown[index].time - change.time))
        }
        // The first room is shown without a change.
        falseChanges += isUsed.dropFirst().count { !$0 }
    }

    var falsePerHour: Double? { seconds > 0 ? Double(falseChanges) / seconds * 3600 : nil }
    var meanDelay: Double? { delays.isEmpty ? nil : delays.reduce(0, +) / Double(delays.count) }
}
