/// Receivers that listened in a minute, and those that could have but did not.
package struct MinuteListening: Equatable, Sendable {
    package var floors: ListeningFloors
    /// Receivers, by floor, that published readings of the block but did not listen in this minute.
    package var deaf: [Int64: [Int64]]
    /// Receivers whose clocks were not synchronized.
    package var unsynchronized: Set<Int64>

    package init(floors: ListeningFloors, deaf: [Int64: [Int64]] = [:], unsynchronized: Set<Int64> = []) {
        self.floors = floors
        self.deaf = deaf
        self.unsynchronized = unsynchronized
    }

    /// Returns the listening of each minute of a block.
    ///
    /// - Parameter receivers: by receiver number.
    package static func minutes(_ receivers: [Int64: BlockComputation.Receiver]) -> [MinuteListening] {
        let order = receivers.sorted { $0.key < $1.key }
        var minutes: [MinuteListening] = []
        var before: [Bool] = []
        for minute in 0..<ReadingBlock.minutes {
            let states = order.flatMap {
                [$0.value.listening.listened(inMinute: minute), $0.value.listening.isSynchronized(inMinute: minute)]
            }
            // Most minutes are the same as the previous one.
            if states == before, let last = minutes.last {
                minutes.append(last)
                continue
            }
            before = states
            let deaf = order.filter { !$0.value.listening.listened(inMinute: minute) }
            minutes.append(
                MinuteListening(
                    floors: ListeningFloors(
                        receivers.filter { $0.value.listening.listened(inMinute: minute) }.mapValues(\.place)),
                    deaf: Dictionary(grouping: deaf) { $0.value.place.floor }.mapValues { $0.map(\.key) },
                    unsynchronized: Set(
                        order.filter { !$0.value.listening.isSynchronized(inMinute: minute) }.map(\.key))))
        }
        return minutes
    }
}
