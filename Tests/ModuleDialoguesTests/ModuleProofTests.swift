import Advertisement
import BeaconModel
import ModuleEmulator
import TestValues
import Testing

@testable import ModuleDialogues

/// A module counts as provisioned only while it advertises what it was assigned, whatever others do to it.
@Suite struct ModuleProofTests {
    private static let wanted = BeaconConfiguration(
        beacon: BeaconID(
            uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2),
        measuredPower: -59)
    private static let data = IBeacon.advertisingData(wanted.beacon, measuredPower: -59)
    private static let strange = IBeacon.advertisingData(
        BeaconID(uuid: ProximityUUID(bits: 0xBAD), major: 7, minor: 7), measuredPower: -40)

    private static func provisioned(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) -> EmulatedSerialLine {
        var options = RS9116Emulator.Options()
        change(&options)
        var line = EmulatedSerialLine(RS9116Emulator(options: options), assignment: wanted)
        line.run()
        return line
    }

    /// Somebody at a terminal sends commands to the module and reads the answers.
    private static func type(_ commands: [RS9116Command], into module: inout any EmulatedFirmware) {
        for command in commands { _ = module.receive(command.bytes, baud: 115_200) }
    }

    @Test(
        "A module that somebody has given other advertising data at a terminal is put right, although it has its mark",
        arguments: [AdvertisingType.nonConnectable, .connectable],
        [RS9116Emulator.Options.DataWhileAdvertising.takesEffect, .refused])
    func stranger(type: AdvertisingType, data: RS9116Emulator.Options.DataWhileAdvertising) throws {
        var module = Self.provisioned { $0.advertisingDataWhileAdvertising = data }.module
        let interval = AdvertisingInterval.appleIBeacon
        Self.type(
            [
                .stopAdvertising(.nonConnectable, interval), .setAdvertisingData(Self.strange),
                .advertise(type, interval),
            ], into: &module)
        try #require(module.air.data == Self.strange)
        var again = EmulatedSerialLine(module, assignment: Self.wanted)
        again.run()
        #expect(again.provisionings.count == 1)
        #expect(again.air.data == Self.data)
        #expect(again.air.type == 131)
        #expect(again.air.intervalUnits == 160)
    }

    @Test("A module that takes no stop, or any start, is put right too")
    func strangerAtOthers() throws {
        for change: (inout RS9116Emulator.Options) -> Void in [
            { $0.stopForm = .statusOnly }, { $0.doubleStart = .accepted },
            { $0.stopWhileStoppedIsDisallowed = true },
        ] {
            var module = Self.provisioned(change).module
            Self.type([.setAdvertisingData(Self.strange)], into: &module)
            try #require(module.air.data == Self.strange)
            var again = EmulatedSerialLine(module, assignment: Self.wanted)
            again.run()
            #expect(again.provisionings.count == 1)
            #expect(again.air.data == Self.data)
        }
    }

    @Test("A phone that connects between the start and the naming is sent away", arguments: [true, false])
    func phoneInBetween(isTold: Bool) throws {
        var options = RS9116Emulator.Options()
        options.nonConnectableRejection = 0x4E11
        var line = EmulatedSerialLine(RS9116Emulator(options: options), assignment: Self.wanted)
        line.run(until: .seconds(60)) { $0.air.advertising }
        try #require(line.provisionings.isEmpty && line.air.type == 128)
        line.disturb { isTold ? $0.centralConnects() : { _ in [] }($0.centralConnects()) }
        try #require(!line.air.advertising)
        line.run()
        #expect(line.provisionings.count == 1)
        #expect(line.failure == nil)
        // Whose address isn't known can't be told to leave: a reset ends the connection.
        let isSentAway = line.sent.contains { $0.starts(with: "at+rsibt_disconnect=".utf8) }
        #expect(isSentAway == isTold)
        #expect(line.air.advertising)
        #expect(line.air.data == Self.data)
    }

    @Test("A phone whose coming the module didn't tell is noticed by the next look, and sent away")
    func phoneUnnoticed() throws {
        var line = Self.provisioned { $0.nonConnectableRejection = 0x4E11 }
        try #require(line.provisionings.first?.advertisingType == .connectable)
        line.disturb { { _ in [] }($0.centralConnects()) }
        try #require(!line.air.advertising)
        line.run(until: line.now + .seconds(120))
        #expect(line.losses == [.central])
        #expect(line.air.advertising)
    }

    @Test(
        "A module whose boot loader is bypassed isn't spoilt while its firmware starts",
        arguments: [100, 900, 1600, 2500])
    func slowBypass(milliseconds: Int) {
        let line = Self.provisioned {
            $0.bypassesBootloader = true
            $0.initialState = .atMode(opermodeDone: true)
            $0.resetDelay = .milliseconds(milliseconds)
        }
        #expect(line.provisionings.count == 1)
        #expect(line.failure == nil)
        #expect(line.air.data == Self.data)
    }

    @Test("A module that is silent after a reset isn't said to have answered")
    func silentSinceReset() {
        let line = Self.provisioned {
            $0.bypassesBootloader = true
            $0.initialState = .atMode(opermodeDone: true)
            $0.resetDelay = .seconds(300)
        }
        #expect(line.failure == .silentSinceReset)
    }

