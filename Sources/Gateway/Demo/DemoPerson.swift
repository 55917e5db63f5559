import Advertisement
import BeaconModel

/// Person with a badge on the simulated floor. Pure.
///
/// The hour before the demonstration has long stays: badge 1 is with badge 2 in the library, and then with badges 3 and
/// 4 in the seminar room. After it, people walk about all the time.
struct DemoPerson: Sendable {
    /// Minor number of the badge.
    var number: UInt16
    private let hour: DemoWalk
    private let afterwards: DemoWalk

    /// Length of the time before the demonstration in seconds.
    static let hourLength = 3600.0
    /// Share by which the seed makes stays shorter or longer.
    private static let variation = 0.2

    /// Returns the people of the demonstration.
    ///
    /// - Parameter seed: varies the lengths of stays. The same seed gives the same walks.
    static func all(seed: UInt64 = 1) -> [DemoPerson] {
        var noise = SplitMix64(seed: seed)
        return zip(hours, rounds).enumerated().map { index, walks in
            let stops = walks.1.map { stop in
                DemoWalk.Stop(stop.spot, stop.seconds * (1 + variation * (2 * noise.uniform() - 1)))
            }
            return DemoPerson(
                number: UInt16(index + 1), hour: DemoWalk(walks.0), afterwards: DemoWalk(stops))
        }
    }

    /// Returns where the person is; `nil` outside of the building.
    ///
    /// - Parameter time: seconds since the beginning of the demonstration; negative in the hour before it.
    func position(at time: Double) -> DemoFloor.Point? {
        let point = time < 0 ? hour.position(at: time + Self.hourLength) : afterwards.position(at: time)
        return DemoFloor.contains(point) ? point : nil
    }

    /// Returns the badge as the gateway of a room receives it; `nil` outside of the building.
    ///
    /// - Parameter time: as for `position`.
    func advertiser(at time: Double, heardIn room: DemoFloor.Room) -> SimulatedAir.Advertiser? {
        guard let point = position(at: time) else { return nil }
        return SimulatedAir.Advertiser(
            address: BluetoothAddress(bits: 0xC000_0000_0100 + UInt64(number)),
            data: IBeacon.advertisingData(DemoBuilding.badge(number), measuredPower: -59),
            distance: DemoFloor.distance(from: point, to: room),
            attenuation: DemoFloor.attenuation(from: point, to: room.receiver))
    }

    private static func spot(_ room: DemoFloor.Room, _ x: Double, _ y: Double) -> DemoSpot {
        .at(room, DemoFloor.Point(x, y))
    }

    private static let (library1, library2) = (spot(DemoFloor.library, 2, 7.5), spot(DemoFloor.library, 3.5, 8))
    private static let (studio1, studio2) = (spot(DemoFloor.studio, 16, 7.5), spot(DemoFloor.studio, 14, 8))
    private static let laboratories = [
        spot(DemoFloor.laboratory, 9, 1.5), spot(DemoFloor.laboratory, 12.5, 1), spot(DemoFloor.laboratory, 16, 1.5),
        spot(DemoFloor.laboratory, 16.5, 3),
    ]
    private static let chairs = [
        spot(DemoFloor.seminar, 7.5, 7.5), spot(DemoFloor.seminar, 9, 8), spot(DemoFloor.seminar, 9, 6.8),
        spot(DemoFloor.seminar, 10.5, 7.5),
    ]
    private static let (sink, table) = (spot(DemoFloor.kitchen, 2, 1), spot(DemoFloor.kitchen, 4, 2))
    private static let printer = spot(DemoFloor.corridor, 14, 5)

    /// Stays in the hour before the demonstration, of each person.
    private static let hours: [[DemoWalk.Stop]] = [
        [.init(library1, 1500), .init(chairs[0], 2100)],
        [.init(library2, 3600)],
        [.init(studio1, 1500), .init(chairs[1], 2100)],
        [.init(laboratories[0], 1500), .init(chairs[2], 2100)],
        [.init(studio2, 3600)],
        [.init(laboratories[1], 1800), .init(table, 600), .init(laboratories[1], 1200)],
        [.init(.outside, 1200), .init(laboratories[2], 2400)],
        [.init(table, 900), .init(laboratories[3], 2700)],
    ]

    /// Stays during the demonstration, of each person.
    private static let rounds: [[DemoWalk.Stop]] = [
        [.init(chairs[0], 45), .init(library1, 40), .init(sink, 20), .init(library1, 40)],
        [.init(library2, 50), .init(table, 25)],
        [.init(chairs[1], 60), .init(studio1, 40)],
        [.init(chairs[2], 40), .init(laboratories[0], 30), .init(sink, 20)],
        [.init(studio2, 45), .init(printer, 10)],
        [.init(laboratories[1], 40), .init(table, 30)],
        [.init(laboratories[2], 35), .init(.outside, 60)],
        [.init(laboratories[3], 55), .init(chairs[3], 30)],
    ]
}
