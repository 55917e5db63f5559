/// The directions of everybody in a block of 15 minutes, arranged so that one subject is compared with all others at once.
struct BlockComparison: Sendable {
    /// Ascending.
    private let subjects: [Int64]
    private var minutes: [Minute] = []
    /// Badge minutes that aren't compared, because a floor had too many subjects.
    private(set) var leftOut = 0

    /// Subjects of one floor that are compared with each other in a minute. Beyond it those count that were heard in the most
    /// minutes of the block, and then those that were known first: whoever invents names is new and soon gone.
    static let mostSubjects = 2000

    private struct Minute: Sendable {
        /// Each subject's direction; `nil` for a subject that can't be compared.
        var directions: [AmplitudeVector?]
        var floors: [Int64: FloorMinute] = [:]
        /// Each subject's place among its floor's columns.
        var columns: [Int32]
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
    ///   - subjects: ascending.
    ///   - directions: by minute, then by subject; `nil` where nobody heard it.
    ///   - floors: of a minute's directions, those on which subjects are compared; `nil`: all.
    init(_ subjects: [Int64], _ directions: [[AmplitudeVector?]], on floors: ([AmplitudeVector?]) -> Set<Int64>?) {
        self.subjects = subjects
        let heard = subjects.indices.map { subject in directions.count { $0[subject] != nil } }
        for directions in directions { minutes.append(minute(directions, heard, on: floors(directions))) }
    }

    private mutating func minute(
        _ directions: [AmplitudeVector?], _ heard: [Int], on floors: Set<Int64>?
    ) -> Minute {
        var minute = Minute(directions: directions, columns: Array(repeating: 0, count: directions.count))
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
            if all.count > Self.mostSubjects {
                columns.isCrowded = true
                leftOut += all.count - Self.mostSubjects
                let order = all.sorted { (heard[$1], $0) < (heard[$0], $1) }
                kept = order.prefix(Self.mostSubjects).sorted()
                for subject in order.dropFirst(Self.mostSubjects) { minute.directions[subject] = nil }
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

    /// Who looked like a subject.
    ///
    /// - Parameter index: its position among `subjects`.
    func company(of index: Int, _ scratch: inout Scratch) -> BlockCompany {
        var company = BlockCompany()
        setCompared(index, &company)
        compare(index, onlyWithLater: false, &scratch)
        scratch.drain { company.set($1, with: subjects[$0]) }
        return company
    }

    /// Who looked like each of the subjects, in their order.
    func companies() -> [BlockCompany] {
        var companies = Array(repeating: BlockCompany(), count: subjects.count)
        var scratch = scratch
        for index in subjects.indices {
            setCompared(index, &companies[index])
            // Two are as alike whichever of them is asked about.
            compare(index, onlyWithLater: true, &scratch)
            scratch.drain { other, levels in
                companies[index].set(levels, with: subjects[other])
                companies[other].set(levels, with: subjects[index])
            }
        }
        return companies
    }

    private func setCompared(_ index: Int, _ company: inout BlockCompany) {
        for (number, minute) in minutes.enumerated() {
            guard let own = minute.directions[index], let floor = minute.floors[own.floor], !floor.isCrowded,
                own.receiversOfFloor > 1
            else { continue }
            company.setCompared(inMinute: number)
        }
    }

    /// Leaves in `scratch` how alike others looked.
    ///
    /// - Parameter onlyWithLater: whether only those are wanted that come after it among `subjects`.
    private func compare(_ index: Int, onlyWithLater: Bool, _ scratch: inout Scratch) {
        for (number, minute) in minutes.enumerated() {
            guard let own = minute.directions[index], let floor = minute.floors[own.floor] else { continue }
            let ownColumn = Int(minute.columns[index])
            // Columns are in the order of subjects.
            let columns = (onlyWithLater ? ownColumn + 1 : 0)..<floor.subjects.count
            Self.multiply(own, floor, columns, &scratch.dots)
            let least = SimilarityLevel.least * SimilarityLevel.least * (1 - 1e-9) * own.norm
            for column in columns {
                // Without a root for the many who are far apart.
                let dot = Double(scratch.dots[column])
                guard dot * dot >= least * floor.norms[column], column != ownColumn,
                    !floor.isSingle[column] || own.receiversOfFloor > 1
                else { continue }
                let level = SimilarityLevel(
                    AmplitudeVector.similarity(dot: scratch.dots[column], own.norm, floor.norms[column]))
                guard level > .none else { continue }
                scratch.add(level, with: Int(floor.subjects[column]), inMinute: number)
            }
        }
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
