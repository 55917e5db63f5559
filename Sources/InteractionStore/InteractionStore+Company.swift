package import Evidence
package import Matching

extension InteractionStore {
    /// The subjects with vectors similar to those of the given subjects, and the times that could be compared.
    package struct Company: Equatable, Sendable {
        /// Minutes together by the other subject, within the requested periods.
        package var minutes: [Int64: PairMinutes] = [:]
        /// Blocks in which the subject could be compared with others in at least half of the minutes in which it was
        /// heard.
        package var compared: Set<ReadingBlock> = []
        /// Minutes in which any receiver heard the subject.
        package var vectors: [ReadingBlock: BlockVectors] = [:]
        /// Minutes, within the requested periods, in which any receiver heard the subject, followed by those of them in
        /// which it could not be compared with all others.
        package var heardMinutes = 0
        package var uncomparedMinutes = 0

        package init() {}
    }

    /// Returns the minutes together of the subjects of one person, from settled blocks and from readings that are not
    /// settled yet.
    ///
    /// - Parameter positives: the subjects with the period that matters for each.
    /// - Throws: `StoreError`.
    package func company(of positives: [SubjectPeriod]) throws -> Company {
        try company(of: positives, fixed: fixedSubjects(since: positives.map(\.since).min() ?? 0))
    }

    /// Returns the minutes together of the subjects of one person.
    ///
    /// - Parameter fixed: subjects that are not persons; they are together with no one.
    package func company(of positives: [SubjectPeriod], fixed: Set<Int64>) throws -> Company {
        try database.read { session in
            let unsettled = try session.unsettledBlocks()
            guard let known = try session.readingBlocks(unsettled) else { return Company() }
            let directory = try ReceiverDirectory(session)
            var found = FoundCompany()
            for positive in positives {
                guard let blocks = positive.blocks(within: known) else { continue }
                let keys = (blocks.lowerBound.number...blocks.upperBound.number).map {
                    ReadingKey(ReadingBlock(number: $0), positive.subject).rawValue
                }
                try session.rows("company", keys) { row in
                    let block = ReadingKey(rawValue: row.integer(0)).block
                    guard !unsettled.contains(block), let content = BlockCompany(packed: row.blob(1)) else { return }
                    found.add(content, of: positive, in: block)
                }
                try session.rows("vectors", keys) { row in
                    guard let content = BlockVectors(packed: row.blob(1)) else { return }
                    found.add(content, in: ReadingKey(rawValue: row.integer(0)).block)
                }
            }
            for block in unsettled.sorted() {
                let concerned = positives.filter { $0.blocks(within: known)?.contains(block) ?? false }
                guard !concerned.isEmpty else { continue }
                var contents = try BlockContents(
                    unsettled: block, around: Set(concerned.map(\.subject)), settled: found[block], directory,
                    session)
                contents.limit()
                let companies = BlockComputation(receivers: contents.receivers, fixed: fixed)
                    .company(of: Set(concerned.map(\.subject)), contents.vectors)
                for positive in concerned {
                    if let own = contents.vectors[positive.subject] { found.add(own, in: block) }
                    if let company = companies[positive.subject] { found.add(company, of: positive, in: block) }
                }
            }
            return found.company(of: positives)
        }
    }

    /// A collector for the company of the devices of one person.
    private struct FoundCompany {
        private var minutes: [Int64: PairMinutes] = [:]
        /// Compared minutes of each block, as bits.
        private var compared: [ReadingBlock: UInt16] = [:]
        private var vectors: [ReadingBlock: BlockVectors] = [:]

        mutating func add(_ row: BlockCompany, of positive: SubjectPeriod, in block: ReadingBlock) {
            compared[block, default: 0] |= row.compared
            for other in row.others {
                let levels = other.levels.within(block, since: positive.since, until: positive.until)
                if !levels.isEmpty { minutes[other.subject, default: PairMinutes()].add(levels, in: block) }
            }
        }

        mutating func add(_ own: BlockVectors, in block: ReadingBlock) {
            vectors[block, default: BlockVectors()].merge(own)
        }

        subscript(block: ReadingBlock) -> BlockVectors? { vectors[block] }

        func company(of positives: [SubjectPeriod]) -> Company {
            var company = Company()
            company.minutes = minutes
            for (block, own) in vectors {
                for (minute, vector) in own.minutes.enumerated() where !vector.isEmpty {
                    let start = block.start(ofMinute: minute)
                    guard positives.contains(where: { start < $0.until && start + 60 > $0.since }) else { continue }
                    company.heardMinutes += 1
                    if compared[block, default: 0] >> UInt16(minute) & 1 == 0 { company.uncomparedMinutes += 1 }
                }
            }
            company.compared = Set(
                compared.filter { block, minutes in
                    let heard = vectors[block]?.heardMinutes ?? 0
                    return heard > 0 && 2 * minutes.nonzeroBitCount >= heard
                }.keys)
            company.vectors = vectors
            return company
        }
    }

    /// The vectors of subjects in some blocks, and the receivers that listened then.
    struct BlockEvidence: Sendable {
        var vectors: [Int64: BlockVectors] = [:]
        /// The listening receivers in each minute of the block.
        var listening: [MinuteListening] = []
    }

    /// Returns the subjects of encounters that no receiver hears: phones that report beacons themselves.
    ///
    /// - Throws: `StoreError`.
    func phones(among encounters: [Encounter]) throws -> Set<Int64> {
        let numbers = Set(encounters.flatMap { [$0.positive.subject, $0.other.subject] })
        return Set(try subjects(numbers).filter { $0.value.kind == SubjectIdentity.phone }.keys)
    }

