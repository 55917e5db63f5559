import Evidence
import Matching

/// A search for exposures by minutes together, with their evidence.
struct TogetherSearch {
    /// Subjects of the person who reported.
    var own: Set<Int64>
    var fixed: Set<Int64>
    /// Minimum level from which a minute counts.
    var near: SimilarityLevel
    /// Whether exposures get all their evidence; otherwise only what was missing.
    var isExplained: Bool

    /// Returns the exposures by minutes together.
    ///
    /// - Throws: `StoreError`.
    func exposures(
        _ company: InteractionStore.Company, _ located: LocatedCompany, close: SimilarityLevel,
        by assessment: TogetherAssessment, in store: InteractionStore
    ) throws -> [Exposure] {
        var company = company
        for subject in located.times.keys {
            company.minutes[subject] = located.minutes(
                of: subject, company.minutes[subject] ?? PairMinutes(), near: near, close: close)
        }
        let others = company.minutes.filter { !own.contains($0.key) && !fixed.contains($0.key) }
        var places = MinutePlaces(
            vectors: company.vectors, places: try store.receiverPlaces(), floors: try store.receiverFloors())
        let exposures = assessment.exposures(others, isLocated: located.isLocated) { places.place(at: $0) }
        let times = exposures.map(\.start) + exposures.map(\.end)
        let wrongClocks = try store.doubtedReceivers(.clock, from: times.min() ?? 0, to: times.max() ?? 0)
        return try isExplained
            ? explained(exposures, company, wrongClocks, in: store)
            : doubted(exposures, company, wrongClocks, in: store)
    }

    private func explained(
        _ exposures: [Exposure], _ company: InteractionStore.Company, _ wrongClocks: Set<Int64>,
        in store: InteractionStore
    ) throws -> [Exposure] {
        var subjects: [ReadingBlock: Set<Int64>] = [:]
        let blocks = exposures.map(Self.blocks)
        for (exposure, blocks) in zip(exposures, blocks) {
            for block in blocks { subjects[block, default: []].insert(exposure.subject) }
        }
        let evidence = try store.evidence(of: subjects, with: company.vectors)
        return zip(exposures, blocks).map { exposure, blocks in
            var exposure = exposure
            let details = TogetherDetails(
                pairs(exposure, in: blocks, company, evidence), hasMinutes: true)
            exposure.explanation.together = details
            exposure.explanation.add(details, wrongClocks: wrongClocks)
            return exposure
        }
    }

    /// Returns the exposures with what was missing, as seen from the person who reported: the others were heard by the
    /// same receivers in a similar way. Nothing needs to be looked up for the others, who may be thousands.
    private func doubted(
        _ exposures: [Exposure], _ company: InteractionStore.Company, _ wrongClocks: Set<Int64>,
        in store: InteractionStore
    ) throws -> [Exposure] {
        var all: Set<ReadingBlock> = []
        for exposure in exposures { Self.forEachBlock(exposure) { all.insert($0) } }
        let listening = try store.listening(in: all, with: company.vectors, onlyImpaired: wrongClocks.isEmpty)
        if listening.isEmpty { return exposures }
        return exposures.map { exposure in
            var isConcerned = false
            Self.forEachBlock(exposure) { isConcerned = isConcerned || listening[$0] != nil }
            guard isConcerned else { return exposure }
            let pairs = counted(exposure, company).compactMap { start -> PairEvidence? in
                let block = ReadingBlock(containing: start)
                guard let minutes = listening[block], let own = company.vectors[block] else { return nil }
                let minute = Int((start - block.start) / 60)
                return PairEvidence(
                    start: start, positive: own.minutes[minute], other: own.minutes[minute],
                    listening: minutes[minute], isCounted: true)
            }
            var exposure = exposure
            exposure.explanation.add(TogetherDetails(pairs, hasMinutes: false), wrongClocks: wrongClocks)
            return exposure
        }
    }

    private static func blocks(_ exposure: Exposure) -> Set<ReadingBlock> {
        var blocks: Set<ReadingBlock> = []
        forEachBlock(exposure) { blocks.insert($0) }
        return blocks
    }

    /// Calls `body` for each block that overlaps a window of an exposure; windows may share a block.
    private static func forEachBlock(_ exposure: Exposure, _ body: (ReadingBlock) -> Void) {
        for window in exposure.explanation.windows {
            let last = ReadingBlock(containing: window.end - 1).number
            for number in ReadingBlock(containing: window.start).number...last { body(ReadingBlock(number: number)) }
        }
    }

    /// Returns the starts of the minutes that count, in chronological order.
    private func counted(_ exposure: Exposure, _ company: InteractionStore.Company) -> [Int64] {
        let windows = exposure.explanation.windows
        var counted: [Int64] = []
        var index = 0
        // Both are in chronological order.
        for minute in company.minutes[exposure.subject]?.minutes(from: near) ?? [] {
            while index < windows.count, windows[index].end <= minute.start { index += 1 }
            guard index < windows.count else { break }
            if windows[index].start <= minute.start { counted.append(minute.start) }
        }
        return counted
    }

    private func pairs(
        _ exposure: Exposure, in blocks: Set<ReadingBlock>, _ company: InteractionStore.Company,
        _ evidence: [ReadingBlock: InteractionStore.BlockEvidence]
    ) -> [PairEvidence] {
        let counted = counted(exposure, company)
        var next = counted.startIndex
        var pairs: [PairEvidence] = []
        for block in blocks.sorted() {
            guard let own = company.vectors[block], let evidence = evidence[block],
                let other = evidence.vectors[exposure.subject]
            else { continue }
            for (minute, listening) in evidence.listening.enumerated() {
                let start = block.start(ofMinute: minute)
                // Both are in chronological order.
                while next < counted.endIndex, counted[next] < start { next += 1 }
                guard start >= exposure.start, start < exposure.end, !own.minutes[minute].isEmpty,
                    !other.minutes[minute].isEmpty
                else { continue }
                pairs.append(
                    PairEvidence(
                        start: start, positive: own.minutes[minute], other: other.minutes[minute],
                        listening: listening, isCounted: next < counted.endIndex && counted[next] == start))
            }
        }
        return pairs
    }
}

extension Explanation {
    /// Adds what was missing.
    fileprivate mutating func add(_ details: TogetherDetails, wrongClocks: Set<Int64>) {
        let isWrong = details.receivers.contains { wrongClocks.contains($0.receiver) }
        if details.isClockDoubtful || isWrong { missing.append(.clock) }
        if !details.deaf.isEmpty { missing.append(.deafReceivers(details.deaf)) }
        if details.sameAreaMinutes > 0 { missing.append(.secondReceiver(minutes: details.sameAreaMinutes)) }
        missing.sort()
    }
}
