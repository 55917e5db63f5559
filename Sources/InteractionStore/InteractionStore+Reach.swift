package import Evidence
import Matching

extension InteractionStore {
    /// A floor's coverage by receivers, according to the readings of a period.
    package struct FloorReach: Equatable, Sendable {
        /// The floor as `site/building/floor`.
        package var floor: String
        /// Number of receivers that listened.
        package var receivers: Int
        /// Badge minutes with 1, 2, 3, and 4 or more receivers of the floor in reach.
        package var minutes: [Int]
        /// Receivers near which fewer than 3 receivers are in reach, with the badge minutes there; the thinnest
        /// coverage first.
        package var thin: [(receiver: ReceiverName, minutes: Int, of: Int)]
        /// Receivers whose clocks are ahead, as people's walks show; in minutes.
        package var clocks: [(receiver: ReceiverName, minutes: Int)]
        /// Receivers that published readings and never listened.
        package var deaf: [ReceiverName]
        /// Receivers that were not believed in some blocks of the period.
        package var disbelieved: [ReceiverName]

        package static func == (left: Self, right: Self) -> Bool {
            left.floor == right.floor && left.receivers == right.receivers && left.minutes == right.minutes
        }
    }

    /// Returns the coverage of all floors.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: seconds since 1970.
    ///   - progress: called with the completed share.
    /// - Throws: `StoreError`.
    package func reach(
        from since: Int64, to until: Int64, progress: (Double) -> Void = { _ in }
    ) throws -> [FloorReach] {
        let fixed = try fixedSubjects(since: since)
        let first = ReadingBlock(containing: max(0, since)).number
        let last = max(first, ReadingBlock(containing: max(0, until - 1)).number)
        return try database.read { session in
            var tallies: [String: ReachTally.Floor] = [:]
            var receivers: [String: Set<Int64>] = [:]
            var listened: Set<Int64> = []
            var clocks = ClockSurvey(first...last)
            let directory = try ReceiverDirectory(session)
            let blocks = try session.blocksOfReadings(first...last)
            for (index, block) in blocks.enumerated() {
                var contents = try UnsettledBlock(block, directory, session).contents
                try contents.add(settledOf: block, session)
                contents.limit()
                let computation = BlockComputation(receivers: contents.receivers, fixed: fixed)
                var names: [Int64: String] = [:]
                for (receiver, value) in contents.receivers {
                    let floor = directory[receiver]?.floor ?? ""
                    names[value.place.floor] = floor
                    receivers[floor, default: []].insert(receiver)
                    if (0..<ReadingBlock.minutes).contains(where: { value.listening.listened(inMinute: $0) }) {
                        listened.insert(receiver)
                    }
                }
                var tally = ReachTally()
                for minute in 0..<ReadingBlock.minutes {
                    let floors = computation.floors(inMinute: minute)
                    for (subject, vectors) in contents.vectors where !fixed.contains(subject) {
                        tally.add(vectors.minutes[minute], floors)
                    }
                }
                clocks.add(contents, of: block, without: fixed)
                for (floor, value) in tally.floors {
                    tallies[names[floor] ?? "", default: .init()].add(value)
                }
                progress(Double(index + 1) / Double(blocks.count))
            }
            return try receivers.keys.sorted().map { floor in
                let here = receivers[floor] ?? []
                let tally = tallies[floor] ?? .init()
                let offsets = clocks.offsets(of: floor)
                let doubtful = try session.doubted(.claims, from: since, to: until).intersection(here)
                func name(_ receiver: Int64) throws -> ReceiverName {
                    try session.receiverName(receiver) ?? ReceiverName(path: directory[receiver]?.path ?? "", room: nil)
                }
                return FloorReach(
                    floor: floor, receivers: here.intersection(listened).count, minutes: tally.minutes,
                    thin: try tally.loudest.filter { $0.value.thin > 0 }.sorted {
                        ($1.value.thin, $0.key) < ($0.value.thin, $1.key)
                    }.map { (try name($0.key), $0.value.thin, $0.value.minutes) },
                    clocks: try offsets.sorted { $0.key < $1.key }.map { (try name($0.key), $0.value) },
                    deaf: try here.subtracting(listened).sorted().map(name),
                    disbelieved: try doubtful.sorted().map(name))
            }
        }
    }
}

extension ReachTally.Floor {
    fileprivate mutating func add(_ other: Self) {
        for index in minutes.indices { minutes[index] += other.minutes[index] }
        for (receiver, value) in other.loudest {
            loudest[receiver, default: .init()].minutes += value.minutes
            loudest[receiver, default: .init()].thin += value.thin
        }
    }
}

extension SQLSession {
    /// Returns the receivers that were doubted for a reason in a period.
    func doubted(_ kind: ReceiverDoubt, from since: Int64, to until: Int64) throws -> Set<Int64> {
        var receivers: Set<Int64> = []
        try query(
            "SELECT receiver FROM receiver_doubt WHERE kind = $1 AND since <= $3 AND until >= $2",
            [.text(kind.rawValue), .integer(since), .integer(until)]
        ) { receivers.insert($0.integer(0)) }
        return receivers
    }

    func receiverName(_ number: Int64) throws -> ReceiverName? {
        try first(
            "SELECT r.path, p.room FROM receiver r LEFT JOIN place p ON p.id = r.place WHERE r.id = $1",
            [.integer(number)]
        ) { ReceiverName(path: $0.text(0) ?? "", room: $0.text(1)) }
    }
}
