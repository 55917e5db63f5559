import BeaconModel
import HCI
import ModuleDialogues
import Proximity
import RecordContract
import Testing

@testable import GatewayCore

@Suite("RadioCore") struct RadioCoreTests {
    private static let badge = RadioDialogue.badge
    private static let inventory = Inventory(entries: [RadioDialogue.module()])

    private static func isAudible(_ event: AdvertisingWatch.Event) -> Bool {
        if case .audible = event { true } else { false }
    }

    // MARK: Adapters

    @Test("An adapter's condition is reported at every change of its state, and logged when the condition changes")
    func conditions() throws {
        var radio = try RadioDialogue()
        let hearing = RadioDialogue.state(.hearing)
        let opened = radio.say(.state(hearing, source: 0))
        #expect(opened.hearing == [.hearing])
        #expect(opened.notices == [.adapter(name: "hci0", hearing)])
        var repaired = hearing
        repaired.steps = [.rearm: 1]
        let again = radio.say(.state(repaired, source: 0))
        #expect(again.hearing == [.hearing])
        #expect(again.notices.isEmpty)
        let deaf = radio.become(.deaf, reason: .removed)
        #expect(deaf.hearing == [.deaf])
        #expect(deaf.notices == [.adapter(name: "hci0", RadioDialogue.state(.deaf, reason: .removed))])
    }

    /// An adapter that has heard a badge for a second.
    private static func hearingBadge() throws -> RadioDialogue {
        var radio = try RadioDialogue { $0.inventory = inventory }
        _ = radio.say(.started(nil))
        _ = radio.become(.hearing)
        for _ in 0..<10 {
            radio.wait(.milliseconds(100))
            _ = radio.hear(badge)
        }
        return radio
    }

    @Test("An adapter that no longer hears a module is suspect for certain after 6 s")
    func silentModule() throws {
        var radio = try Self.hearingBadge()
        #expect(radio.fallSilent(for: 7).map(\.suspicions) == [[], [], [], [], [], [true], [true]])
    }

    @Test("A module that was just unplugged explains the silence; one that is back does not", arguments: [false, true])
    func unpluggedModule(isBack: Bool) throws {
        var radio = try RadioDialogue { $0.inventory = Self.inventory }
        _ = radio.say(.started(nil))
        _ = radio.become(.hearing)
        _ = radio.report(.advertising)
        for _ in 0..<10 {
            radio.wait(.milliseconds(100))
            _ = radio.hear(Self.badge)
        }
        _ = radio.report(.absent)
        if isBack { _ = radio.report(.provisioning) }
        let suspicions = radio.fallSilent(for: 7).flatMap(\.suspicions)
        #expect(suspicions == (isBack ? [true, true] : []))
    }

