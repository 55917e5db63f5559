import Advertisement
import BeaconModel
import ModuleDialogues
import Proximity
import Testing

@testable import GatewayCore

/// Modules that listen are receivers of their own.
@Suite struct ModuleReceiverTests {
    private struct Bench {
        var receivers: RemoteReceivers
        var time = Timestamp(microseconds: 1_605_441_600_000_000)
        var now: Duration = .seconds(1)
        var events: [InteractionEvent] = []
        var readings: [Readings] = []

        init(_ modules: [InventoryEntry], _ change: (inout Configuration) -> Void = { _ in }) throws {
            var configuration = try Configuration.parse(ConfigurationTests.minimal, path: "gateway.toml") { _ in [] }
            configuration.inventory = Inventory(entries: modules)
            change(&configuration)
            receivers = RemoteReceivers(
                configuration,
                audience: Audience(listedUUIDs: configuration.listedUUIDs, includesPhones: false))
        }

        mutating func say(
            _ what: HearingQueue.Item.What, of module: String = "kitchen", address: BluetoothAddress? = nil
        ) {
            let batch = HearingQueue.Batch(items: [.init(time: time, what: what)])
            guard let news = receivers.take(ModuleHearing(module: module, address: address, batch: batch), now: now)
            else {
                return
            }
            events += news.events
            readings += news.readings
        }

        mutating func hear(_ beacon: BeaconID = ModuleReceiverTests.badge, rssi: Int8 = -60) {
            let data = IBeacon.advertisingData(beacon, measuredPower: -59)
            say(
                .received(
                    ModuleReception(address: BluetoothAddress(bits: 7), rssi: RSSI(dBm: rssi), data: data)))
        }

        mutating func pass(_ seconds: Int, _ each: (inout Bench, Int) -> Void = { _, _ in }) {
            for second in 0..<seconds {
                time = time + .seconds(1)
                now += .seconds(1)
                each(&self, second)
                // A gateway's own connection to the broker says nothing of its modules.
                events += receivers.advance(isConnected: false, at: time, now: now).flatMap(\.events)
            }
        }

        var endings: [Interaction.EndReason] { events.compactMap { $0.interaction.ending?.reason } }
        var state: String? { receivers.moduleReports(at: time).first?.state }
    }

    static let badge = BeaconID(
        uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 3, minor: 1)

    private static func module(_ name: String, listens: Bool = true, room: String? = "Kitchen") -> InventoryEntry {
        InventoryEntry(
            name: name, module: .anyNew,
            configuration: BeaconConfiguration(
                beacon: BeaconID(uuid: badge.uuid, major: 9, minor: UInt16(name.utf8.count)), measuredPower: -59),
            room: room, position: Place.Position(x: 1, y: 2, z: 2.5), listens: listens)
    }

    @Test("A module that listens is a remote receiver named like it, where it hangs; one that doesn't has none")
    func places() throws {
        let bench = try Bench([Self.module("kitchen"), Self.module("door", listens: false)])
        #expect(bench.receivers.receivers.map(\.configuration.name) == ["kitchen"])
        #expect(bench.receivers.places.map(\.ear) == ["kitchen"])
        #expect(bench.receivers.places[0].room == "Kitchen")
        #expect(bench.receivers.places[0].position == Place.Position(x: 1, y: 2, z: 2.5))
        #expect(bench.receivers.reports(at: bench.time).isEmpty)
        #expect(bench.state == "waiting")
    }

    @Test("Whom it hears begins an interaction; a stranger is only counted; without reports, with proof, he departs")
    func departs() throws {
        var bench = try Bench([Self.module("kitchen")])
        bench.say(.listening(.begun(inTurns: false)))
        var stranger = Self.badge
        stranger.uuid = ProximityUUID(bits: 1)
        bench.hear(stranger)
        bench.pass(60) { bench, _ in bench.hear() }
        #expect(bench.events.first?.kind == .started)
        #expect(bench.endings.isEmpty)
        bench.pass(120) { if $1 % 10 == 9 { $0.say(.listening(.confirmed)) } }
        #expect(bench.endings == [.departed])
        #expect(bench.state == "hearing")
        let report = bench.receivers.moduleReports(at: bench.time)[0]
        #expect(report.readings == 60 && report.strangers == 1 && report.reports == 61)
    }

