import Evidence
package import Matching

extension InteractionStore {
    /// The result of settling readings.
    package struct Settling: Equatable, Sendable {
        /// Number of settled blocks, counted by building.
        package var blocks = 0
        /// Number of minutes in which a subject was heard.
        package var badgeMinutes = 0
        /// Receivers that claim too much and are not believed, by path.
        package var disbelieved: Set<String> = []
        /// Badge minutes that were not compared because too many subjects were on their floor.
        package var leftOut = 0
        /// Whether a building whose block was already settled was compared again.
        var isAnew = false

        package init() {}
    }

    /// Whether any readings can be settled.
    ///
    /// - Parameter time: only blocks that ended by then count, in seconds since 1970.
    /// - Throws: `StoreError`.
    package func hasUnsettledReadings(before time: Int64) throws -> Bool {
        try database.read { session in
            try session.first(
                "SELECT 1 FROM reading WHERE block < $1 LIMIT 1", [.integer(ReadingBlock(containing: time).number)]
            ) { _ in true } ?? false
        }
    }

    /// Computes vectors from the readings of one building in one block, and finds subjects with similar vectors. Late
    /// readings are added to the existing data: the same records give the same rows in whatever order they arrive.
    ///
    /// - Parameters:
    ///   - time: blocks that ended by then are settled, in the order of `SettlingOrder`; seconds since 1970.
    ///   - now: seconds since 1970.
    ///   - isBounded: whether readings that would cause too many repeated comparisons wait.
    /// - Returns: `nil` when there is nothing to settle, or everything waits.
    /// - Throws: `StoreError`.
    package func settleReadings(before time: Int64, now: Int64, isBounded: Bool = true) throws -> Settling? {
        let last = ReadingBlock(containing: time).number - 1
        let newestLate = min(last, SettlingOrder.newestLate(now: now))
        let fixed = try fixedSubjects(since: now - Self.day)
        return try storing { session in
            try session.lockSettling()
            let queue = SettlingQueue(
                directory: try ReceiverDirectory(session), fixed: fixed, now: now, isBounded: isBounded)
            for isLate in [settlingOrder.isTurnOfLate, !settlingOrder.isTurnOfLate] {
                let settling =
                    try isLate
                    ? settleLate(queue, upTo: newestLate, session)
                    : settleNewest(queue, from: last, downTo: newestLate + 1, looks: .max, session).settling
                if let settling {
                    settlingOrder.settled(isLate: isLate)
                    return settling
                }
            }
            return nil
        }
    }

    /// Values that are shared by all blocks examined in one search for something to settle.
    private struct SettlingQueue {
        var directory: ReceiverDirectory
        var fixed: Set<Int64>
        var now: Int64
        var isBounded: Bool
    }

    /// Settles the newest late block that need not wait. If many wait, the next search continues below them.
    private func settleLate(_ queue: SettlingQueue, upTo newest: Int64, _ session: any SQLSession) throws -> Settling? {
        let start = min(newest, settlingOrder.nextLate ?? newest)
        let looks = queue.isBounded ? SettlingOrder.mostLooks : .max
        var look = try settleNewest(queue, from: start, downTo: .min, looks: looks, session)
        if look.settling == nil, look.next == nil, start < newest {
            // At the end the search starts over.
            look = try settleNewest(queue, from: newest, downTo: start + 1, looks: looks, session)
        }
        if look.settling == nil { settlingOrder.nextLate = look.next }
        return look.settling
    }

    /// Settles the newest block of a range that need not wait.
    ///
    /// - Returns: `next`: the block at which to continue if there were too many to examine.
    private func settleNewest(
        _ queue: SettlingQueue, from last: Int64, downTo first: Int64, looks: Int, _ session: any SQLSession
    ) throws -> (settling: Settling?, next: Int64?) {
        var (next, count) = (last, 0)
        while next >= first {
            if count == looks { return (nil, next) }
            count += 1
            guard
                let number = try session.first(
                    "SELECT block FROM reading WHERE block <= $1 AND block >= $2 ORDER BY block DESC LIMIT 1",
                    [.integer(next), .integer(first)], { $0.integer(0) })
            else { break }
            if let settling = try settle(number, queue, session) { return (settling, nil) }
            if number == first { break }
            next = number - 1
        }
        return (nil, nil)
    }

