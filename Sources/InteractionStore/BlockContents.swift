import Matching

/// The contents of a block: the subjects with the receivers that heard them, and the receivers that listened.
struct BlockContents {
    let directory: ReceiverDirectory
    var vectors: [Int64: BlockVectors] = [:]
    private var listening: [Int64: BlockListening] = [:]

    init(_ directory: ReceiverDirectory) { self.directory = directory }

    /// The receivers by their numbers.
    var receivers: [Int64: BlockComputation.Receiver] {
        listening.reduce(into: [:]) { receivers, receiver in
            guard let entry = directory[receiver.key] else { return }
            receivers[receiver.key] = .init(entry.place, listening: receiver.value)
        }
    }

    /// Returns how the listening of the given receivers differs from what was known.
    func change(of receivers: Set<Int64>, from known: [Int64: BlockListening]) -> ListeningChange {
        ListeningChange(from: known, to: self.receivers.filter { receivers.contains($0.key) })
    }

    /// Whether any receiver was deaf in a minute, or had a wrong clock.
    var isImpaired: Bool { listening.values.contains(where: \.isImpaired) }

    /// Names of the receivers' floors, by the receivers' numbers.
    var floors: [Int64: String] {
        listening.reduce(into: [:]) { $0[$1.key] = directory[$1.key]?.floor }
    }

    /// Returns the listening receivers of some buildings.
    ///
    /// - Parameter buildings: `site/building`.
    func receivers(ofBuildings buildings: Set<String>) -> Set<Int64> {
        Set(listening.keys.filter { directory[$0].map { buildings.contains($0.building) } ?? false })
    }

    func buildings(ofFloors floors: Set<Int64>) -> Set<String> {
        Set(
            listening.keys.compactMap { directory[$0] }.filter { floors.contains($0.place.floor) }.map(\.building))
    }

    /// Drops subjects of a gateway beyond what any gateway can hear, and receivers where a subject has too many. What
    /// is kept is what is compared.
    mutating func limit() {
        if vectors.count > BlockCeilings.most { limitSubjects() }
        let standings = BlockVectors.Standings(
            listening.keys.reduce(into: [:]) { standings, receiver in
                guard let entry = directory[receiver] else { return }
                standings[receiver] = .init(gateway: entry.place.gateway, order: entry.order)
            })
        for subject in vectors.keys { vectors[subject]?.limit(standings) }
    }

    private mutating func limitSubjects() {
        var ceilings = BlockCeilings()
        for (subject, vectors) in vectors {
            for receiver in vectors.receivers {
                if let gateway = directory[receiver]?.place.gateway { ceilings.add(subject, of: gateway) }
            }
        }
        ceilings.close()
        guard ceilings.isNeeded else { return }
        for (subject, heard) in vectors {
            let kept = heard.receivers.filter { receiver in
                directory[receiver].map { ceilings.admits(subject, of: $0.place.gateway) } ?? true
            }
            if kept.isEmpty {
                vectors[subject] = nil
            } else if kept.count < heard.receivers.count {
                vectors[subject]?.keep(kept)
            }
        }
    }

    private mutating func add(_ receiver: Int64, _ listening: BlockListening) {
        self.listening[receiver, default: BlockListening()].merge(listening)
    }

    mutating func add(_ row: ReadingRow, receiver: Int64) {
        var listening = BlockListening()
        let minutes = row.minuteNumbers
        for minute in minutes {
            listening.add(seconds: row.listened, clockIsSynchronized: row.clockIsSynchronized, inMinute: minute)
        }
        add(receiver, listening)
        for (subject, code) in row.subjects {
            vectors[subject, default: BlockVectors()].add(Hearing(receiver: receiver, code: code), inMinutes: minutes)
        }
    }

    /// Adds the stored listening of receivers.
    ///
    /// - Parameter receivers: only these receivers; `nil`: all.
    mutating func add(
        listeningOf block: ReadingBlock, by receivers: Set<Int64>? = nil, _ session: any SQLSession
    ) throws {
        if let receivers {
            try session.rows("listening", session.keys(receivers, of: block)) { add(listening: $0) }
        } else {
            try session.query(
                "SELECT id, content FROM listening WHERE id >= $1 AND id < $2", InteractionStore.bounds(block)
            ) { add(listening: $0) }
        }
    }

