import BeaconModel
import Evidence
import HCI
import InteractionStore
import Proximity

/// A receiver in a room, and what gateways make of its packets that hear the same air and lose different shares of it.
struct Station: Sendable {
    /// The receiver hears one advertising channel at a time, each for so many seconds.
    private static let scanInterval = 0.1

    private let traits: RoomTraits
    private var links: [RadioLink]
    private var random: SplitMix
    private(set) var chains: [GatewayChain]
    private let losses: [Double]
    private let deafness: Faults.Deafness?
    /// Of a module.
    private let listening: ModuleListening?
    /// By loss: the second in which it reported last, and how often.
    private var reports: [(second: Int, count: Int)]
    /// Microseconds by which its clock is ahead.
    private let clock: Int64
    /// By loss: the day's minutes.
    private(set) var tallies: [MinuteTally] = []

    /// - Parameters:
    ///   - rules: of what becomes of packets; `nil`: nothing beside tallies.
    ///   - hasInteractions: whether interactions are recorded beside readings.
    init(
        _ building: Building, gateway: Int, _ radio: RadioConstants, people: Int, losses: [Double], seed: UInt64,
        rules: InteractionRules?, hasInteractions: Bool = true, faults: Faults, modules: ModuleListening = .init()
    ) throws {
        let place = building.gateways[gateway]
        traits = RoomTraits(building, place, radio, seed: seed)
        deafness = faults.deafness[gateway]
        listening = place.receiverOf == nil ? nil : modules
        clock = faults.clocks[gateway]
        var random = SplitMix(seed: seed, .link, place.number)
        links = (0..<people).map { _ in RadioLink(seed: random.next()) }
        self.random = random
        self.losses = losses
        reports = losses.map { _ in (0, 0) }
        chains = try losses.compactMap { _ in
            try rules.map {
                try GatewayChain(place, rules: $0, hasInteractions: hasInteractions)
            }
        }
    }

    /// Another day.
    mutating func begin(people: Int, minutes: Int) {
        tallies = losses.map { _ in MinuteTally(people: people, minutes: minutes) }
    }

    /// Hears some seconds of the air.
    ///
    /// - Parameters:
    ///   - transmissions: of these seconds, in the order of time.
    ///   - opening: seconds since 1970 from which all else counts.
    /// - Returns: records by loss.
    /// - Throws: `RecordReader.Defect`.
    mutating func hear(
        _ transmissions: [Transmission], seconds: Range<Int>, _ walks: Walks, _ air: Air, opening: Int64
    ) throws -> [[ReceivedRecord]] {
        var records = chains.map { _ in [ReceivedRecord]() }
        var next = transmissions.startIndex
        for second in seconds {
            var batches = losses.map { _ in HCIPacketBatch() }
            while next < transmissions.endIndex, transmissions[next].microseconds < Int64(second + 1) * 1_000_000 {
                receive(transmissions[next], walks, air, opening, &batches)
                next += 1
            }
            // Who knows to be deaf doesn't say that there is nothing to hear.
            if let deafness, deafness.isKnown, deafness.seconds.contains(second) { continue }
            if let listening, !listening.listens(in: second) { continue }
            let end = Timestamp(microseconds: (opening + Int64(second + 1)) * 1_000_000 + clock)
            for loss in chains.indices {
                records[loss] +=
                    batches[loss].isEmpty
                    ? try chains[loss].heard(until: end) : try chains[loss].receive(batches[loss])
            }
        }
        return records
    }

    /// Whether the receiver listens, and its line has room for one more report.
    private mutating func isReported(_ loss: Int, inSecond second: Int) -> Bool {
        guard let listening else { return true }
        guard listening.listens(in: second) else { return false }
        if reports[loss].second != second { reports[loss] = (second, 0) }
        reports[loss].count += 1
        return reports[loss].count <= listening.reports
    }

    private mutating func receive(
        _ transmission: Transmission, _ walks: Walks, _ air: Air, _ opening: Int64, _ batches: inout [HCIPacketBatch]
    ) {
        let seconds = Double(transmission.microseconds) / 1e6
        let position = walks[transmission.person, Int(seconds)]
        guard position.isInside else { return }
        let channel = Int(seconds / Self.scanInterval) % 3
        let strength = links[transmission.person].rssi(
            position, floor: air.floors[Int(position.room)], at: Double(opening) + seconds, channel: channel,
            air.badges[transmission.person], traits)
        guard let strength else { return }
        // One number for all: whoever loses more loses also what others lose.
        let luck = random.unit()
        guard luck >= losses.min() ?? 0 else { return }
        if let deafness, deafness.seconds.contains(Int(seconds)) { return }
        let heard = losses.indices.filter { luck >= losses[$0] && isReported($0, inSecond: Int(seconds)) }
        // Rounded down, also before the opening.
        let microseconds = transmission.microseconds + clock
        let minute = Int(microseconds / 60_000_000) - (microseconds < 0 ? 1 : 0)
        for loss in heard {
            tallies[loss].add(transmission.person, minute: minute, rssi: strength)
        }
        guard !chains.isEmpty else { return }
        var packet = air.packets[transmission.person]
        packet[packet.count - 1] = UInt8(bitPattern: strength)
        let time = Timestamp(microseconds: opening * 1_000_000 + microseconds)
        for loss in heard {
            batches[loss].append(packet, time: time, adapter: GatewayChain.adapter)
        }
    }
}

/// What all stations hear in common.
struct Air: Sendable {
    var badges: [BadgeTraits]
    /// Of each badge, but for the RSSI.
    var packets: [[UInt8]]
    /// By room.
    var floors: [Int]

    init(_ building: Building, _ radio: RadioConstants, people: Int, measuredPower: Int8, seed: UInt64) {
        badges = (0..<people).map { BadgeTraits(radio, seed: seed, person: $0) }
        packets = (0..<people).map { GatewayChain.packet(ofPerson: $0, measuredPower: measuredPower) }
        floors = building.rooms.map(\.floor)
    }
}
