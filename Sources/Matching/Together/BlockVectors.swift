/// The vectors of one subject in a block of 15 minutes, as they are stored.
package struct BlockVectors: Equatable, Sendable {
    /// One for each minute; empty where nobody heard the subject.
    package private(set) var minutes: [MinuteVector]

    /// Receivers in a block; the weakest of more are left out.
    static let mostReceivers = 64

    package init() { minutes = Array(repeating: MinuteVector(), count: ReadingBlock.minutes) }

    package var isEmpty: Bool { minutes.allSatisfy(\.isEmpty) }

    /// Minutes in which somebody heard the subject.
    package var heardMinutes: Int { minutes.count { !$0.isEmpty } }

    /// The receivers that heard the subject.
    package var receivers: Set<Int64> { minutes.reduce(into: []) { $0.formUnion($1.hearings.lazy.map(\.receiver)) } }

    /// Whether any of some receivers heard the subject.
    package func isHeard(by isOne: (Int64) -> Bool) -> Bool {
        minutes.contains { $0.hearings.contains { isOne($0.receiver) } }
    }

    /// - Parameter minute: 0 to 14; others are passed over.
    package mutating func add(_ hearing: Hearing, inMinute minute: Int) {
        guard minutes.indices.contains(minute) else { return }
        minutes[minute].add(hearing)
    }

    /// - Parameter minutes: 0 to 14; others are passed over.
    package mutating func add(_ hearing: Hearing, inMinutes minutes: [Int]) {
        for minute in minutes { add(hearing, inMinute: minute) }
    }

    package mutating func merge(_ other: BlockVectors) {
        for minute in minutes.indices { for hearing in other.minutes[minute].hearings { minutes[minute].add(hearing) } }
    }

    /// Leaves others than some receivers out.
    package mutating func keep(_ receivers: Set<Int64>) {
        for minute in minutes.indices { minutes[minute].keep(receivers) }
    }

    /// What decides which of too many receivers count.
    package struct Standing: Equatable, Sendable {
        /// Any number that a gateway and its ears have in common.
        package var gateway: Int64
        /// Of receivers that heard a subject equally loudly the one with the least comes first.
        package var order: Int64

        package init(gateway: Int64, order: Int64) {
            self.gateway = gateway
            self.order = order
        }
    }

    /// The standings of all receivers.
    package struct Standings: Sendable {
        fileprivate let standings: [Int64: Standing]
        /// So many in a minute can be too many: nearly never does one gateway have so many ears.
        fileprivate let fewest: Int

        /// Each receiver is a gateway of its own.
        package static let none = Standings([:])

        /// - Parameter standings: by receiver; who isn't among them is a gateway of its own.
        package init(_ standings: [Int64: Standing]) {
            self.standings = standings
            var counts: [Int64: Int] = [:]
            for standing in standings.values { counts[standing.gateway, default: 0] += 1 }
            let isCrowded = counts.values.contains { $0 > mostOfOneGateway }
            fewest = isCrowded ? mostOfOneGateway : MinuteVector.mostReceivers
        }

        fileprivate subscript(receiver: Int64) -> Standing {
            standings[receiver] ?? Standing(gateway: -1 - receiver, order: receiver)
        }
    }

    /// Leaves receivers out where there are too many: 64 count in a block and 16 in a minute, of them 8 of one gateway with its
    /// ears, so that none crowds others out. The loudest count.
    ///
    package mutating func limit(_ standings: Standings = .none) {
        let receivers = minutes.reduce(0) { $0 + $1.hearings.count } > Self.mostReceivers ? loudest : []
        if receivers.count > Self.mostReceivers {
            let kept = Set(Self.kept(receivers, most: Self.mostReceivers, standings))
            for minute in minutes.indices { minutes[minute].keep(kept) }
        }
        for minute in minutes.indices where minutes[minute].hearings.count > standings.fewest {
            let heard = minutes[minute].hearings.map { (receiver: $0.receiver, level: $0.code.level) }
            minutes[minute].keep(Set(Self.kept(heard, most: MinuteVector.mostReceivers, standings)))
        }
    }

    private static let mostOfOneGateway = 8

    private static func kept(
        _ levels: [(receiver: Int64, level: Int)], most: Int, _ standings: Standings
    ) -> ArraySlice<Int64> {
        let order = levels.sorted {
            ($1.level, standings[$0.receiver].order) < ($0.level, standings[$1.receiver].order)
        }
        var counts: [Int64: Int] = [:]
        return order.map(\.receiver).filter { receiver in
            counts[standings[receiver].gateway, default: 0] += 1
            return counts[standings[receiver].gateway] ?? 0 <= mostOfOneGateway
        }.prefix(most)
    }

    /// By receiver: how loudly it heard the subject at most.
    private var loudest: [(receiver: Int64, level: Int)] {
        // There are few, so looking through them is faster than a table.
        var levels: [(receiver: Int64, level: Int)] = []
        for vector in minutes {
            for hearing in vector.hearings {
                if let index = levels.firstIndex(where: { $0.receiver == hearing.receiver }) {
                    levels[index].level = max(levels[index].level, hearing.code.level)
                } else {
                    levels.append((hearing.receiver, hearing.code.level))
                }
            }
        }
        return levels
    }

    /// The row: its receivers, the minutes that there are, and for each of them which of the receivers heard the subject, and
    /// their codes.
    package var packed: [UInt8] {
        let receivers = loudest.map(\.receiver)
        let isLimited =
            receivers.count <= Self.mostReceivers
            && minutes.allSatisfy { $0.hearings.count <= MinuteVector.mostReceivers }
        if isLimited { return packed(receivers.sorted()) }
        var limited = self
        limited.limit()
        return limited.packed(limited.loudest.map(\.receiver).sorted())
    }

    /// - Parameter receivers: that heard the subject, in the order of their numbers.
    private func packed(_ receivers: [Int64]) -> [UInt8] {
        var writer = PackedWriter(
            capacity: 3 + 9 * receivers.count + minutes.reduce(0) { $0 + 8 + 2 * $1.hearings.count })
        writer.append(UInt8(receivers.count))
        var before: Int64 = 0
        for receiver in receivers {
            writer.append(number: UInt64(receiver - before))
            before = receiver
        }
        writer.append(word: minutes.indices.reduce(0) { $0 | (minutes[$1].isEmpty ? 0 : 1 << $1) })
        var codes: [UInt16] = []
        for vector in minutes where !vector.isEmpty {
            var mask: UInt64 = 0
            codes.removeAll(keepingCapacity: true)
            // Both are in the order of receivers' numbers.
            var index = 0
            for hearing in vector.hearings {
                while index < receivers.count, receivers[index] < hearing.receiver { index += 1 }
                guard index < receivers.count, receivers[index] == hearing.receiver else { continue }
                mask |= 1 << UInt64(index)
                codes.append(hearing.code.rawValue)
            }
            for byte in 0..<(receivers.count + 7) / 8 {
                writer.append(UInt8(truncatingIfNeeded: mask >> UInt64(8 * byte)))
            }
            for code in codes { writer.append(word: code) }
        }
        return writer.bytes
    }

    /// - Returns: `nil` for what isn't such a row.
    package init?(packed bytes: [UInt8]) {
        self.init()
        var reader = PackedReader(bytes)
        guard let count = reader.byte(), Int(count) <= Self.mostReceivers else { return nil }
        var receivers: [Int64] = []
        var last: Int64 = 0
        for _ in 0..<count {
            guard let delta = reader.number(), delta < 1 << 40, delta > 0 || receivers.isEmpty else { return nil }
            last += Int64(delta)
            guard last < 1 << 40 else { return nil }
            receivers.append(last)
        }
        guard let present = reader.word() else { return nil }
        for minute in minutes.indices where present >> UInt16(minute) & 1 == 1 {
            var mask: UInt64 = 0
            for byte in 0..<(Int(count) + 7) / 8 {
                guard let bits = reader.byte() else { return nil }
                mask |= UInt64(bits) << UInt64(8 * byte)
            }
            var hearings: [Hearing] = []
            hearings.reserveCapacity(mask.nonzeroBitCount)
            while mask != 0 {
                let index = mask.trailingZeroBitCount
                mask &= mask - 1
                guard index < receivers.count, let code = reader.word() else { return nil }
                hearings.append(Hearing(receiver: receivers[index], code: HearingCode(rawValue: code)))
            }
            minutes[minute] = MinuteVector(ascending: hearings)
        }
        guard reader.isAtEnd else { return nil }
    }
}
