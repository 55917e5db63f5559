/// Leaves out of encounters the time in which minutes together say more: what is known of distances from one beacon counts only
/// where a floor has one receiver, or where there are no readings.
public struct EncounterCut: Sendable {
    /// Blocks in which the one who reported could be compared with others, and the places of the floors where they were.
    ///
    /// What is heard at another floor's place counts by its distance: else a gateway that claims to have heard somebody loudly
    /// on its floor would hide whom they were with on theirs.
    private let compared: [ReadingBlock: Set<Int64>]
    /// Subjects that no receiver hears: phones that report beacons themselves.
    private let unheard: Set<Int64>

    public init(compared: [ReadingBlock: Set<Int64>], unheard: Set<Int64>) {
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
            return isCompared(ReadingBlock(containing: stay.start), stay) ? [] : [encounter]
        }
        var parts: [Encounter] = []
        var start: Int64?
        var time = stay.start
        while time < stay.end {
            let block = ReadingBlock(containing: time)
            if isCompared(block, stay) {
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

    private func isCompared(_ block: ReadingBlock, _ stay: Stay) -> Bool {
        compared[block]?.contains(stay.place) ?? false
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
