import Advertisement
import BeaconModel
import GatewayCore
import Proximity
import RealModule
import RecordContract

/// One hour on a floor with three gateways: badges 1 and 3 are together in the office, and badge 2 is in the kitchen
/// next door. Pure: the gateway's own components produce the records.
struct DemoHour {
    private struct Room {
        var gateway: String
        var name: String
        /// Distance from the hall's gateway, in metres. Each gateway hangs in the middle of its room.
        var x: Double
    }

    private struct Sitter {
        var beacon: UInt16
        /// Position in metres; `x` is the distance from the hall's gateway.
        var x: Double
        var y: Double
    }

    private static let rooms = [
        Room(gateway: "hall", name: "entrance hall", x: 0), Room(gateway: "office", name: "office", x: 8),
        Room(gateway: "kitchen", name: "kitchen", x: 16),
    ]
    private static let sitters = [
        Sitter(beacon: 1, x: 9.2, y: 1), Sitter(beacon: 2, x: 15, y: -1.5), Sitter(beacon: 3, x: 7.8, y: 2),
    ]
    /// Attenuation of a wall, in dB.
    private static let wall = 6.0
    /// Width of a room, in metres.
    private static let roomWidth = 8.0
    private static let minutes = 60
    /// Time between two advertisements of a badge.
    private static let interval: Duration = .milliseconds(500)

    var building: DemoBuilding
    /// End of the hour, at a whole minute.
    var end: Timestamp

    /// Creates the hour that ends before a time.
    ///
    /// - Parameter time: the hour ends at the last whole minute before it.
    init(_ building: DemoBuilding, before time: Timestamp) {
        self.building = building
        end = Timestamp(microseconds: time.microseconds / 60_000_000 * 60_000_000)
    }

    /// Returns the records of all gateways, one gateway after the other.
    ///
    /// - Throws: `ConfigurationError`.
    func records() throws -> [Record] { try Self.rooms.flatMap { try records(of: $0) } }

    private func records(of room: Room) throws -> [Record] {
        var configuration = try Configuration.parse(
            building.configuration(gateway: room.gateway, room: room.name), path: ""
        ) { _ in [] }
        // A gateway's usual interval. The demonstration's own is shorter, for people who watch.
        configuration.rules.updateInterval = .seconds(30)
        let start = end + .seconds(-60 * Self.minutes)
        let audience = Audience(listedUUIDs: configuration.listedUUIDs, includesPhones: false)
        var core = RadioCore(
            configuration, audience: audience, boot: UInt64(start.microseconds / 1_000_000), adapters: ["demo"])
        var air = SimulatedAir()
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
            publish(
                .packets(air.batch(at: time, from: Self.sitters.map { advertiser($0, to: room) }), source: 0),
                at: time)
            time = time + Self.interval
        }
        publish(.stopped, at: end)
        return records
    }

    private func advertiser(_ sitter: Sitter, to room: Room) -> SimulatedAir.Advertiser {
        let walls = (abs(sitter.x - room.x) / Self.roomWidth).rounded()
        return SimulatedAir.Advertiser(
            address: BluetoothAddress(bits: 0xC000_0000_0100 + UInt64(sitter.beacon)),
            data: IBeacon.advertisingData(DemoBuilding.badge(sitter.beacon), measuredPower: -59),
            distance: Double.hypot(sitter.x - room.x, sitter.y), attenuation: walls * Self.wall)
    }
}
