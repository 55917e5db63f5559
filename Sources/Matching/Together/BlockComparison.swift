/// The directions of everybody in a block of 15 minutes, arranged so that one subject is compared with all others at once.
struct BlockComparison: Sendable {
    /// Ascending up to `count`; behind them each again that may be on another floor than the one that it is taken to be on.
    let subjects: [Int64]
    /// Subjects that are different.
    let count: Int
    /// Of each entry of `subjects`, the first that is the same.
    let owners: [Int]
    private var minutes: [Minute] = []
    /// Badge minutes that aren't compared, because a floor had too many subjects.
    private(set) var leftOut = 0
    /// By floor: subjects, as indices, that are one too many of those that only one gateway heard.
    private var surplus: [Int64: Set<Int>] = [:]

    /// Subjects of one floor that are compared with each other in a minute. Beyond it those count that were heard in the most
    /// minutes of the block, and then those that were known first: whoever invents names is new and soon gone.
    static let mostSubjects = 2000
    /// Subjects of one floor that are compared of those that one gateway alone, with all its ears, heard in the block: nobody
    /// could contradict it, so it may have invented them. Those count that were heard most, as above.
    static let mostOfOneGateway = 100

    private struct Minute: Sendable {
        /// Each subject's direction; `nil` for a subject that can't be compared.
        var directions: [AmplitudeVector?]
        var floors: [Int64: FloorMinute] = [:]
        /// Each subject's place among its floor's columns.
        var columns: [Int32]
        /// Whether each subject may be elsewhere: only of the first `count`.
        var doubts: [FloorDoubt?]
    }

    /// One floor in one minute: a column for each subject that is on it.
    private struct FloorMinute: Sendable {
        /// Indices of `subjects`, ascending.
        var subjects: [Int32] = []
        var norms: [Double] = []
        /// Whether only one receiver of the floor heard it.
        var isSingle: [Bool] = []
        /// The amplitude of each subject at each receiver; 0 where it wasn't heard.
        var amplitudes: [Int64: [Int32]] = [:]
        /// There were more subjects than are compared.
        var isCrowded = false
    }

    /// - Parameters:
    ///   - subjects: ascending up to `count`.
    ///   - directions: by minute, then by subject; `nil` where nobody heard it.
    ///   - doubts: by minute, then by subject, of those that are different.
    ///   - gateway: whose a receiver is.
    ///   - floors: of a minute's directions, those on which subjects are compared; `nil`: all.
    init(
        _ subjects: [Int64], _ directions: [[AmplitudeVector?]], _ doubts: [[FloorDoubt?]], gateway: (Int64) -> Int64?,
        on floors: ([AmplitudeVector?]) -> Set<Int64>?
    ) {
        self.subjects = subjects
        count = doubts.first?.count ?? subjects.count
        let first = Dictionary(uniqueKeysWithValues: subjects.prefix(count).enumerated().map { ($1, $0) })
        owners = subjects.enumerated().map { first[$1] ?? $0 }
        let heard = subjects.indices.map { subject in directions.count { $0[subject] != nil } }
        surplus = Self.surplus(directions, heard, gateway)
        for (directions, doubts) in zip(directions, doubts) {
            minutes.append(minute(directions, doubts, heard, on: floors(directions)))
        }
    }

    /// Whom one gateway alone heard beyond those that are compared, by floor.
    private static func surplus(
        _ directions: [[AmplitudeVector?]], _ heard: [Int], _ gateway: (Int64) -> Int64?
    ) -> [Int64: Set<Int>] {
        struct Crowd: Hashable {
            var gateway: Int64
            var floor: Int64
        }
        var crowds: [Crowd: [Int]] = [:]
        for subject in heard.indices where heard[subject] > 0 {
            var gateways: Set<Int64> = []
            var floors: Set<Int64> = []
            for minute in directions {
                guard let direction = minute[subject] else { continue }
                floors.insert(direction.floor)
                for component in direction.components {
                    gateways.insert(gateway(component.receiver) ?? -1 - component.receiver)
                }
                if gateways.count > 1 { break }
            }
            guard gateways.count == 1, let only = gateways.first else { continue }
            for floor in floors { crowds[Crowd(gateway: only, floor: floor), default: []].append(subject) }
        }
        var surplus: [Int64: Set<Int>] = [:]
        for (crowd, all) in crowds where all.count > mostOfOneGateway {
            let order = all.sorted { (heard[$1], $0) < (heard[$0], $1) }
            surplus[crowd.floor, default: []].formUnion(order.dropFirst(mostOfOneGateway))
        }
        return surplus
    }

