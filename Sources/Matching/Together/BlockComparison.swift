/// Directions of all subjects in a block of 15 minutes, arranged so that one subject is compared with all others at
/// once.
struct BlockComparison: Sendable {
    /// Subjects, ascending up to `count`. Entries after that repeat subjects that may be on a floor other than the
    /// assigned one.
    let subjects: [Int64]
    /// Number of distinct subjects.
    let count: Int
    /// Index of the first entry with the same subject, for each entry of `subjects`.
    let owners: [Int]
    private var minutes: [Minute] = []
    /// Badge minutes that are not compared, because a floor had too many subjects.
    private(set) var leftOut = 0
    /// Excess subjects, as indices, by floor: those beyond the limit for subjects that only one gateway received.
    private var surplus: [Int64: Set<Int>] = [:]

    /// Maximum number of subjects on one floor that are compared in a minute. Above it, subjects received in the most
    /// minutes of the block are kept, then those known first: invented subjects are new and short-lived.
    static let mostSubjects = 2000
    /// Maximum number of compared subjects on one floor that a single gateway, with all its remote receivers, received
    /// in the block. No other gateway could contradict it, so it may have invented them. The subjects received in the
    /// most minutes are kept, as above.
    static let mostOfOneGateway = 100

    private struct Minute: Sendable {
        /// Direction of each subject; `nil` for a subject that cannot be compared.
        var directions: [AmplitudeVector?]
        var floors: [Int64: FloorMinute] = [:]
        /// Column of each subject on its floor.
        var columns: [Int32]
        /// Doubt about the floor of each subject; only for the first `count`.
        var doubts: [FloorDoubt?]
    }

    /// One floor in one minute, with a column for each subject on it.
    private struct FloorMinute: Sendable {
        /// Indices of `subjects`, ascending.
        var subjects: [Int32] = []
        var norms: [Double] = []
        /// Whether only one receiver of the floor received the subject.
        var isSingle: [Bool] = []
        /// Amplitudes of each subject, by receiver; 0 where it was not received.
        var amplitudes: [Int64: [Int32]] = [:]
        /// Whether there were more subjects than are compared.
        var isCrowded = false
    }

    /// Arranges the directions for comparison.
    ///
    /// - Parameters:
    ///   - subjects: ascending up to `count`.
    ///   - directions: by minute, then by subject; `nil` where no receiver received the subject.
    ///   - doubts: by minute, then by distinct subject.
    ///   - gateway: returns the gateway of a receiver.
    ///   - floors: returns, for a minute's directions, the floors on which subjects are compared; `nil`: all.
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

    /// Returns, by floor, the subjects that only one gateway received and that exceed the limit.
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

    /// Working storage of comparisons, allocated once for many.
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

        /// Passes the collected levels on, in the order of subjects, and clears them.
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

    /// Returns the subjects similar to one subject, provided that no floor is full.
    ///
    /// - Parameter owner: the position of the subject among the first `count` of `subjects`.
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

    /// Returns the company of each of the first `count` subjects, in their order, and the number of badge minutes in
    /// which subjects are left out because one was similar to too many.
    ///
    /// Floors are processed one by one, so that the result on one does not depend on the data of others: a gateway that
    /// fills its own floor with subjects displaces no one on another.
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
                // Similarity is symmetric.
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

    /// Indices of the subjects that are compared on each floor in any minute, ascending.
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
            // When the floor is in doubt, distances decide which other subjects were present.
            guard let own = minute.directions[index], let floor = minute.floors[own.floor], !floor.isCrowded,
                minute.doubts[owners[index]] == nil, own.receiversOfFloor > 1
            else { continue }
            company.setCompared(inMinute: number)
        }
    }

    /// Square of the minimum similarity that is kept, before gateways of other floors are left out.
    private static let leastSquare =
        SimilarityLevel.least * SimilarityLevel.least * (1 - 1e-9)
        / (AmplitudeVector.greatestGain * AmplitudeVector.greatestGain)

    /// Collects the levels of similar subjects in `scratch`.
    ///
    /// - Parameters:
    ///   - wanted: the floor; `nil`: all.
    ///   - onlyWithLater: whether to compare only with later entries of `subjects`.
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
                // Avoids a square root for the many dissimilar pairs.
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

    /// Whether both subjects may have been on a floor at the same time, allowing for one dishonest gateway.
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
            // Both are on this floor by the report of the same gateway only. Without it, they were together elsewhere,
            // or one of them is still here.
            let (left, right) = (
                one.floor(without: gateway, and: witness), two.floor(without: gateway, and: witness)
            )
            return left == right || left == floor || right == floor
        }
        return areThere(without: nil)
            || [one, two].contains { $0?.suspects.contains { areThere(without: $0) } ?? false }
    }

    /// Computes the scalar products of one subject's direction with those of some columns of its floor, at the columns'
    /// positions in `dots`. The arithmetic is unchecked because it is most of the work: 16 products of two 16-bit
    /// numbers do not overflow.
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