    @Test("When unlisted devices fall silent together, the adapter is suspect once, and not for certain")
    func silentStrangers() throws {
        var radio = try RadioDialogue()
        _ = radio.become(.hearing)
        let stranger = BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 1)
        for _ in 0..<80 {
            radio.wait(.milliseconds(500))
            for bits in 1...3 { _ = radio.hear(stranger, address: BluetoothAddress(bits: UInt64(bits))) }
        }
        #expect(radio.fallSilent(for: 20).flatMap(\.suspicions) == [false])
    }

    @Test("A deaf adapter is not suspect")
    func deaf() throws {
        var radio = try Self.hearingBadge()
        _ = radio.become(.deaf, reason: .removed)
        #expect(radio.fallSilent(for: 20).flatMap(\.suspicions).isEmpty)
    }

    @Test("A rescan restarts the adapters that it names, and has one outcome")
    func rescan() throws {
        var radio = try RadioDialogue()
        _ = radio.become(.hearing)
        let all = radio.say(.rescan(nil))
        #expect(all.rescans == [0])
        #expect(all.outcomes.map(\.ok) == [true])
        let none = radio.say(.rescan(AdapterSelector("hci7")))
        #expect(none.rescans.isEmpty)
        #expect(none.outcomes.map(\.ok) == [false])
    }

    // MARK: Modules

    @Test("A beacon is listened for while the inventory names it, and its silence is reported when it no longer does")
    func inventory() throws {
        var radio = try RadioDialogue()
        _ = radio.become(.hearing)
        #expect(radio.hear(Self.badge).ownBeacons == [.listening])
        #expect(radio.say(.inventory(Self.inventory)).ownBeacons.isEmpty)
        let heard = radio.hear(Self.badge).ownBeacons
        #expect(heard.count == 1 && heard.allSatisfy(Self.isAudible))
        let dropped = radio.say(.inventory(Inventory())).ownBeacons
        #expect(dropped == [.silent(Self.badge, address: RadioDialogue.address)])
        #expect(radio.hear(Self.badge).ownBeacons.isEmpty)
    }

    @Test("The modules of the configured inventory are listened for from the start, and not in a replay")
    func started() throws {
        var radio = try RadioDialogue { $0.inventory = Self.inventory }
        #expect(radio.hear(Self.badge).ownBeacons == [.listening])
        _ = radio.say(.started(nil))
        #expect(radio.hear(Self.badge).ownBeacons.contains(where: Self.isAudible))
    }

    @Test("A module's own packets are heard among more copies than are tracked, once its address is known")
    func moduleAddress() throws {
        var radio = try RadioDialogue { $0.inventory = Self.inventory }
        _ = radio.say(.started(nil))
        for copy in 1...64 { _ = radio.hear(Self.badge, address: BluetoothAddress(bits: UInt64(copy))) }
        #expect(radio.hear(Self.badge).ownBeacons.isEmpty)
        #expect(radio.report(.advertising, address: RadioDialogue.address).isEmpty)
        #expect(radio.hear(Self.badge).ownBeacons.contains(where: Self.isAudible))
    }

    @Test("A module's failure is a record")
    func moduleEvent() throws {
        var radio = try RadioDialogue()
        let event = ModuleEvent(
            kind: .failed, time: radio.now.wall, module: "door", port: nil, beacon: Self.badge, state: "failed",
            error: "no answer", remedy: "unplug it")
        #expect(radio.say(.moduleEvent(event)).records.map(\.topic).count == 1)
    }

    // MARK: Phones

    @Test("A phone is handed on to be asked for its code, and is another subject once it has given it")
    func learned() throws {
        var radio = try RadioDialogue {
            $0.exchange.rules = ExchangeRules(apps: [.c19x])
            $0.pseudonymSecret = Array(repeating: 9, count: 16)
            $0.place.beacon = BeaconID(uuid: Self.badge.uuid, major: 9, minor: 9)
        }
        // A list of the one service FFFFFFFF-EEEE-DDDD-0000-000000000000.
        let service: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0xDD, 0xDD, 0xEE, 0xEE, 0xFF, 0xFF, 0xFF, 0xFF]
        let advertisement: [UInt8] = [0x11, 0x07] + service
        let peer = ExchangePeer(app: .c19x, address: RadioDialogue.address, isAddressPublic: false)
        let first = radio.hear([advertisement])
        #expect(first.phones.map(\.peer) == [peer])
        #expect(first.records.count == 1)
        radio.wait(.seconds(1))
        #expect(radio.hear([advertisement]).records.isEmpty)
        #expect(radio.say(.learned(LearnedCode(peer: peer, code: 42, time: radio.now.wall))).isEmpty)
        radio.wait(.seconds(1))
        let known = radio.hear([advertisement])
        #expect(known.phones.map(\.peer) == [peer])
        #expect(known.records.count == 1)
    }

    // MARK: Remote receivers

    @Test("What a remote receiver hears is a record that names it, and its state follows its clock")
    func remote() throws {
        var radio = try RadioDialogue {
            $0.remoteReceivers = [RemoteReceiverConfiguration(name: "porch", kind: .espresense)]
        }
        let reading = RemoteReceiverMessage.Reading(
            beacon: Self.badge, rssi: try #require(RSSI(dBm: -60)), measuredPower: -59)
        let packet = RemoteReceiverPacket(
            receiver: 0, time: radio.now.wall, contents: .success(.heard(reading)), dropped: 0)
        let heard = radio.say(.remote(packet)).published
        #expect(heard.count == 1)
        #expect(heard.first?.contains(#""ear":"porch""#) == true, "\(heard)")
        radio.wait(.seconds(1))
        let states = radio.say(.remoteClock(isConnected: true, at: radio.now.wall)).compactMap { output in
            if case .receivers(let reports, let modules) = output { (reports.count, modules.count) } else { nil }
        }
        #expect(states.map { [$0.0, $0.1] } == [[1, 0]])
    }

    @Test("A record says whether the clock was synchronized when its input was handled", arguments: [true, false])
    func clock(isSynchronized: Bool) throws {
        var radio = try RadioDialogue()
        radio.now.isSynchronized = isSynchronized
        let records = radio.hear(Self.badge).published
        let clock = isSynchronized ? "\"synchronized\"" : "\"unsynchronized\""
        #expect(records.count == 1)
        #expect(records.first?.contains(clock) == true, "\(records)")
    }

    // MARK: What is due

    @Test("Counts are handed on every 200 ms at most")
    func counts() throws {
        var radio = try RadioDialogue()
        #expect(radio.hear(Self.badge).counts.map(\.reports) == [1])
        radio.wait(.milliseconds(199))
        #expect(radio.hear(Self.badge).counts.isEmpty)
        radio.wait(.milliseconds(1))
        #expect(radio.hear(Self.badge).counts.map(\.reports) == [3])
    }

    @Test("That there are too many subjects is logged once an hour at most, with the packets since the last time")
    func crowding() throws {
        var radio = try RadioDialogue {
            $0.rules.capacity = 1
            $0.rules.silence = .fixed(.seconds(60))
        }
        let other = BeaconID(uuid: Self.badge.uuid, major: 3, minor: 2)
        var notices: [Int: [RadioOutput.Notice]] = [:]
        for second in stride(from: 0, through: 3600, by: 10) {
            let heard = radio.hear(Self.badge, other).notices
            if !heard.isEmpty { notices[second] = heard }
            radio.wait(.seconds(10))
        }
        #expect(notices == [0: [.crowded(packets: 1)], 3600: [.crowded(packets: 360)]])
    }

    @Test("A batch that brings nothing has no output")
    func nothing() throws {
        var radio = try RadioDialogue()
        _ = radio.hear(Self.badge)
        radio.wait(.milliseconds(100))
        #expect(radio.hear(Self.badge).isEmpty)
    }

    // MARK: Presence

    @Test("The presence is written in full at first and every minute, and the subjects heard every 5 s")
    func keeping() throws {
        var radio = try RadioDialogue(keepsPresence: true)
        #expect(radio.say(.started(nil)).deliveries.map { $0.presence != nil } == [true])
        var snapshots: [Int] = []
        var notes: [Int] = []
        for second in 0...65 {
            for delivery in radio.hear(Self.badge).deliveries {
                if delivery.presence != nil { snapshots.append(second) }
                if !delivery.ended.isEmpty { notes.append(second) }
            }
            radio.wait(.seconds(1))
        }
        #expect(snapshots == [0, 60])
        #expect(notes == Array(stride(from: 5, to: 60, by: 5)) + [65])
    }

    @Test("Where the presence is not persisted, it is in no delivery")
    func unkept() throws {
        var radio = try RadioDialogue()
        #expect(radio.say(.started(nil)).isEmpty)
        let deliveries = radio.hear(Self.badge).deliveries + radio.say(.stopped).deliveries
        #expect(deliveries.count == 2)
        #expect(deliveries.allSatisfy { $0.presence == nil })
    }

    @Test("At the end the interactions end, and what is persisted afterwards has none of them")
    func stopped() throws {
        var radio = try RadioDialogue(keepsPresence: true)
        _ = radio.say(.started(nil))
        #expect(radio.hear(Self.badge).records.count == 1)
        radio.wait(.seconds(1))
        let end = radio.say(.stopped).deliveries
        #expect(end.map(\.records.count) == [1, 0])
        #expect(end.map { $0.presence == nil } == [true, false])
        let kept = try #require(end.last?.presence)
        var next = try RadioDialogue(keepsPresence: true)
        next.wait(.seconds(2))
        #expect(next.say(.started(kept)).records.isEmpty)
    }
}