    /// Adds the listening of receivers from readings that are not settled.
    mutating func add(
        listeningOfUnsettled block: ReadingBlock, by receivers: Set<Int64>, _ session: any SQLSession
    ) throws {
        try session.readings(of: block) { receiver, bytes in
            guard receivers.contains(receiver), let content = ReadingRow(packed: bytes, { _ in false }) else { return }
            add(content, receiver: receiver)
        }
    }

    /// Adds the listening of a receiver.
    ///
    /// - Parameter row: the key, and how the receiver listened.
    mutating func add(listening row: SQLRow) {
        guard let value = BlockListening(packed: row.blob(1)) else { return }
        add(value, of: ReadingKey(rawValue: row.integer(0)).number)
    }

    mutating func add(_ listening: BlockListening, of receiver: Int64) {
        if directory[receiver] != nil { add(receiver, listening) }
    }

    /// Adds the settled contents of a block.
    ///
    /// - Parameter receivers: only subjects that one of these heard; `nil`: all subjects.
    mutating func add(
        settledOf block: ReadingBlock, heardBy receivers: Set<Int64>? = nil, _ session: any SQLSession
    ) throws {
        if receivers == nil { try add(listeningOf: block, session) }
        try session.query(
            "SELECT id, content FROM vectors WHERE id >= $1 AND id < $2", InteractionStore.bounds(block)
        ) { row in
            let subject = ReadingKey(rawValue: row.integer(0)).number
            guard let value = BlockVectors(packed: row.blob(1)) else { return }
            if let receivers, vectors[subject] == nil, !value.isHeard(by: receivers.contains) { return }
            add(value, of: subject)
        }
    }

    /// Adds the settled vectors of some subjects.
    mutating func add(vectorsOf subjects: Set<Int64>, _ block: ReadingBlock, _ session: any SQLSession) throws {
        try session.rows("vectors", session.keys(subjects, of: block)) { row in
            guard let value = BlockVectors(packed: row.blob(1)) else { return }
            add(value, of: ReadingKey(rawValue: row.integer(0)).number)
        }
    }

    private mutating func add(_ value: BlockVectors, of subject: Int64) {
        // There is nearly always nothing to merge with.
        if vectors[subject]?.merge(value) == nil { vectors[subject] = value }
    }
}

/// The readings of a block that are not settled.
struct UnsettledBlock {
    var contents: BlockContents
    var subjects: Set<Int64> { Set(contents.vectors.keys) }
    /// Receiver, boot and sequence of each reading.
    var keys: [[Int64]] = []

    /// Reads the unsettled readings of a block.
    ///
    /// - Parameter building: `site/building`; `nil`: all buildings.
    init(
        _ block: ReadingBlock, building: String? = nil, _ directory: ReceiverDirectory, _ session: any SQLSession
    ) throws {
        contents = BlockContents(directory)
        let here = building.map { directory.receivers(ofBuilding: $0).map(String.init).joined(separator: ", ") }
        var rows: [(receiver: Int64, content: [UInt8])] = []
        try session.query(
            "SELECT receiver, boot, sequence, content FROM reading WHERE block = \(block.number)"
                + (here.map { " AND receiver IN (\($0))" } ?? ""), [], keepsStatement: false
        ) { row in
            guard directory[row.integer(0)] != nil else { return }
            keys.append([row.integer(0), row.integer(1), row.integer(2)])
            // Skips invalid rows from other writers.
            guard ReadingKey.isNumber(row.integer(0)) else { return }
            rows.append((row.integer(0), row.blob(3)))
        }
        let ceilings = directory.ceilings(rows)
        for (receiver, bytes) in rows {
            if let content = directory.row(bytes, of: receiver, within: ceilings) {
                contents.add(content, receiver: receiver)
            }
        }
    }
}

