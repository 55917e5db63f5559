public import Matching

extension InteractionStore {
    /// Who looked like somebody, and when that could be told.
    public struct Company: Equatable, Sendable {
        /// Minutes together by the other subject, within the times that were asked for.
        public var minutes: [Int64: PairMinutes] = [:]
        /// Blocks in which the subject could be compared with others.
        public var compared: Set<ReadingBlock> = []
        /// Minutes in which some receiver heard the subject.
        public var vectors: [ReadingBlock: BlockVectors] = [:]

        public init() {}
    }

    /// The minutes together of subjects of one person: settled ones, and those of readings that aren't settled yet.
    ///
    /// - Parameter positives: with the times that matter of each.
    /// - Throws: `StoreError`.
    public func company(of positives: [Positive]) throws -> Company {
        let fixed = try fixedSubjects(since: positives.map(\.since).min() ?? 0)
        return try database.read { session in
            var company = Company()
            var minutes: [Int64: [PairMinutes.Minute]] = [:]
            let unsettled = try session.unsettledBlocks()
            for positive in positives {
                let span = try session.readingSpan(positive)
                let blocks = span.map { $0.lowerBound...$0.upperBound } ?? nil
                guard let blocks else { continue }
                let keys = (blocks.lowerBound.number...blocks.upperBound.number).map {
                    ReadingKey(ReadingBlock(number: $0), positive.subject).rawValue
                }
                func take(_ block: ReadingBlock, _ row: BlockCompany) {
                    if row.compared != 0 { company.compared.insert(block) }
                    for (other, levels) in row.levels {
                        for (minute, level) in levels.enumerated() where level > .none {
                            let start = block.start(ofMinute: minute)
                            guard start >= positive.since, start < positive.until else { continue }
                            minutes[other, default: []].append(.init(start: start, level: level))
                        }
                    }
                }
                try session.rows("company", keys) { row in
                    let block = ReadingKey(rawValue: row.integer(0)).block
                    guard !unsettled.contains(block), let content = BlockCompany(packed: row.blob(1)) else { return }
                    take(block, content)
                }
                try session.rows("vectors", keys) { row in
                    let block = ReadingKey(rawValue: row.integer(0)).block
                    guard let content = BlockVectors(packed: row.blob(1)) else { return }
                    company.vectors[block, default: BlockVectors()].merge(content)
                }
                for block in unsettled.sorted() where blocks.contains(block) {
                    var contents = try UnsettledBlock(block, session).contents
                    guard contents.vectors[positive.subject] != nil || company.vectors[block] != nil else { continue }
                    for building in Set(contents.paths.values.map { BlockContents.building(of: $0) }).sorted() {
                        try contents.add(settledOf: block, building: building, session)
                    }
                    if let own = contents.vectors[positive.subject] {
                        company.vectors[block, default: BlockVectors()].merge(own)
                    }
                    let computation = BlockComputation(receivers: contents.receivers, fixed: fixed)
                    let found = computation.company(of: [positive.subject], contents.vectors)
                    take(block, found[positive.subject] ?? BlockCompany())
                }
            }
            company.minutes = minutes.mapValues { PairMinutes($0) }
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
            var floor: Int64
        }

        /// Who listened in a minute, 0 to 14.
        public func floors(inMinute minute: Int) -> ListeningFloors {
            ListeningFloors(
                receivers.filter { $0.value.listening.listened(inMinute: minute) }.mapValues(\.floor))
        }

        /// Receivers that were deaf in a minute and listened in another of the block, by floor.
        public func deaf(inMinute minute: Int) -> [Int64: [Int64]] {
            let deaf = receivers.filter { receiver in
                !receiver.value.listening.listened(inMinute: minute)
                    && (0..<ReadingBlock.minutes).contains { receiver.value.listening.listened(inMinute: $0) }
            }
            return Dictionary(grouping: deaf.keys.sorted()) { deaf[$0]?.floor ?? 0 }
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
                try session.query(
                    "SELECT id, content FROM listening WHERE id >= $1 AND id < $2", Self.bounds(block)
                ) { row in
                    let receiver = ReadingKey(rawValue: row.integer(0)).number
                    guard let value = BlockListening(packed: row.blob(1)), let path = places[receiver]?.path else {
                        return
                    }
                    contents.add(receiver, path: path, value)
                }
                var one = BlockEvidence(vectors: contents.vectors)
                for (receiver, value) in contents.receivers {
                    guard let place = places[receiver] else { continue }
                    one.receivers[receiver] = .init(
                        path: place.path, place: place.place, listening: value.listening, floor: value.floor)
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

    /// The blocks of a positive's time for which there can be readings.
    fileprivate func readingSpan(_ positive: InteractionStore.Positive) throws -> ClosedRange<ReadingBlock>? {
        let first = try first("SELECT min(id) FROM listening") { $0.optionalInteger(0) } ?? nil
        let last = try self.first("SELECT max(id) FROM listening") { $0.optionalInteger(0) } ?? nil
        let unsettled = try unsettledBlocks()
        var blocks = unsettled
        if let first, let last {
            blocks.insert(ReadingKey(rawValue: first).block)
            blocks.insert(ReadingKey(rawValue: last).block)
        }
        guard let earliest = blocks.min(), let latest = blocks.max() else { return nil }
        let since = max(earliest, ReadingBlock(containing: max(0, positive.since)))
        let until = min(latest, ReadingBlock(containing: max(0, positive.until)))
        return since <= until ? since...until : nil
    }
}