    private mutating func minute(
        _ directions: [AmplitudeVector?], _ doubts: [FloorDoubt?], _ heard: [Int], on floors: Set<Int64>?
    ) -> Minute {
        var minute = Minute(
            directions: directions, columns: Array(repeating: 0, count: directions.count), doubts: doubts)
        var present: [Int64: [Int]] = [:]
        for (subject, direction) in directions.enumerated() {
            guard let direction, floors?.contains(direction.floor) ?? true else { continue }
            if direction.isAlone {
                minute.directions[subject] = nil
            } else {
                present[direction.floor, default: []].append(subject)
            }
        }
        for (floor, all) in present {
            var columns = FloorMinute()
            var kept = all
            if let surplus = surplus[floor] { kept.removeAll { surplus.contains($0) } }
            if kept.count > Self.mostSubjects {
                let order = kept.sorted { (heard[$1], $0) < (heard[$0], $1) }
                kept = order.prefix(Self.mostSubjects).sorted()
            }
            if kept.count < all.count {
                columns.isCrowded = true
                leftOut += all.count - kept.count
                for subject in Set(all).subtracting(kept) { minute.directions[subject] = nil }
            }
            columns.subjects.reserveCapacity(kept.count)
            columns.norms.reserveCapacity(kept.count)
            columns.isSingle.reserveCapacity(kept.count)
            for (column, subject) in kept.enumerated() {
                guard let direction = directions[subject] else { continue }
                minute.columns[subject] = Int32(column)
                columns.subjects.append(Int32(subject))
                columns.norms.append(direction.norm)
                columns.isSingle.append(direction.receiversOfFloor == 1)
                for component in direction.components {
                    columns.amplitudes[component.receiver, default: Array(repeating: 0, count: kept.count)][column] =
                        component.amplitude
                }
            }
            minute.floors[floor] = columns
        }
        return minute
    }

    /// What a comparison works with; made once for many.
    struct Scratch {
        fileprivate var dots: [Int64]
        private var levels: [BlockLevels]
        private var alike: [Int32] = []

        fileprivate init(_ count: Int) {
            dots = Array(repeating: 0, count: count)
            levels = Array(repeating: BlockLevels(), count: count)
        }

        fileprivate mutating func add(_ level: SimilarityLevel, with other: Int, inMinute minute: Int) {
            if levels[other].isEmpty { alike.append(Int32(other)) }
            levels[other][minute] = level
        }

        /// Hands out what is there, in the order of subjects, and forgets it.
        fileprivate mutating func drain(_ body: (_ other: Int, _ levels: BlockLevels) -> Void) {
            alike.sort()
            for other in alike.lazy.map(Int.init) {
                body(other, levels[other])
                levels[other] = BlockLevels()
            }
            alike.removeAll(keepingCapacity: true)
        }
    }

    var scratch: Scratch { Scratch(subjects.count) }

    /// Who looked like a subject, where no floor is full.
    ///
    /// - Parameter owner: its position among the first `count` of `subjects`.
    func company(of owner: Int, _ scratch: inout Scratch) -> BlockCompany {
        var company = BlockCompany()
        for index in subjects.indices where owners[index] == owner {
            setCompared(index, &company)
            compare(index, on: nil, onlyWithLater: false, &scratch)
            scratch.drain { other, levels in
                if owners[other] != owner { company.add(levels, with: subjects[other]) }
            }
        }
        return company
    }

    /// Who looked like each of the first `count` subjects, in their order, and the badge minutes in which some are left out,
    /// because a subject looked like too many.
    ///
    /// Floors are gone through one by one, so that what is left of one doesn't depend on what is known of others: a gateway that
    /// fills its own with people leaves nobody out of another.
    func companies() -> (companies: [BlockCompany], leftOut: Int) {
        var companies = Array(repeating: BlockCompany(), count: count)
        for index in subjects.indices { setCompared(index, &companies[owners[index]]) }
        var scratch = scratch
        var leftOut = 0
        var positions = Array(repeating: 0, count: count)
        for (floor, present) in indicesByFloor.sorted(by: { $0.key < $1.key }) {
            let owners = Set(present.map { self.owners[$0] }).sorted()
            for (position, owner) in owners.enumerated() { positions[owner] = position }
            var rows = Array(repeating: BlockCompany(), count: owners.count)
            for index in present {
                // Two are as alike whichever of them is asked about.
                compare(index, on: floor, onlyWithLater: true, &scratch)
                scratch.drain { other, levels in
                    let (one, two) = (self.owners[index], self.owners[other])
                    if one == two { return }
                    rows[positions[one]].add(levels, with: subjects[two])
                    rows[positions[two]].add(levels, with: subjects[one])
                }
            }
            let struck = Self.limit(&rows, of: owners.map { subjects[$0] })
            for (position, owner) in owners.enumerated() {
                companies[owner].add(rows[position], without: struck[position])
                leftOut += struck[position].nonzeroBitCount
            }
        }
        return (companies, leftOut)
    }

