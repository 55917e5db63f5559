package import Matching

/// The effect of newly known listening: receivers listened in more minutes of a block than was known before. Pure.
///
/// A subject's position, and whether it can be compared, depends on which of its receivers listened, and on whether its
/// floor had one receiver or gateway, or several. Nothing else about listening counts.
package struct ListeningChange: Equatable {
    /// Whether a floor with a listening receiver gains its second receiver or gateway in any minute.
    package private(set) var completesFloor = false
    /// Minutes, as bits, in which a receiver that was known in the block counted as deaf, by receiver. Its observations
    /// in these minutes were ignored, and count now.
    package private(set) var minutes: [Int64: UInt16] = [:]

    package init(from before: [Int64: BlockListening], to after: [Int64: BlockComputation.Receiver]) {
        for minute in 0..<ReadingBlock.minutes {
            let listened = after.filter { before[$0.key]?.listened(inMinute: minute) ?? false }
            let new = after.filter { listened[$0.key] == nil && $0.value.listening.listened(inMinute: minute) }
            if new.isEmpty { continue }
            for receiver in new.keys where before[receiver] != nil {
                minutes[receiver, default: 0] |= 1 << UInt16(minute)
            }
            let old = ListeningFloors(listened.mapValues(\.place))
            let now = ListeningFloors(listened.merging(new) { $1 }.mapValues(\.place))
            for floor in Set(new.values.map(\.place.floor)) where old.receivers(on: floor) > 0 {
                if old.receivers(on: floor) == 1 || old.gateways(on: floor) == 1 && now.gateways(on: floor) > 1 {
                    completesFloor = true
                }
            }
        }
    }

    /// Whether any observation counts only now.
    package func concerns(_ vectors: BlockVectors) -> Bool {
        vectors.minutes.enumerated().contains { number, vector in
            vector.hearings.contains { minutes[$0.receiver, default: 0] >> UInt16(number) & 1 == 1 }
        }
    }
}
