/// Vectors of one subject in a block of 15 minutes, in stored form.
package struct BlockVectors: Equatable, Sendable {
    /// One vector for each minute; empty where no receiver received the subject.
    package private(set) var minutes: [MinuteVector]

    /// Maximum number of receivers in a block; the weakest ones beyond it are left out.
    static let mostReceivers = 64

    package init() { minutes = Array(repeating: MinuteVector(), count: ReadingBlock.minutes) }

    package var isEmpty: Bool { minutes.allSatisfy(\.isEmpty) }

    /// Number of minutes in which the subject was received.
    package var heardMinutes: Int { minutes.count { !$0.isEmpty } }

    /// Receivers that received the subject.
    package var receivers: Set<Int64> { minutes.reduce(into: []) { $0.formUnion($1.hearings.lazy.map(\.receiver)) } }

    /// Whether any receiver that meets the condition received the subject.
    package func isHeard(by isOne: (Int64) -> Bool) -> Bool {
        minutes.contains { $0.hearings.contains { isOne($0.receiver) } }
    }

    /// Adds a hearing.
    ///
    /// - Parameter minute: 0 to 14; other values are ignored.
    package mutating func add(_ hearing: Hearing, inMinute minute: Int) {
        guard minutes.indices.contains(minute) else { return }
        minutes[minute].add(hearing)
    }

    /// Adds a hearing to several minutes.
    ///
    /// - Parameter minutes: 0 to 14; other values are ignored.
    package mutating func add(_ hearing: Hearing, inMinutes minutes: [Int]) {
        for minute in minutes { add(hearing, inMinute: minute) }
    }

    package mutating func merge(_ other: BlockVectors) {
        for minute in minutes.indices { for hearing in other.minutes[minute].hearings { minutes[minute].add(hearing) } }
    }

    /// Removes all receivers but the given ones.
    package mutating func keep(_ receivers: Set<Int64>) {
        for minute in minutes.indices { minutes[minute].keep(receivers) }
    }

    /// Priority of a receiver when there are too many.
    package struct Standing: Equatable, Sendable {
        /// Number that a gateway and its remote receivers have in common.
        package var gateway: Int64
        /// Rank among receivers that received a subject equally loudly; the lowest comes first.
        package var order: Int64

        package init(gateway: Int64, order: Int64) {
            self.gateway = gateway
            self.order = order
        }
    }

    /// Priorities of all receivers.
    package struct Standings: Sendable {
        fileprivate let standings: [Int64: Standing]
        /// Number of receivers in a minute above which limits apply. It is lower than `MinuteVector.mostReceivers` only
        /// when a gateway has more than `mostOfOneGateway` receivers, which is rare.
        fileprivate let fewest: Int

        /// No priorities: each receiver is a gateway of its own.
        package static let none = Standings([:])

        /// Creates priorities.
        ///
        /// - Parameter standings: by receiver; a receiver without one is a gateway of its own.
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

    /// Removes receivers beyond the limits: 64 in a block and 16 in a minute, at most 8 of them from one gateway with
    /// its remote receivers, so that no gateway crowds out others. The loudest are kept.
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

    /// Maximum level of the subject at each receiver.
    private var loudest: [(receiver: Int64, level: Int)] {
        // There are few receivers, so a linear search is faster than a table.
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

    /// Stored row: the receivers, the minutes with data, and for each of these the receivers that received the subject
    /// and their codes.
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

    /// Packs the row.
    ///
    /// - Parameter receivers: receivers that received the subject, in the order of their numbers.
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
            // Both are in the order of receiver numbers.
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

    /// Parses a stored row.
    ///
    /// - Returns: `nil` for malformed bytes.
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