    @Test("Answers that come late never pass for others", arguments: [1900, 2100, 2500, 3500, 5000, 8000])
    func lateAnswers(milliseconds: Int) {
        for refusal: UInt16? in [nil, 0x4E11] {
            for state: RS9116Emulator.Options.InitialState in [.waitingForABRD, .atMode(opermodeDone: true)] {
                let line = Self.provisioned {
                    $0.responseDelay = .milliseconds(milliseconds)
                    $0.nonConnectableRejection = refusal
                    $0.initialState = state
                }
                if milliseconds <= 5000 {
                    #expect(line.failure == nil, "\(state)")
                    #expect(line.provisionings.count == 1, "\(state)")
                }
                guard let module = line.provisionings.first else { continue }
                #expect(line.air.advertising)
                #expect(line.air.data == Self.data)
                #expect(line.air.type == module.advertisingType.rawValue)
                #expect(module.advertisingType == (refusal == nil ? .nonConnectable : .connectable))
            }
        }
    }

    @Test(
        "Answers that come late, each after another time, never pass for others",
        arguments: [1, 2, 3, 4, 6, 9])
    func latenessThatVaries(most: Int) {
        var provisioned = 0
        for seed in 1...150 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let delays = (0..<97).map { _ in Duration.milliseconds(Int.random(in: 0...most * 1000, using: &generator)) }
            for refusal: UInt16? in [nil, 0x4E12] {
                var line = Self.provisioned {
                    $0.responseDelays = delays
                    $0.nonConnectableRejection = refusal
                    $0.initialState = .atMode(opermodeDone: true)
                }
                guard let module = line.provisionings.first else { continue }
                provisioned += 1
                let words: Comment = "up to \(most) s, seed \(seed), refusal \(String(describing: refusal))"
                // What is underway doesn't change it.
                line.run(until: line.now + .seconds(20)) { !$0.losses.isEmpty }
                #expect(line.air.advertising, words)
                #expect(line.air.data == Self.data, words)
                #expect(line.air.type == module.advertisingType.rawValue, words)
                #expect(module.advertisingType == (refusal == nil ? .nonConnectable : .connectable), words)
                #expect(line.identity?.address == module.address, words)
                #expect(module.firmware.contains("."), words)
            }
        }
        print("\(provisioned) of 300 modules with answers after up to \(most) s were provisioned")
        if most <= 3 { #expect(provisioned >= 290) }
    }

    @Test("A phone that connects again as soon as the module advertises is sent away again")
    func phoneComesBack() {
        var options = RS9116Emulator.Options()
        options.nonConnectableRejection = 0x4E11
        var line = EmulatedSerialLine(RS9116Emulator(options: options), assignment: Self.wanted)
        for _ in 1...3 {
            line.run(until: .seconds(60)) { $0.air.advertising && $0.air.type == 128 }
            #expect(line.provisionings.isEmpty)
            line.disturb { $0.centralConnects() }
        }
        line.run()
        #expect(line.provisionings.first?.advertisingType == .connectable)
        #expect(line.failure == nil)
        #expect(line.air.advertising)
    }

    @Test(
        "A module to which somebody connects whenever it advertises isn't on the air, and that is said",
        arguments: [true, false])
    func phoneStays(takesDisconnect: Bool) {
        var options = RS9116Emulator.Options()
        options.nonConnectableRejection = 0x4E11
        options.takesDisconnect = takesDisconnect
        var line = EmulatedSerialLine(RS9116Emulator(options: options), assignment: Self.wanted)
        for _ in 1...100 where line.failure == nil {
            line.run(until: line.now + .seconds(60)) { $0.air.advertising || $0.failure != nil }
            line.disturb { $0.centralConnects() }
        }
        #expect(line.provisionings.isEmpty)
        guard case .keepsBeingConnected = line.failure else {
            Issue.record("\(String(describing: line.failure))")
            return
        }
    }

    @Test("A module that was found with its data is told to be connectable when it is")
    func connectableAgain() {
        let module = Self.provisioned { $0.nonConnectableRejection = 0x4E11 }.module
        var again = EmulatedSerialLine(module, assignment: Self.wanted)
        again.run()
        #expect(again.provisionings.first?.isUnchanged == true)
        #expect(again.steps.suffix(2) == [.onlyConnectable, .sentAgain(.connectable, .appleIBeacon)])
    }

    @Test(
        "Damaged bytes on the way to the module lead to another try, not to a worse configuration",
        arguments: [0.001, 0.005])
    func damagedBytes(share: Double) {
        var failures = 0
        for seed in 1...100 as ClosedRange<UInt64> {
            let line = Self.provisioned {
                $0.damagedInput = share
                $0.seed = seed
            }
            guard let module = line.provisionings.first else {
                failures += 1
                continue
            }
            #expect(module.advertisingType == .nonConnectable, "seed \(seed)")
            #expect(line.air.advertising, "seed \(seed)")
        }
        // What can't be made good: a damaged first command, after which the module hears nothing until its reset.
        #expect(failures <= (share < 0.002 ? 2 : 8), "\(failures) of 100")
        print("\(failures) of 100 modules failed with \(share * 100) % of the bytes damaged")
    }
}