    @Test("Nobody departs from a module that isn't known to listen: he is lost")
    func deaf() throws {
        for news in [ModuleListening.ended(.interrupted), .ended(.stopped), .ended(.unproven)] {
            var bench = try Bench([Self.module("kitchen")])
            bench.say(.listening(.begun(inTurns: false)))
            bench.pass(60) { bench, _ in bench.hear() }
            bench.say(.listening(news))
            bench.pass(120)
            #expect(bench.endings == [.lost], "\(news)")
            #expect(bench.state == "offline")
        }
    }

    @Test("A module that says nothing any more is deaf after 30 s")
    func silent() throws {
        var bench = try Bench([Self.module("kitchen")])
        bench.say(.listening(.begun(inTurns: false)))
        bench.pass(60) { bench, _ in bench.hear() }
        bench.pass(25)
        #expect(bench.endings.isEmpty)
        bench.pass(60)
        #expect(bench.state == "silent")
        #expect(bench.endings == [.lost])
    }

    @Test("Of one that takes turns, a badge stays from turn to turn, and departs once it wasn't heard in some")
    func turns() throws {
        var bench = try Bench([Self.module("kitchen")])
        func turn(_ bench: inout Bench, _ second: Int, hears: Bool) {
            switch second % 60 {
            case 0: bench.say(.listening(.begun(inTurns: true)))
            case 1...4: if hears { bench.hear() }
            case 5: bench.say(.listening(.paused))
            default: break
            }
        }
        bench.pass(3600) { turn(&$0, $1, hears: true) }
        #expect(bench.endings.filter { $0 != .continued }.isEmpty, "\(bench.endings)")
        #expect(bench.state == "paused")
        bench.pass(1800) { turn(&$0, $1, hears: false) }
        #expect(bench.endings.last == .departed)
    }

    @Test("A pause that doesn't end is deafness")
    func endlessPause() throws {
        var bench = try Bench([Self.module("kitchen")])
        bench.say(.listening(.begun(inTurns: true)))
        bench.hear()
        bench.say(.listening(.paused))
        bench.pass(140)
        #expect(bench.endings.isEmpty)
        bench.pass(60)
        #expect(bench.endings == [.lost])
    }

    @Test("What it reads too much, by the table of receivers, makes nobody nearer")
    func offset() throws {
        let address = BluetoothAddress(bits: 0x88DA_1AE8_066F)
        var distances: [Double] = []
        for offset in [0.0, 6.0] {
            var bench = try Bench([Self.module("kitchen")]) {
                $0.rules.distance.calibration.receivers[address] = .init(offset: offset)
            }
            bench.say(.listening(.begun(inTurns: false)), address: address)
            bench.pass(20) { bench, _ in bench.hear(rssi: Int8(-66 + offset)) }
            distances.append(bench.receivers.receivers[0].present.first?.distance?.metres ?? 0)
        }
        #expect(distances[0] > 1)
        #expect(abs(distances[0] - distances[1]) < 0.01, "\(distances)")
    }

    @Test("At a reload modules begin to listen and cease to; who was at one that ceases is lost there")
    func reload() throws {
        var bench = try Bench([Self.module("kitchen"), Self.module("hall")])
        bench.say(.listening(.begun(inTurns: false)))
        bench.pass(5) { bench, _ in bench.hear() }
        bench.say(.listening(.begun(inTurns: false)), of: "hall")
        let news = bench.receivers.setModules(
            Inventory(entries: [
                Self.module("stairs"), Self.module("hall", room: "Hall"), Self.module("kitchen", listens: false),
            ]), at: bench.time)
        #expect(news.flatMap(\.events).map { $0.interaction.ending?.reason } == [.lost])
        #expect(news.map { bench.receivers.places[$0.receiver].ear } == ["kitchen"])
        #expect(bench.receivers.moduleReports(at: bench.time).map(\.name) == ["stairs", "hall"])
        #expect(bench.receivers.moduleReports(at: bench.time).map(\.state) == ["waiting", "hearing"])
        #expect(bench.receivers.places[1].room == "Hall")
        bench.events = []
        bench.hear()
        #expect(bench.events.isEmpty)
        #expect(Set(bench.receivers.kept.keys) == ["stairs", "hall"])
    }

    @Test("What was lost of a flood is counted")
    func losses() throws {
        var bench = try Bench([Self.module("kitchen")])
        let batch = HearingQueue.Batch(dropped: 7, unreadable: 2)
        _ = bench.receivers.take(ModuleHearing(module: "kitchen", address: nil, batch: batch), now: bench.now)
        let report = bench.receivers.moduleReports(at: bench.time)[0]
        #expect(report.dropped == 7 && report.unreadable == 2)
    }

