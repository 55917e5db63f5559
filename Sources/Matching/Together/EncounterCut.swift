/// Leaves out of encounters the time in which minutes together say more: what is known of distances from one beacon counts only
/// where a floor has one receiver, or where there are no readings.
public struct EncounterCut: Sendable {
    /// Blocks in which the one who reported could be compared with others.
    private let compared: Set<ReadingBlock>
    /// Subjects that no receiver hears: phones that report beacons themselves.
    private let unheard: Set<Int64>

    public init(compared: Set<ReadingBlock>, unheard: Set<Int64>) {
        self.compared = compared
        self.unheard = unheard
    }

    /// - Returns: the parts that are left, in the order of time.
    public func parts(of encounter: Encounter) -> [Encounter] {
        if compared.isEmpty || unheard.contains(encounter.other.subject) || unheard.contains(encounter.positive.subject)
        {
            return [encounter]
        }
        let stay = encounter.positive
        // Two who were there after each other were so where the one who reported was.
        if stay.start == stay.end {
            return compared.contains(ReadingBlock(containing: stay.start)) ? [] : [encounter]
        }
        var parts: [Encounter] = []
        var start: Int64?
        var time = stay.start
        while time < stay.end {
            let block = ReadingBlock(containing: time)
            if compared.contains(block) {
                if let first = start { append(encounter, first, time, to: &parts) }
                start = nil
            } else if start == nil {
                start = time
            }
            time = block.end
        }
        if let first = start { append(encounter, first, stay.end, to: &parts) }
        return parts
    }

    private func append(_ encounter: Encounter, _ start: Int64, _ end: Int64, to parts: inout [Encounter]) {
        var part = encounter
        part.positive.start = max(start, encounter.positive.start)
        part.positive.end = min(end, encounter.positive.end)
        let isWhole = part.positive == encounter.positive
        // A cut is neither an arrival nor a departure: who came after each other did so at an end that is still there.
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
