/// Removal of the time from encounters in which readings give more information than distances from one beacon.
/// Distances count only where a floor has one receiver, where there are no readings, and while no readings contradict
/// them.
package struct EncounterCut: Sendable {
    /// Places whose distances do not count, by block: those on the floors where the positive subject could be compared
    /// with others.
    ///
    /// A signal at a place on another floor counts by its distance. Otherwise a gateway that claims a loud signal of a
    /// subject on its own floor would hide the contacts on the subject's floor.
    private let excluded: [ReadingBlock: Set<Int64>]
    /// Times when subjects were near two gateways of a floor. A subject is on one floor only, whatever one gateway
    /// reports.
    private let whereabouts: Whereabouts
    /// Floors by the numbers of their places.
    private let floors: [Int64: Int64]
    /// Subjects that no receiver receives: phones that report beacons themselves. They are not compared.
    private let unheard: Set<Int64>

    /// Floors on which two gateways received subjects at near level.
    package struct Whereabouts: Equatable, Sendable {
        /// Bits of the minutes, by block, subject and floor.
        private var minutes: [ReadingBlock: [Int64: [Int64: UInt16]]] = [:]

        package init() {}

        package mutating func add(
            _ subject: Int64, _ vectors: BlockVectors, in block: ReadingBlock, _ floors: ListeningFloors
        ) {
            for (minute, vector) in vectors.minutes.enumerated() {
                for floor in vector.floorsNear(floors) {
                    minutes[block, default: [:]][subject, default: [:]][floor, default: 0] |= 1 << UInt16(minute)
                }
            }
        }

        /// Returns the minutes, as bits, in which a subject was near two gateways of a floor other than this one.
        func elsewhere(_ subject: Int64, than floor: Int64?, in block: ReadingBlock) -> UInt16 {
            guard let known = minutes[block]?[subject] else { return 0 }
            return known.reduce(0) { $0 | ($1.key == floor ? 0 : $1.value) }
        }
    }

    package init(
        excluded: [ReadingBlock: Set<Int64>], whereabouts: Whereabouts = Whereabouts(), floors: [Int64: Int64] = [:],
        unheard: Set<Int64>
    ) {
        self.excluded = excluded
        self.whereabouts = whereabouts
        self.floors = floors
        self.unheard = unheard
    }

    /// Returns the parts of an encounter that count.
    ///
    /// - Returns: the remaining parts, in order of time.
    package func parts(of encounter: Encounter) -> [Encounter] {
        let stay = encounter.positive
        // When two were present one after the other, the place of the subject who reported decides.
        if stay.start == stay.end {
            let block = ReadingBlock(containing: stay.start)
            return minutes(without: encounter, in: block) >> UInt16((stay.start - block.start) / 60) & 1 == 0
                ? [encounter] : []
        }
        var parts: [Encounter] = []
        var start: Int64? = stay.start
        var time = stay.start
        while time < stay.end {
            let block = ReadingBlock(containing: time)
            let end = min(block.end, stay.end)
            let left = minutes(without: encounter, in: block)
            if left != 0 {
                while time < end {
                    let minute = (time - block.start) / 60
                    if left >> UInt16(minute) & 1 != 0 {
                        if let first = start, first < time { append(encounter, first, time, to: &parts) }
                        start = nil
                    } else if start == nil {
                        start = time
                    }
                    time = block.start(ofMinute: Int(minute) + 1)
                }
            } else if start == nil {
                start = time
            }
            time = end
        }
        if let first = start, first < stay.end { append(encounter, first, stay.end, to: &parts) }
        return parts
    }

    /// Returns the minutes of a block, as bits, in which the evidence of an encounter does not count.
    private func minutes(without encounter: Encounter, in block: ReadingBlock) -> UInt16 {
        let (positive, other) = (encounter.positive, encounter.other)
        let isOfPhone = unheard.contains(positive.subject) || unheard.contains(other.subject)
        if !isOfPhone, excluded[block]?.contains(positive.place) ?? false {
            return 1 << UInt16(ReadingBlock.minutes) - 1
        }
        var minutes = whereabouts.elsewhere(positive.subject, than: floors[positive.place], in: block)
        // Without overlap, the other subject was present at a different time and could be elsewhere now.
        if encounter.overlap > 0 {
            minutes |= whereabouts.elsewhere(other.subject, than: floors[other.place], in: block)
        }
        return minutes
    }

    private func append(_ encounter: Encounter, _ start: Int64, _ end: Int64, to parts: inout [Encounter]) {
        var part = encounter
        part.positive.start = max(start, encounter.positive.start)
        part.positive.end = min(end, encounter.positive.end)
        let isWhole = part.positive == encounter.positive
        // A cut is neither an arrival nor a departure. A succession counts only at an end of the stay that is still
        // present.
        if !isWhole, encounter.overlap == 0 {
            let isAtEnd = encounter.other.start >= encounter.positive.end
            guard
                isAtEnd ? part.positive.end == encounter.positive.end : part.positive.start == encounter.positive.start
            else { return }
        } else if !isWhole, part.overlap == 0 {
            return
        }
        parts.append(part)
    }
}

extension MinuteVector {
    /// Returns the floors on which two gateways received the subject above -75 dBm. The attenuation of a ceiling makes
    /// more than one such floor very unlikely.
    func floorsNear(_ floors: ListeningFloors) -> [Int64] {
        var levels: [FloorLevels] = []
        for hearing in hearings where hearing.code.level >= FloorDoubt.nearLevel {
            guard let place = floors.place(of: hearing.receiver) else { continue }
            levels.add(hearing.code.level, receiver: hearing.receiver, at: place)
        }
        return levels.filter { $0.second >= 0 }.map(\.floor)
    }
}