    /// Returns the evidence for an explanation.
    ///
    /// - Parameters:
    ///   - subjects: the subjects by block.
    ///   - positive: the vectors of the person who reported; listening receivers are looked up in the buildings that
    ///     heard them.
    /// - Throws: `StoreError`.
    func evidence(
        of subjects: [ReadingBlock: Set<Int64>], with positive: [ReadingBlock: BlockVectors]
    ) throws -> [ReadingBlock: BlockEvidence] {
        try database.read { session in
            let unsettled = try session.unsettledBlocks()
            let directory = try ReceiverDirectory(session)
            var evidence: [ReadingBlock: BlockEvidence] = [:]
            for (block, subjects) in subjects.sorted(by: { $0.key < $1.key }) {
                var contents = BlockContents(directory)
                if unsettled.contains(block) {
                    contents = try UnsettledBlock(block, directory, session).contents
                    contents.vectors = contents.vectors.filter { subjects.contains($0.key) }
                }
                try contents.add(vectorsOf: subjects, block, session)
                try contents.add(
                    listeningOf: block, by: directory.neighbours(of: positive[block]?.receivers ?? []), session)
                contents.limit()
                evidence[block] = BlockEvidence(
                    vectors: contents.vectors, listening: MinuteListening.minutes(contents.receivers))
            }
            return evidence
        }
    }

    /// Returns the receivers that listened in each minute of some blocks, on the floors that heard the subjects. A
    /// subject's computed position depends on no other floors.
    ///
    /// - Parameters:
    ///   - vectors: the vectors of the subjects.
    ///   - onlyImpaired: whether to return only blocks in which a receiver was deaf or had a wrong clock.
    /// - Throws: `StoreError`.
    func listening(
        in blocks: Set<ReadingBlock>, with vectors: [ReadingBlock: BlockVectors], onlyImpaired: Bool
    ) throws -> [ReadingBlock: [MinuteListening]] {
        try database.read { session in
            let unsettled = try session.unsettledBlocks()
            let directory = try ReceiverDirectory(session)
            var contents: [ReadingBlock: BlockContents] = [:]
            var keys: [Int64] = []
            for block in blocks.sorted() {
                let neighbours = directory.floorNeighbours(of: vectors[block]?.receivers ?? [])
                if unsettled.contains(block) {
                    try contents[block, default: BlockContents(directory)]
                        .add(listeningOfUnsettled: block, by: neighbours, session)
                }
                keys += session.keys(neighbours, of: block)
            }
            var settled: [(key: ReadingKey, listening: BlockListening)] = []
            try session.rows("listening", keys) { row in
                guard let listening = BlockListening(packed: row.blob(1)) else { return }
                settled.append((ReadingKey(rawValue: row.integer(0)), listening))
            }
            // In most blocks no receiver is impaired.
            var wanted = blocks
            if onlyImpaired {
                wanted = Set(settled.lazy.filter(\.listening.isImpaired).map(\.key.block))
                for (block, contents) in contents where contents.isImpaired { wanted.insert(block) }
            }
            if wanted.isEmpty { return [:] }
            for (key, listening) in settled where wanted.contains(key.block) {
                contents[key.block, default: BlockContents(directory)].add(listening, of: key.number)
            }
            return contents.filter { wanted.contains($0.key) }.mapValues { MinuteListening.minutes($0.receivers) }
        }
    }

    /// Returns the names of receivers by their numbers.
    ///
    /// - Throws: `StoreError`.
    package func receiverNames(_ numbers: Set<Int64>) throws -> [Int64: ReceiverName] {
        try database.read { session in
            var names: [Int64: ReceiverName] = [:]
            for number in numbers.sorted() {
                names[number] = try session.receiverName(number)
            }
            return names
        }
    }

    /// Returns the floors of all receivers, whether they listened or not.
    ///
    /// - Throws: `StoreError`.
    func receiverFloors() throws -> ListeningFloors {
        try database.read { session in ListeningFloors(try ReceiverDirectory(session).places) }
    }

    /// Returns the places of receivers, by the receivers' numbers.
    ///
    /// - Throws: `StoreError`.
    func receiverPlaces() throws -> [Int64: Int64] {
        try database.read { session in
            var places: [Int64: Int64] = [:]
            try session.query("SELECT id, place FROM receiver") { places[$0.integer(0)] = $0.integer(1) }
            return places
        }
    }
}

extension SQLSession {
    /// Returns the blocks with readings that are not settled.
    func unsettledBlocks() throws -> Set<ReadingBlock> {
        var blocks: Set<ReadingBlock> = []
        try query("SELECT DISTINCT block FROM reading") { blocks.insert(ReadingBlock(number: $0.integer(0))) }
        return blocks
    }

    /// Returns the range from the first to the last block with readings.
    func readingBlocks(_ unsettled: Set<ReadingBlock>) throws -> ClosedRange<ReadingBlock>? {
        var blocks = unsettled
        for end in ["min", "max"] {
            let key = try first("SELECT \(end)(id) FROM listening") { $0.optionalInteger(0) } ?? nil
            if let key { blocks.insert(ReadingKey(rawValue: key).block) }
        }
        guard let first = blocks.min(), let last = blocks.max() else { return nil }
        return first...last
    }
}

extension SubjectPeriod {
    /// Returns the blocks of the period that matters, as far as there are readings.
    fileprivate func blocks(within known: ClosedRange<ReadingBlock>) -> ClosedRange<ReadingBlock>? {
        let first = max(known.lowerBound, ReadingBlock(containing: max(0, since)))
        let last = min(known.upperBound, ReadingBlock(containing: max(0, until)))
        return first <= last ? first...last : nil
    }
}
