import Matching

/// The contents of a block: who was heard by whom, and who listened.
struct BlockContents {
    var vectors: [Int64: BlockVectors] = [:]
    var receivers: [Int64: BlockComputation.Receiver] = [:]
    /// Paths of receivers by their numbers.
    var paths: [Int64: String] = [:]
    private var floors: [String: Int64] = [:]

    mutating func add(_ receiver: Int64, path: String, _ listening: BlockListening) {
        if receivers[receiver] == nil {
            // Any number will do that is the same for one floor.
            let floor = Self.floor(of: path)
            let number = floors[floor] ?? Int64(floors.count)
            floors[floor] = number
            receivers[receiver] = .init(floor: number, listening: BlockListening())
            paths[receiver] = path
        }
        receivers[receiver]?.listening.merge(listening)
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

    /// Adds what was settled of a block.
    ///
    /// - Parameter building: `site/building`; all of them without.
    /// - Returns: whether there was something.
    @discardableResult
    mutating func add(
        settledOf block: ReadingBlock, building: String? = nil, _ session: any SQLSession
    ) throws -> Bool {
        var listening: [(Int64, BlockListening)] = []
        let bounds = InteractionStore.bounds(block)
        try session.query("SELECT id, content FROM listening WHERE id >= $1 AND id < $2", bounds) { row in
            guard let value = BlockListening(packed: row.blob(1)) else { return }
            listening.append((ReadingKey(rawValue: row.integer(0)).number, value))
        }
        let paths = try session.receiverPaths()
        var isSettled = false
        for (receiver, value) in listening {
            guard let path = paths[receiver], building == nil || Self.building(of: path) == building else { continue }
            isSettled = true
            add(receiver, path: path, value)
        }
        guard isSettled else { return false }
        try session.query("SELECT id, content FROM vectors WHERE id >= $1 AND id < $2", bounds) { row in
            let subject = ReadingKey(rawValue: row.integer(0)).number
            guard let value = BlockVectors(packed: row.blob(1)) else { return }
            if building == nil || vectors[subject] != nil || value.isHeard(by: { receivers[$0] != nil }) {
                add(value, of: subject)
            }
        }
        return true
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
            guard let content = ReadingRow(packed: row.blob(4)) else { return }
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
