import InteractionStore
import Matching

/// Exposures by minutes together, with what they rest on.
struct TogetherSearch {
    /// Subjects of the one who reported.
    var own: Set<Int64>
    var fixed: Set<Int64>
    /// From here on a minute counts.
    var near: SimilarityLevel

    /// - Throws: `StoreError`.
    func exposures(
        _ company: InteractionStore.Company, by assessment: TogetherAssessment, in store: InteractionStore
    ) throws -> [Exposure] {
        let others = company.minutes.filter { !own.contains($0.key) && !fixed.contains($0.key) }
        let places = try store.receiverPlaces()
        let floors = try store.receiverFloors()
        let exposures = assessment.exposures(others) { minute in
            // The loudest of the floor, whatever is claimed on others.
            AmplitudeVector(Self.vector(company.vectors, minute), floors).flatMap { places[$0.loudestOfFloor] } ?? 0
        }
        return try explained(exposures, company, in: store)
    }

    private static func vector(_ vectors: [ReadingBlock: BlockVectors], _ minute: Int64) -> MinuteVector {
        let block = ReadingBlock(containing: minute)
        return vectors[block]?.minutes[Int((minute - block.start) / 60)] ?? MinuteVector()
    }

    private func explained(
        _ exposures: [Exposure], _ company: InteractionStore.Company, in store: InteractionStore
    ) throws -> [Exposure] {
        var subjects: [ReadingBlock: Set<Int64>] = [:]
        for exposure in exposures {
            for block in Self.blocks(exposure) { subjects[block, default: []].insert(exposure.subject) }
        }
        let evidence = try store.evidence(of: subjects)
        let times = exposures.map(\.start) + exposures.map(\.end)
        let wrongClocks = try store.doubtedReceivers(.clock, from: times.min() ?? 0, to: times.max() ?? 0)
        return exposures.map { exposure in
            var exposure = exposure
            let pairs = pairs(exposure, company, evidence)
            let details = TogetherDetails(pairs, counted: counted(exposure, company))
            exposure.explanation.together = details
            var missing = exposure.explanation.missing
            let isWrong = details.receivers.contains { wrongClocks.contains($0.receiver) }
            if details.isClockDoubtful || isWrong { missing.append(.clock) }
            if !details.deaf.isEmpty { missing.append(.deafReceivers(details.deaf)) }
            if details.sameAreaMinutes > 0 { missing.append(.secondReceiver(minutes: details.sameAreaMinutes)) }
            exposure.explanation.missing = missing.sorted()
            return exposure
        }
    }

    private static func blocks(_ exposure: Exposure) -> Set<ReadingBlock> {
        Set(
            exposure.explanation.windows.flatMap { window in
                (ReadingBlock(containing: window.start).number...ReadingBlock(containing: window.end - 1).number).map {
                    ReadingBlock(number: $0)
                }
            })
    }

    /// When the minutes begin that count.
    private func counted(_ exposure: Exposure, _ company: InteractionStore.Company) -> Set<Int64> {
        let windows = exposure.explanation.windows
        let minutes = company.minutes[exposure.subject]?.minutes ?? []
        return Set(
            minutes.lazy.filter { $0.level >= near }.map(\.start).filter { start in
                windows.contains { $0.start <= start && start < $0.end }
            })
    }

    private func pairs(
        _ exposure: Exposure, _ company: InteractionStore.Company,
        _ evidence: [ReadingBlock: InteractionStore.BlockEvidence]
    ) -> [PairEvidence] {
        Self.blocks(exposure).sorted().flatMap { block -> [PairEvidence] in
            guard let own = company.vectors[block], let evidence = evidence[block],
                let other = evidence.vectors[exposure.subject]
            else { return [] }
            return (0..<ReadingBlock.minutes).compactMap { minute in
                let start = block.start(ofMinute: minute)
                guard start >= exposure.start, start < exposure.end, !own.minutes[minute].isEmpty,
                    !other.minutes[minute].isEmpty
                else { return nil }
                return PairEvidence(
                    start: start, positive: own.minutes[minute], other: other.minutes[minute],
                    floors: evidence.floors(inMinute: minute), deaf: evidence.deaf(inMinute: minute),
                    unsynchronized: evidence.unsynchronized(inMinute: minute))
            }
        }
    }
}