    /// Settles one building's readings of a block; returns `nil` when all of them wait.
    private func settle(_ number: Int64, _ queue: SettlingQueue, _ session: any SQLSession) throws -> Settling? {
        let block = ReadingBlock(number: number)
        var waiting: [String: (gateways: Set<String>, isSilent: Bool)] = [:]
        try session.query(
            "SELECT receiver, CAST(max(length(content)) AS BIGINT) FROM reading WHERE block = $1 GROUP BY receiver",
            [.integer(number)]
        ) { row in
            guard let entry = queue.directory[row.integer(0)] else { return }
            waiting[entry.building, default: ([], true)].gateways.insert(ReceiverDirectory.gateway(of: entry.path))
            if row.integer(1) > Int64(ReadingRow.lengthOfNobody) { waiting[entry.building]?.isSilent = false }
        }
        guard !waiting.isEmpty, block.number == number else {
            // The readings come from a receiver that is no longer known, or from an impossible time.
            try session.execute("DELETE FROM reading WHERE block = $1", [.integer(number)])
            return Settling()
        }
        for (building, readings) in waiting.sorted(by: { $0.key < $1.key }) {
            let mayCompareAnew = !queue.isBounded || settlingOrder.admits(readings.gateways, now: queue.now)
            // Where no subject was heard there is nearly always nothing to compare.
            guard mayCompareAnew || readings.isSilent,
                let settling = try settle(
                    block, ofBuilding: building, queue.fixed, queue.directory, mayCompareAnew: mayCompareAnew, session)
            else { continue }
            if queue.isBounded, settling.isAnew { settlingOrder.countAnew(readings.gateways, now: queue.now) }
            return settling
        }
        return nil
    }

    /// Settles all blocks that ended by a given time; nothing waits.
    ///
    /// - Throws: `StoreError`.
    package func settleAllReadings(before time: Int64, now: Int64) throws -> Settling {
        var total = Settling()
        while let settling = try settleReadings(before: time, now: now, isBounded: false) {
            total.blocks += settling.blocks
            total.badgeMinutes += settling.badgeMinutes
            total.leftOut += settling.leftOut
            total.disbelieved.formUnion(settling.disbelieved)
        }
        return total
    }

    /// Returns the settled blocks in which a subject was heard, oldest first.
    ///
    /// - Throws: `StoreError`.
    package func settledBlocks(heardOf subject: SubjectIdentity) throws -> [ReadingBlock] {
        guard let number = try numbers(of: [subject])[subject] else { return [] }
        return try database.read { session in
            var blocks: [ReadingBlock] = []
            guard let known = try session.readingBlocks([]) else { return [] }
            let keys = (known.lowerBound.number...known.upperBound.number).map {
                ReadingKey(ReadingBlock(number: $0), number).rawValue
            }
            try session.rows("vectors", keys) { blocks.append(ReadingKey(rawValue: $0.integer(0)).block) }
            return blocks.sorted()
        }
    }

