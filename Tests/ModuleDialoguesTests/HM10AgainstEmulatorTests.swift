import Advertisement
import BeaconModel
import ModuleEmulator
import Testing

@testable import ModuleDialogues

/// The second kind of module, which needs nothing of the code around its dialogue.
@Suite struct HM10AgainstEmulatorTests {
    private static let wanted = BeaconConfiguration(
        beacon: BeaconID(
            uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 3, minor: 65535),
        measuredPower: -62, interval: ModuleKind.hm10.nearest(to: .appleIBeacon), transmitPower: 3)

    private func line(
        _ assignment: BeaconConfiguration? = wanted, _ change: (inout HM10Emulator.Options) -> Void = { _ in }
    ) -> EmulatedSerialLine {
        var options = HM10Emulator.Options()
        change(&options)
        var line = EmulatedSerialLine(HM10Emulator(options: options), kind: .hm10, assignment: assignment)
        line.run()
        return line
    }

    private static let data = IBeacon.advertisingData(wanted.beacon, measuredPower: -62)

    struct Variation: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout HM10Emulator.Options) -> Void

        static let harmless: [Variation] = [
            .init(testDescription: "as delivered") { _ in },
            .init(testDescription: "115200 baud") { $0.baud = 115_200 },
            .init(testDescription: "1200 baud") { $0.baud = 1200 },
            .init(testDescription: "commands need a line end") { $0.needsLineEnd = true },
            .init(testDescription: "either style") { $0.acceptsAnyStyle = true },
            .init(testDescription: "replies with a line end") { $0.repliesWithLineEnd = true },
            .init(testDescription: "MEA instead of MEAS") { $0.measuredPowerCommand = .mea },
            .init(testDescription: "a central is connected") { $0.centralIsConnected = true },
            .init(testDescription: "one byte at a time") { $0.oneBytePerChunk = true },
            .init(testDescription: "slow to see the end of a command") { $0.commandGap = .milliseconds(200) },
            .init(testDescription: "answers after 200 ms") { $0.responseDelay = .milliseconds(200) },
            .init(testDescription: "a byte lost now and then") { $0.droppedBytePeriod = 61 },
        ]
    }

    @Test(
        "A module that can be provisioned is, and has exactly the wanted bytes on the air",
        arguments: Variation.harmless)
    func provisions(variation: Variation) throws {
        let line = line(Self.wanted, variation.change)
        #expect(line.failure == nil, "\(line.steps)")
        let module = try #require(line.provisionings.first)
        #expect(!module.isUnchanged)
        #expect(module.advertisingType == .nonConnectable)
        #expect(line.air.data == Self.data)
        #expect(line.air.intervalUnits == 160)
    }

    @Test("Answers that come late never pass for others", arguments: [400, 600, 900, 1400, 2500])
    func lateAnswers(milliseconds: Int) {
        let line = line(Self.wanted) { $0.responseDelay = .milliseconds(milliseconds) }
        #expect(line.provisionings.isEmpty == (line.failure != nil))
        if !line.provisionings.isEmpty { #expect(line.air.data == Self.data) }
    }

    @Test("The late value of one setting isn't taken for that of the next", arguments: [550, 600])
    func lateValue(milliseconds: Int) throws {
        var before = Self.wanted
        before.beacon.major = 9
        before.beacon.minor = 5
        var options = HM10Emulator.Options()
        options.responseDelay = .milliseconds(milliseconds)
        var line = EmulatedSerialLine(HM10Emulator(options: options), kind: .hm10, assignment: before)
        line.run()
        try #require(line.provisionings.count == 1)
        // The major that it has is the minor that it shall have.
        var wanted = before
        wanted.beacon.minor = 9
        var again = EmulatedSerialLine(line.module, kind: .hm10, assignment: wanted)
        again.run()
        #expect(again.provisionings.count == 1)
        #expect(again.air.data == IBeacon.advertisingData(wanted.beacon, measuredPower: -62))
    }

    @Test("What it has already isn't set again, and it isn't reset")
    func idempotent() throws {
        var first = line()
        first.run(until: .seconds(60))
        var again = EmulatedSerialLine(first.module, kind: .hm10, assignment: Self.wanted)
        again.run()
        #expect(again.provisionings.first?.isUnchanged == true)
        #expect(again.changes == [])
    }

    @Test("A single difference is a single command and a reset")
    func difference() {
        let first = line()
        var wanted = Self.wanted
        wanted.beacon.minor = 7
        var again = EmulatedSerialLine(first.module, kind: .hm10, assignment: wanted)
        again.run()
        #expect(again.changes == ["AT+MINO0x0007", "AT+RESET"])
        #expect(again.identity?.applied == .readBack(Self.wanted))
    }

    @Test("Without AT+ADTY it is connectable, and that is said")
    func connectable() {
        let line = line { $0.hasAdvertisingType = false }
        #expect(line.provisionings.first?.advertisingType == .connectable)
        #expect(line.air.data == Self.data)
    }

    @Test("Firmware that can't have another UUID, or no measured power, is named by the command that it lacks")
    func oldFirmware() {
        #expect(line { $0.hasBeaconUUID = false }.failure == .settingRefused(command: "AT+IBE0?"))
        #expect(line { $0.measuredPowerCommand = .missing }.failure == .settingRefused(command: "AT+MEAS?"))
    }

    @Test("Silence and noise end within half a minute")
    func silence() {
        let mute = line { $0.isMute = true }
        #expect(mute.failure == .silent)
        #expect(mute.now < .seconds(30))
        let noise = line { $0.corruptedBytePeriod = 1 }
        #expect(noise.failure != nil)
        #expect(noise.now < .seconds(60))
    }

    @Test("A central that connects is sent away, and the beacon is on the air again")
    func central() {
        var line = line(Self.wanted) {
            $0.hasAdvertisingType = false
            $0.announcesConnections = true
        }
        line.disturb { $0.centralConnects() }
        #expect(!line.air.advertising)
        line.run(until: line.now + .seconds(300))
        #expect(line.failure == nil)
        #expect(line.losses == [.central])
        #expect(line.air.data == Self.data)
    }

    @Test(
        "Whatever it is told while it is well, it stays well",
        arguments: [LineInput<ModuleRequest>.opened, .check, .provisionAgain])
    func disturbed(input: LineInput<ModuleRequest>) {
        var line = line()
        line.tell(.check)
        line.tell(input)
        line.run(until: line.now + .seconds(300))
        #expect(line.failure == nil)
        #expect(line.air.data == Self.data)
    }

    @Test("A new assignment that changes nothing in the module is confirmed, and is nobody's change")
    func sameSettings() {
        var line = line()
        var wanted = Self.wanted
        wanted.transmitPower = nil
        line.tell(.assigned(wanted))
        line.run(until: line.now + .seconds(300))
        #expect(line.failure == nil)
        #expect(line.losses == [])
        #expect(line.provisionings.count == 2)
        wanted.beacon.minor = 4
        line.tell(.assigned(wanted))
        line.run(until: line.now + .seconds(300))
        #expect(line.losses == [])
        #expect(line.provisionings.last?.configuration == wanted)
    }

    @Test("Somebody else's change is found at the next look and undone")
    func changed() {
        var line = line()
        line.disturb { $0.receive(Array("AT+MARJ0x0009".utf8), baud: 9600) }
        line.run(until: line.now + .seconds(120))
        #expect(line.losses == [.changed])
        #expect(line.air.data == Self.data)
    }
}

extension EmulatedSerialLine {
    /// The commands that were no questions.
    fileprivate var changes: [String] {
        sent.map { String(decoding: $0, as: UTF8.self) }.filter {
            !["AT", "AT\r\n"].contains($0) && !$0.hasSuffix("?")
        }
    }
}
