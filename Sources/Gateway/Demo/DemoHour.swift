import BeaconModel
import GatewayCore
import HCI
import RecordContract

/// The hour on the demonstration's floor before it begins. Pure: the gateway's own components produce the records.
struct DemoHour {
    private static let minutes = 60
    /// Time between two advertisements of a badge.
    private static let interval: Duration = .seconds(1)

    private let people = DemoPerson.all()
    /// End of the hour, at a whole minute.
    let end: Timestamp

    /// Creates the hour that ends before a time.
    ///
    /// - Parameter time: the hour ends at the last whole minute before it.
    init(before time: Timestamp) {
        end = Timestamp(microseconds: time.microseconds / 60_000_000 * 60_000_000)
    }

    /// Returns the records of all gateways, one gateway after the other.
    ///
    /// - Throws: `ConfigurationError`.
    func records() throws -> [Record] {
        try DemoFloor.rooms.enumerated().flatMap { index, room in try records(of: room, seed: UInt64(index + 1)) }
    }

    private func records(of room: DemoFloor.Room, seed: UInt64) throws -> [Record] {
        let configuration = try Configuration.parse(
            DemoFloor.configuration(of: room, prefix: "demo", brokerPort: 1883, directory: "/var/empty"), path: ""
        ) { _ in [] }
        let start = end + .seconds(-60 * Self.minutes)
        let audience = Audience(listedUUIDs: configuration.listedUUIDs, includesPhones: false)
        var core = RadioCore(
            configuration, audience: audience, boot: UInt64(start.microseconds / 1_000_000), adapters: ["demo"])
        var air = DemoFloor.air(seed: seed)
        var records: [Record] = []
        var outputs: [RadioOutput] = []
        func publish(_ input: RadioInput, at time: Timestamp) {
            core.handle(
                input, now: RadioTime(elapsed: time - start, wall: time, isSynchronized: true), into: &outputs)
            records += outputs.flatMap(\.records)
            outputs.removeAll(keepingCapacity: true)
        }
        var time = start
        while time < end {
            let seconds = (time - end).inSeconds
            let heard = people.compactMap { $0.advertiser(at: seconds, heardIn: room) }
            let batch = air.batch(at: time, from: heard)
            if !batch.isEmpty { publish(.packets(batch, source: 0), at: time) }
            time = time + Self.interval
        }
        publish(.stopped, at: end)
        return records
    }
}

extension DemoFloor {
    /// Returns the reception of a gateway on the floor.
    static func air(seed: UInt64) -> SimulatedAir { SimulatedAir(seed: seed, spread: 7, loss: 0.3) }
}