extension BlockContents {
    /// Reads everything that decides who was with some subjects in a block that is not settled: the readings of all
    /// subjects heard in the buildings that heard these.
    ///
    /// - Parameter vectors: the settled vectors of these subjects.
    init(
        unsettled block: ReadingBlock, around subjects: Set<Int64>, settled vectors: BlockVectors?,
        _ directory: ReceiverDirectory, _ session: any SQLSession
    ) throws {
        self.init(directory)
        var rows: [(receiver: Int64, content: [UInt8])] = []
        var hearing = vectors?.receivers ?? []
        let subjects = NumberSet(subjects)
        try session.readings(of: block) { receiver, content in
            guard directory[receiver] != nil else { return }
            rows.append((receiver, content))
            if !hearing.contains(receiver), ReadingRow(packed: content, subjects.contains)?.subjects.isEmpty == false {
                hearing.insert(receiver)
            }
        }
        let here = directory.neighbours(of: hearing)
        let ceilings = directory.ceilings(rows)
        for row in rows where here.contains(row.receiver) {
            if let content = directory.row(row.content, of: row.receiver, within: ceilings) {
                add(content, receiver: row.receiver)
            }
        }
        // A subject heard in several buildings is in the one that heard it loudest, so the receivers of all buildings
        // are considered.
        let known = NumberSet(Set(self.vectors.keys))
        for row in rows where !here.contains(row.receiver) {
            if let content = directory.row(row.content, of: row.receiver, within: ceilings, known.contains) {
                add(content, receiver: row.receiver)
            }
        }
        try add(listeningOf: block, session)
        try add(settledOf: block, heardBy: here, session)
    }
}

extension ReceiverDirectory {
    /// Reads a row, without subjects beyond those that its gateway can plausibly have heard.
    fileprivate func row(
        _ packed: [UInt8], of receiver: Int64, within ceilings: BlockCeilings,
        _ isWanted: (Int64) -> Bool = { _ in true }
    ) -> ReadingRow? {
        guard ceilings.isNeeded, let gateway = self[receiver]?.place.gateway else {
            return ReadingRow(packed: packed, isWanted)
        }
        return ReadingRow(packed: packed) { ceilings.admits($0, of: gateway) && isWanted($0) }
    }

    /// Finds the greatest subject number that counts for each gateway.
    ///
    /// - Parameter rows: packed rows of readings of one block.
    fileprivate func ceilings(_ rows: [(receiver: Int64, content: [UInt8])]) -> BlockCeilings {
        var ceilings = BlockCeilings()
        var bytes: [Int64: Int] = [:]
        for (receiver, content) in rows {
            if let gateway = self[receiver]?.place.gateway { bytes[gateway, default: 0] += content.count }
        }
        // A subject takes at least three bytes.
        for (receiver, content) in rows {
            guard let gateway = self[receiver]?.place.gateway, bytes[gateway] ?? 0 > 3 * BlockCeilings.most,
                let row = ReadingRow(packed: content)
            else { continue }
            for subject in row.subjects { ceilings.add(subject.number, of: gateway) }
        }
        ceilings.close()
        return ceilings
    }
}

extension SQLSession {
    func keys(_ numbers: some Sequence<Int64>, of block: ReadingBlock) -> [Int64] {
        numbers.map { ReadingKey(block, $0).rawValue }.sorted()
    }

    /// Reads rows of a table of readings by their keys: keys and contents.
    ///
    /// - Parameter keys: ascending, without duplicates.
    func rows(_ table: String, _ keys: [Int64], _ body: (SQLRow) throws -> Void) throws {
        try rows(of: table, in: Self.ranges(keys), body)
    }

    /// Returns the keys as ranges, with consecutive keys in one range.
    private static func ranges(_ keys: [Int64]) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        for key in keys {
            if let last = ranges.last, last.upperBound == key - 1 {
                ranges[ranges.count - 1] = last.lowerBound...key
            } else {
                ranges.append(key...key)
            }
        }
        return ranges
    }

    /// Reads the readings of a block that are not settled: the receiver and content of each.
    fileprivate func readings(of block: ReadingBlock, _ body: (Int64, [UInt8]) -> Void) throws {
        try query("SELECT receiver, content FROM reading WHERE block = $1", [.integer(block.number)]) { row in
            // Skips invalid rows from other writers.
            if ReadingKey.isNumber(row.integer(0)) { body(row.integer(0), row.blob(1)) }
        }
    }

    /// Deletes readings of a block by their receivers, boots and sequences; consecutive sequences in one statement.
    func deleteReadings(_ keys: [[Int64]], of block: ReadingBlock) throws {
        var runs: [(first: [Int64], last: [Int64])] = []
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            if let last = runs.last?.last, last[0] == key[0], last[1] == key[1], last[2] &+ 1 == key[2] {
                runs[runs.count - 1].last = key
            } else {
                runs.append((key, key))
            }
        }
        for run in runs {
            try execute(
                "DELETE FROM reading WHERE block = $1 AND receiver = $2 AND boot = $3 AND sequence BETWEEN $4 AND $5",
                ([block.number] + run.first + [run.last[2]]).map { .integer($0) })
        }
    }
}
