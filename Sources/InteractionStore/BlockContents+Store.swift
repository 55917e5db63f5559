import Evidence
import Matching

extension BlockContents {
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
