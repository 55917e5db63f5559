public import Matching

extension InteractionStore {
    /// Who looked like somebody, and when that could be told.
    public struct Company: Equatable, Sendable {
        /// Minutes together by the other subject, within the times that were asked for.
        public var minutes: [Int64: PairMinutes] = [:]
        /// Blocks in which the subject could be compared with others in at least half of the minutes in which it was heard.
        public var compared: Set<ReadingBlock> = []
        /// Minutes in which some receiver heard the subject.
        public var vectors: [ReadingBlock: BlockVectors] = [:]
        /// Minutes, within the times that were asked for, in which some receiver heard the subject, and those of them in which
        /// it couldn't be compared with all others.
        public var heardMinutes = 0
        public var uncomparedMinutes = 0

        public init() {}
    }

    /// The minutes together of subjects of one person: settled ones, and those of readings that aren't settled yet.
    ///
    /// - Parameter positives: with the times that matter of each.
    /// - Throws: `StoreError`.
    public func company(of positives: [Positive]) throws -> Company {
        let fixed = try fixedSubjects(since: positives.map(\.since).min() ?? 0)
        return try database.read { session in
            let unsettled = try session.unsettledBlocks()
            guard let known = try session.readingBlocks(unsettled) else { return Company() }
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
                var contents = try UnsettledBlock(block, session).contents
                guard concerned.contains(where: { contents.vectors[$0.subject] != nil }) || found.isHeard(in: block)
                else {
                    continue
                }
                try contents.add(settledOf: block, session)
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

    /// Collects the company of the devices of one person.
    private struct FoundCompany {
        private var minutes: [Int64: [PairMinutes.Minute]] = [:]
        /// Bits of the minutes.
        private var compared: [ReadingBlock: UInt16] = [:]
        private var vectors: [ReadingBlock: BlockVectors] = [:]

        mutating func add(_ row: BlockCompany, of positive: Positive, in block: ReadingBlock) {
            compared[block, default: 0] |= row.compared
            for other in row.others {
                for (minute, level) in other.levels.enumerated() where level > .none {
                    let start = block.start(ofMinute: minute)
                    guard start >= positive.since, start < positive.until else { continue }
                    minutes[other.subject, default: []].append(.init(start: start, level: level))
                }
            }
        }

        mutating func add(_ own: BlockVectors, in block: ReadingBlock) {
            vectors[block, default: BlockVectors()].merge(own)
        }

        func isHeard(in block: ReadingBlock) -> Bool { vectors[block] != nil }

        func company(of positives: [Positive]) -> Company {
            var company = Company()
            company.minutes = minutes.mapValues { PairMinutes($0) }
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

    /// The vectors of subjects in some blocks, and who listened then.
    public struct BlockEvidence: Sendable {
        public var vectors: [Int64: BlockVectors] = [:]
        /// Receivers by their numbers.
        public var receivers: [Int64: Receiver] = [:]

        public struct Receiver: Sendable {
            public var path: String
            /// The number of its place.
            public var place: Int64
            public var listening: BlockListening
            var location: ListeningFloors.Place
        }

        /// Who listened in a minute, 0 to 14.
        public func floors(inMinute minute: Int) -> ListeningFloors {
            ListeningFloors(
                receivers.filter { $0.value.listening.listened(inMinute: minute) }.mapValues(\.location))
        }

        /// Receivers that published readings in the block and were deaf in a minute, by floor.
        public func deaf(inMinute minute: Int) -> [Int64: [Int64]] {
            let deaf = receivers.filter { !$0.value.listening.listened(inMinute: minute) }
            return Dictionary(grouping: deaf.keys.sorted()) { deaf[$0]?.location.floor ?? 0 }
        }

        public func unsynchronized(inMinute minute: Int) -> Set<Int64> {
            Set(receivers.filter { !$0.value.listening.isSynchronized(inMinute: minute) }.keys)
        }
    }

    /// Subjects of encounters that no receiver hears: phones that report beacons themselves.
    ///
    /// - Throws: `StoreError`.
    public func phones(among encounters: [Encounter]) throws -> Set<Int64> {
        let numbers = Set(encounters.flatMap { [$0.positive.subject, $0.other.subject] })
        return Set(try subjects(numbers).filter { $0.value.kind == SubjectIdentity.phone }.keys)
    }

    /// What an explanation rests on.
    ///
    /// - Parameter subjects: by block.
    /// - Throws: `StoreError`.
    public func evidence(of subjects: [ReadingBlock: Set<Int64>]) throws -> [ReadingBlock: BlockEvidence] {
        try database.read { session in
            let unsettled = try session.unsettledBlocks()
            var places: [Int64: (path: String, place: Int64)] = [:]
            try session.query("SELECT id, path, place FROM receiver") { row in
                places[row.integer(0)] = (row.text(1) ?? "", row.integer(2))
            }
            var evidence: [ReadingBlock: BlockEvidence] = [:]
            for (block, subjects) in subjects.sorted(by: { $0.key < $1.key }) {
                var contents = unsettled.contains(block) ? try UnsettledBlock(block, session).contents : BlockContents()
                contents.vectors = contents.vectors.filter { subjects.contains($0.key) }
                try contents.add(vectorsOf: subjects, block, session)
                try contents.add(listeningOf: block, session)
                contents.limit()
                var one = BlockEvidence(vectors: contents.vectors)
                for (receiver, value) in contents.receivers {
                    guard let place = places[receiver] else { continue }
                    one.receivers[receiver] = .init(
                        path: place.path, place: place.place, listening: value.listening, location: value.place)
                }
                evidence[block] = one
            }
            return evidence
        }
    }

    /// What a receiver is called.
    public struct ReceiverName: Equatable, Sendable {
        /// `site/building/floor/gateway`, with an ear after it.
        public var path: String
        public var room: String?
    }

    /// The names of receivers by their numbers.
    ///
    /// - Throws: `StoreError`.
    public func receiverNames(_ numbers: Set<Int64>) throws -> [Int64: ReceiverName] {
        try database.read { session in
            var names: [Int64: ReceiverName] = [:]
            for number in numbers.sorted() {
                names[number] = try session.receiverName(number)
            }
            return names
        }
    }

    /// Where all receivers are, whether they listened or not.
    ///
    /// - Throws: `StoreError`.
    public func receiverFloors() throws -> ListeningFloors {
        try database.read { session in
            var contents = BlockContents()
            for (receiver, path) in try session.receiverPaths() { contents.add(receiver, path: path, BlockListening()) }
            return ListeningFloors(contents.receivers.mapValues(\.place))
        }
    }

    /// The places of receivers, by the receivers' numbers.
    ///
    /// - Throws: `StoreError`.
    public func receiverPlaces() throws -> [Int64: Int64] {
        try database.read { session in
            var places: [Int64: Int64] = [:]
            try session.query("SELECT id, place FROM receiver") { places[$0.integer(0)] = $0.integer(1) }
            return places
        }
    }
}

extension SQLSession {
    /// Blocks with readings that aren't settled.
    func unsettledBlocks() throws -> Set<ReadingBlock> {
        var blocks: Set<ReadingBlock> = []
        try query("SELECT DISTINCT block FROM reading") { blocks.insert(ReadingBlock(number: $0.integer(0))) }
        return blocks
    }

    /// From the first block to the last of which there are readings.
    fileprivate func readingBlocks(_ unsettled: Set<ReadingBlock>) throws -> ClosedRange<ReadingBlock>? {
        var blocks = unsettled
        for end in ["min", "max"] {
            let key = try first("SELECT \(end)(id) FROM listening") { $0.optionalInteger(0) } ?? nil
            if let key { blocks.insert(ReadingKey(rawValue: key).block) }
        }
        guard let first = blocks.min(), let last = blocks.max() else { return nil }
        return first...last
    }
}

extension InteractionStore.Positive {
    /// The blocks of the time that matters, as far as there are readings.
    fileprivate func blocks(within known: ClosedRange<ReadingBlock>) -> ClosedRange<ReadingBlock>? {
        let first = max(known.lowerBound, ReadingBlock(containing: max(0, since)))
        let last = min(known.upperBound, ReadingBlock(containing: max(0, until)))
        return first <= last ? first...last : nil
    }
}