    /// The indices of subjects that are compared on each floor in some minute, ascending.
    private var indicesByFloor: [Int64: [Int]] {
        var indices: [Int64: Set<Int>] = [:]
        for minute in minutes {
            for (floor, columns) in minute.floors {
                indices[floor, default: []].formUnion(columns.subjects.lazy.map(Int.init))
            }
        }
        return indices.mapValues { $0.sorted() }
    }

    private func setCompared(_ index: Int, _ company: inout BlockCompany) {
        for (number, minute) in minutes.enumerated() {
            // Where it is in doubt, distances say who else was there.
            guard let own = minute.directions[index], let floor = minute.floors[own.floor], !floor.isCrowded,
                minute.doubts[owners[index]] == nil, own.receiversOfFloor > 1
            else { continue }
            company.setCompared(inMinute: number)
        }
    }

    /// The square of the least similarity that is kept, before gateways of other floors are left out.
    private static let leastSquare =
        SimilarityLevel.least * SimilarityLevel.least * (1 - 1e-9)
        / (AmplitudeVector.greatestGain * AmplitudeVector.greatestGain)

    /// Leaves in `scratch` how alike others looked.
    ///
    /// - Parameters:
    ///   - wanted: the floor; `nil`: all.
    ///   - onlyWithLater: whether only those are wanted that come after it among `subjects`.
    private func compare(_ index: Int, on wanted: Int64?, onlyWithLater: Bool, _ scratch: inout Scratch) {
        for (number, minute) in minutes.enumerated() {
            guard let own = minute.directions[index], wanted.map({ $0 == own.floor }) ?? true,
                let floor = minute.floors[own.floor]
            else { continue }
            let ownColumn = Int(minute.columns[index])
            // Columns are in the order of subjects.
            let columns = (onlyWithLater ? ownColumn + 1 : 0)..<floor.subjects.count
            Self.multiply(own, floor, columns, &scratch.dots)
            let least = Self.leastSquare * own.norm
            for column in columns {
                // Without a root for the many who are far apart.
                let dot = Double(scratch.dots[column])
                guard dot * dot >= least * floor.norms[column], column != ownColumn,
                    !floor.isSingle[column] || own.receiversOfFloor > 1
                else { continue }
                let other = Int(floor.subjects[column])
                guard isComparable(index, other, on: own.floor, minute) else { continue }
                guard let another = minute.directions[other] else { continue }
                let level = SimilarityLevel(own.similarity(to: another, dot: scratch.dots[column]))
                guard level > .none else { continue }
                scratch.add(level, with: other, inMinute: number)
            }
        }
    }

    /// Whether both may have been on a floor at once, should one gateway lie.
    private func isComparable(_ index: Int, _ other: Int, on floor: Int64, _ minute: Minute) -> Bool {
        let (one, two) = (minute.doubts[owners[index]], minute.doubts[owners[other]])
        if index < count, other < count, one?.isBelieved ?? true, two?.isBelieved ?? true { return true }
        func place(_ index: Int, _ doubt: FloorDoubt?, without gateway: Int64?) -> FloorDoubt.Place? {
            guard let doubt else { return index < count ? .init(floor: floor) : nil }
            let place = doubt.place(without: gateway)
            return place.floor == floor ? place : nil
        }
        func areThere(without gateway: Int64?) -> Bool {
            guard let own = place(index, one, without: gateway), let others = place(other, two, without: gateway) else {
                return false
            }
            guard let witness = own.witness, witness == others.witness, let one, let two else { return true }
            // By the word of one and the same gateway alone: without it they were together elsewhere, or one is here still.
            let (left, right) = (
                one.floor(without: gateway, and: witness), two.floor(without: gateway, and: witness)
            )
            return left == right || left == floor || right == floor
        }
        return areThere(without: nil)
            || [one, two].contains { $0?.suspects.contains { areThere(without: $0) } ?? false }
    }

    /// The scalar products of one subject's direction with those of some columns of its floor, at their places in `dots`.
    /// Unchecked, because it is most of the work: 16 products of two numbers of 16 bits don't overflow.
    private static func multiply(
        _ own: AmplitudeVector, _ floor: FloorMinute, _ columns: Range<Int>, _ dots: inout [Int64]
    ) {
        dots.withUnsafeMutableBufferPointer { dots in
            for column in columns { dots[column] = 0 }
            for component in own.components {
                floor.amplitudes[component.receiver]?.withUnsafeBufferPointer { amplitudes in
                    let amplitude = Int64(component.amplitude)
                    for column in columns.clamped(to: 0..<amplitudes.count) {
                        dots[column] &+= amplitude &* Int64(amplitudes[column])
                    }
                }
            }
        }
    }
}
