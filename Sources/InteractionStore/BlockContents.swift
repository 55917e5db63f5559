import Matching

/// The contents of a block: who was heard by whom, and who listened.
struct BlockContents {
    var vectors: [Int64: BlockVectors] = [:]
    /// Paths of receivers by their numbers.
    private(set) var paths: [Int64: String] = [:]
    private var listening: [Int64: BlockListening] = [:]

    /// The receivers by their numbers. Floors and gateways have numbers in the order of their paths, so that nothing depends on
    /// which came first.
    var receivers: [Int64: BlockComputation.Receiver] {
        let floors = Self.numbers(paths.values.map(Self.floor))
        let gateways = Self.numbers(paths.values.map(Self.gateway))
        return paths.reduce(into: [:]) { receivers, receiver in
            let place = ListeningFloors.Place(
                floor: floors[Self.floor(of: receiver.value)] ?? 0,
                gateway: gateways[Self.gateway(of: receiver.value)] ?? 0)
            receivers[receiver.key] = .init(place, listening: listening[receiver.key] ?? BlockListening())
        }
    }

    /// - Parameter buildings: `site/building`.
    func receivers(ofBuildings buildings: Set<String>) -> Set<Int64> {
        Set(paths.filter { buildings.contains(Self.building(of: $0.value)) }.keys)
    }

    func buildings(ofFloors floors: Set<Int64>) -> Set<String> {
        let receivers = receivers
        return Set(
            paths.filter { receivers[$0.key].map { floors.contains($0.place.floor) } ?? false }.values
                .map(Self.building))
    }

    private static func numbers(_ names: [String]) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: Set(names).sorted().enumerated().map { ($1, Int64($0)) })
    }

    /// Leaves receivers out where a subject has too many: what is kept is what is compared.
    mutating func limit() {
        let gateways = Self.numbers(paths.values.map(Self.gateway))
        let orders = Self.numbers(Array(paths.values))
        let standings = paths.mapValues { path in
            BlockVectors.Standing(gateway: gateways[Self.gateway(of: path)] ?? 0, order: orders[path] ?? 0)
        }
        for subject in vectors.keys { vectors[subject]?.limit(standings) }
    }

    mutating func add(_ receiver: Int64, path: String, _ listening: BlockListening) {
        paths[receiver] = path
        self.listening[receiver, default: BlockListening()].merge(listening)
    }

    mutating func add(_ row: ReadingRow, receiver: Int64, path: String) {
        var listening = BlockListening()
        let minutes = row.minuteNumbers
        for minute in minutes {
            listening.add(seconds: row.listened, clockIsSynchronized: row.clockIsSynchronized, inMinute: minute)
        }
        add(receiver, path: path, listening)
        for (subject, code) in row.subjects {
            vectors[subject, default: BlockVectors()].add(Hearing(receiver: receiver, code: code), inMinutes: minutes)
        }
    }

    /// Adds who is known to have listened.
    mutating func add(listeningOf block: ReadingBlock, _ session: any SQLSession) throws {
        let paths = try session.receiverPaths()
        try session.query(
            "SELECT id, content FROM listening WHERE id >= $1 AND id < $2", InteractionStore.bounds(block)
        ) { row in
            let receiver = ReadingKey(rawValue: row.integer(0)).number
            guard let value = BlockListening(packed: row.blob(1)), let path = paths[receiver] else { return }
            add(receiver, path: path, value)
        }
    }

    /// Adds what was settled of a block.
    ///
    /// - Parameter receivers: only of subjects that one of them heard; `nil`: of everybody.
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

    /// Adds what was settled of some subjects.
    mutating func add(vectorsOf subjects: Set<Int64>, _ block: ReadingBlock, _ session: any SQLSession) throws {
        try session.rows("vectors", session.keys(subjects, of: block)) { row in
            guard let value = BlockVectors(packed: row.blob(1)) else { return }
            add(value, of: ReadingKey(rawValue: row.integer(0)).number)
        }
    }

    private mutating func add(_ value: BlockVectors, of subject: Int64) {
        vectors[subject, default: BlockVectors()].merge(value)
    }

    static func building(of path: String) -> String { path.split(separator: "/").prefix(2).joined(separator: "/") }

    /// A gateway and its ears are one: `site/building/floor/gateway`.
    static func gateway(of path: String) -> String {
        path.split(separator: "/").prefix(4).joined(separator: "/")
    }

    /// The site, building and floor of a receiver: by its topic, which no other gateway can use.
    static func floor(of path: String) -> String {
        path.split(separator: "/").prefix(3).joined(separator: "/")
    }
}

/// The readings of a block that aren't settled.
struct UnsettledBlock {
    var contents = BlockContents()
    var subjects: Set<Int64> = []
    /// Receiver, boot and sequence of each.
    var keys: [[Int64]] = []

    /// - Parameter building: `site/building`; all of them without.
    init(_ block: ReadingBlock, building: String? = nil, _ session: any SQLSession) throws {
        try session.query(
            "SELECT d.receiver, d.boot, d.sequence, r.path, d.content FROM reading d JOIN receiver r ON r.id = d.receiver "
                + "WHERE d.block = $1", [.integer(block.number)]
        ) { row in
            guard let path = row.text(3), building == nil || BlockContents.building(of: path) == building else {
                return
            }
            keys.append([row.integer(0), row.integer(1), row.integer(2)])
            // Whatever somebody else wrote to the database is passed over.
            guard (0...ReadingKey.largestNumber).contains(row.integer(0)), let content = ReadingRow(packed: row.blob(4))
            else { return }
            contents.add(content, receiver: row.integer(0), path: path)
            subjects.formUnion(content.subjects.lazy.map(\.number))
        }
    }
}

extension SQLSession {
    func keys(_ numbers: some Sequence<Int64>, of block: ReadingBlock) -> [Int64] {
        numbers.map { ReadingKey(block, $0).rawValue }.sorted()
    }

    /// Keys in one statement.
    private var mostKeys: Int { 500 }

    /// Rows of a table of readings by their keys: their keys and contents.
    func rows(_ table: String, _ keys: [Int64], _ body: (SQLRow) throws -> Void) throws {
        for start in stride(from: 0, to: keys.count, by: mostKeys) {
            let list = keys[start..<min(start + mostKeys, keys.count)].map(String.init).joined(separator: ", ")
            try query(
                "SELECT id, content FROM \(table) WHERE id IN (\(list))", [], keepsStatement: false, body)
        }
    }

    /// The paths of all receivers by their numbers.
    func receiverPaths() throws -> [Int64: String] {
        var paths: [Int64: String] = [:]
        try query("SELECT id, path FROM receiver") { paths[$0.integer(0)] = $0.text(1) ?? "" }
        return paths
    }
}