    @Test("The clock of a restart is kept: who was at a module is still there when it listens again")
    func restart() throws {
        var bench = try Bench([Self.module("kitchen")])
        bench.say(.listening(.begun(inTurns: false)))
        bench.pass(60) { bench, _ in bench.hear() }
        let kept = bench.receivers.kept
        var next = try Bench([Self.module("kitchen")])
        next.time = bench.time + .seconds(3)
        _ = next.receivers.resume(kept, ofRun: 1, at: next.time)
        next.say(.listening(.begun(inTurns: false)))
        next.pass(30) { bench, _ in bench.hear() }
        #expect(next.events.filter { $0.kind != .updated }.isEmpty)
        #expect(next.receivers.receivers[0].present.count == 1)
    }

    /// Minutes of readings, and the seconds of each that the module is known to have listened.
    private func listened(
        _ minutes: Int, _ each: (inout Bench, Int) -> Void
    ) throws -> [Int] {
        var bench = try Bench([Self.module("kitchen")]) { $0.rules.readingsInterval = .seconds(60) }
        for second in 0..<(60 * minutes) {
            bench.time = bench.time + .seconds(1)
            bench.now += .seconds(1)
            each(&bench, second)
            let news = bench.receivers.advance(isConnected: false, at: bench.time, now: bench.now)
            bench.readings += news.flatMap(\.readings)
        }
        return bench.readings.map { Int($0.listened.components.seconds) }
    }

    @Test("Its minutes say for how long it is known to have listened: all of an empty room's, those of turns, none")
    func readings() throws {
        let empty = try listened(6) { bench, second in
            if second == 0 { bench.say(.listening(.begun(inTurns: false))) }
            if second % 10 == 9 { bench.say(.listening(.confirmed)) }
        }
        #expect(empty.count >= 5)
        #expect(empty.dropFirst().allSatisfy { (50...60).contains($0) }, "\(empty)")
        let turns = try listened(6) { bench, second in
            if second % 60 == 20 { bench.say(.listening(.begun(inTurns: true))) }
            if second % 60 == 25 { bench.say(.listening(.paused)) }
        }
        #expect(turns.dropFirst().allSatisfy { $0 == 5 }, "\(turns)")
        let deaf = try listened(6) { bench, second in
            if second == 0 { bench.say(.listening(.ended(.refused))) }
        }
        #expect(deaf.count >= 5 && deaf.allSatisfy { $0 == 0 }, "\(deaf)")
    }

    // MARK: The inventory

    private static let row = """
        name = "kitchen"
        module = "any"
        uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        major = 3
        minor = 1
        """

    @Test("listen is read from TOML and CSV, and refused where it can't be")
    func inventory() throws {
        #expect(
            try Inventory.parse("[[modules]]\n" + Self.row + "\nlisten = true", path: "a.toml").entries[0].listens)
        #expect(!(try Inventory.parse("[[modules]]\n" + Self.row, path: "a.toml").entries[0].listens))
        let header = "name,module,uuid,major,minor,listen\n"
        let cells = "any,e2c56db5-dffb-48d2-b060-d0f5a71096e0,3,"
        let table = try Inventory.parse(header + "a,\(cells)1,yes\nb,\(cells)2,\nc,\(cells)3,no\n", path: "a.csv")
        #expect(table.entries.map(\.listens) == [true, false, false])
        #expect(
            InventoryFixture.problems(header + "a,\(cells)1,maybe\n", path: "a.csv").first?
                .contains("column listen: found \"maybe\"; must be yes or no") == true)
        #expect(
            InventoryFixture.problems(
                "[[modules]]\n" + Self.row + "\nlisten = true\nkind = \"hm10\"", path: "a.toml"
            ) == ["modules[0].listen: an hm10 cannot listen; must be false, or the kind rs9116"])
    }

    @Test("A module that listens and a remote receiver can't have one name")
    func names() {
        let receiver = "\n[[remote-receivers]]\nname = \"kitchen\"\nkind = \"espresense\""
        let module = "\n[[modules]]\n" + Self.row
        let tests = ConfigurationTests()
        #expect(tests.problems(ConfigurationTests.minimal + receiver + module).isEmpty)
        #expect(
            tests.problems(ConfigurationTests.minimal + receiver + module + "\nlisten = true").contains {
                $0.contains("kitchen is also the name of a module that listens")
            })
    }
}