    /// Repeats the comparison in a settled block for a subject that counted as a fixed beacon when the block was
    /// settled, and therefore was compared with no other subject.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func compareAnew(_ subject: SubjectIdentity, in block: ReadingBlock, now: Int64) throws {
        guard let number = try numbers(of: [subject])[subject] else { return }
        let fixed = try fixedSubjects(since: now - Self.day).subtracting([number])
        try storing { session in
            try session.lockSettling()
            let directory = try ReceiverDirectory(session)
            var receivers: Set<Int64> = []
            try session.rows("vectors", [ReadingKey(block, number).rawValue]) { row in
                receivers.formUnion(BlockVectors(packed: row.blob(1))?.receivers ?? [])
            }
            for building in Set(receivers.compactMap { directory[$0]?.building }).sorted() {
                _ = try settle(block, ofBuilding: building, fixed, directory, isForced: true, session)
            }
        }
    }

    /// Settles the readings of one building in a block.
    ///
    /// - Parameters:
    ///   - isForced: whether all subjects are compared even if nothing changed.
    ///   - mayCompareAnew: whether a building whose block is already settled can be compared again.
    /// - Returns: `nil` when a repeated comparison is needed but not allowed; nothing was changed.
    private func settle(
        _ block: ReadingBlock, ofBuilding building: String, _ fixed: Set<Int64>, _ directory: ReceiverDirectory,
        isForced: Bool = false, mayCompareAnew: Bool = true, _ session: any SQLSession
    ) throws -> Settling? {
        let unsettled = try UnsettledBlock(block, building: building, directory, session)
        let subjects = unsettled.subjects
        try partitions.makeReadings(of: [block.day], session)
        var contents = unsettled.contents
        // A subject heard in several buildings is in the one that heard it loudest, so the receivers of all buildings
        // are considered.
        let known = try session.listening(in: block)
        for (receiver, listening) in known { contents.add(listening, of: receiver) }
        let here = contents.receivers(ofBuildings: [building])
        let isLate = !here.isDisjoint(with: known.keys)
        let settled = try session.packedVectors(of: subjects, in: block)
        if isLate, !isForced {
            guard
                try isChanged(contents, of: subjects, settled, contents.change(of: here, from: known), block, session)
            else {
                try session.write(contents.receivers.filter { here.contains($0.key) }, known, of: block)
                try session.deleteReadings(unsettled.keys, of: block)
                var settling = Settling()
                settling.blocks = 1
                return settling
            }
            if !mayCompareAnew { return nil }
        }
        if isLate {
            // The whole building is compared again.
            try contents.add(settledOf: block, heardBy: here, session)
        } else {
            // A subject that was also in another building already has a row.
            try contents.add(vectorsOf: subjects, block, session)
        }
        contents.limit()
        let receivers = contents.receivers
        let computation = BlockComputation(receivers: receivers, fixed: fixed)
        let buildings = try addBuildings(near: building, here, to: &contents, computation, block, session)
        let isAnew = isLate || buildings.count > 1
        if isAnew, !mayCompareAnew { return nil }
        let compared = contents.receivers(ofBuildings: buildings).compactMap { receivers[$0]?.place.floor }
        let result = computation.result(contents.vectors, on: Set(compared))
        // Only changes are written.
        try session.write(receivers.filter { here.contains($0.key) }, known, of: block)
        try session.write(vectors: contents.vectors.filter { subjects.contains($0.key) }, settled, of: block)
        try session.write(companies: session.companies(result, in: block), of: block)
        try session.deleteReadings(unsettled.keys, of: block)
        for building in buildings.sorted() { try session.relocate(building, from: block) }
        var settling = Settling()
        settling.blocks = 1
        settling.badgeMinutes = contents.vectors.values.reduce(0) { $0 + $1.heardMinutes }
        settling.leftOut = result.leftOut
        settling.isAnew = isAnew
        settling.disbelieved = Set(result.disbelieved.compactMap { directory[$0]?.path })
        for receiver in result.disbelieved.sorted() {
            try session.doubt(receiver, .claims, from: block.start, to: block.end, amount: 1)
        }
        return settling
    }

    /// Adds the settled subjects of other buildings, if new readings may have moved a subject to another building, or
    /// away from one.
    ///
    /// - Parameters:
    ///   - building: the building of the new readings.
    ///   - here: its receivers.
    /// - Returns: the building, and those that were added.
    private func addBuildings(
        near building: String, _ here: Set<Int64>, to contents: inout BlockContents, _ computation: BlockComputation,
        _ block: ReadingBlock, _ session: any SQLSession
    ) throws -> Set<String> {
        guard contents.vectors.values.contains(where: { $0.isHeard { !here.contains($0) } }) else { return [building] }
        let buildings = contents.buildings(ofFloors: computation.floors(contents.vectors)).union([building])
        try contents.add(settledOf: block, heardBy: contents.receivers(ofBuildings: buildings), session)
        contents.limit()
        return buildings
    }

    /// Whether new readings of a settled block change where any subject was, or with whom any subject is compared.
    ///
    /// - Parameters:
    ///   - contents: the new readings and the listening receivers.
    ///   - subjects: the subjects heard in the new readings.
    ///   - settled: the stored rows of these subjects.
    private func isChanged(
        _ contents: BlockContents, of subjects: Set<Int64>, _ settled: [Int64: [UInt8]], _ change: ListeningChange,
        _ block: ReadingBlock, _ session: any SQLSession
    ) throws -> Bool {
        if change.completesFloor { return true }
        var merged = contents
        try merged.add(vectorsOf: subjects, block, session)
        merged.limit()
        if subjects.contains(where: { merged.vectors[$0]?.packed != settled[$0] }) { return true }
        if change.minutes.isEmpty { return false }
        var isConcerned = false
        try session.query("SELECT content FROM vectors WHERE id >= $1 AND id < $2", Self.bounds(block)) { row in
            if !isConcerned, let vectors = BlockVectors(packed: row.blob(0)) { isConcerned = change.concerns(vectors) }
        }
        return isConcerned
    }

    static func bounds(_ block: ReadingBlock) -> [SQLValue] {
        [.integer(ReadingKey.first(block)), .integer(ReadingKey.first(ReadingBlock(number: block.number + 1)))]
    }
}
