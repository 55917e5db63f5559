import Advertisement
import BeaconModel
import ModuleEmulator
import SystemIO
import Testing

@testable import ModuleDialogues
@testable import ModuleDialoguesTests

/// Every assumption of the driver, with a module for which it holds and one for which it doesn't.
@Suite struct AssumptionTests {
    /// A module, and what is asked of it.
    struct Setting {
        var options = RS9116Emulator.Options()
        var areControlLinesWired = false
        var transmitPower: Int?
        var listens = false
        /// What the driver ends with that knows nothing of the module, and that knows what a probe found.
        var failure: (unknown: ProvisioningError?, known: ProvisioningError?) = (nil, nil)
        var type = 131
        /// What a probe finds; `nil` for what it can't.
        var finds: Bool?
    }

    /// A new assumption doesn't compile without a setting here.
    static func setting(_ assumption: RS9116Assumption, holds: Bool) -> Setting {
        var setting = Setting(finds: holds)
        switch assumption {
        case .handshakeWith7C: setting.options.acceptedABRD = holds ? .verticalBar : .fileSeparator
        case .nonConnectable:
            setting.options.nonConnectableRejection = holds ? nil : 0x4E11
            setting.type = holds ? 131 : 128
        case .bluetoothAnnounced: setting.options.bluetoothStart = holds ? .announced : .unannounced
        case .stopTakesAllParameters:
            setting.options.stopForm = holds ? .allParameters : .statusOnly
            // After address, data and name of a fresh module comes the start, whose answer is lost.
            setting.options.lostReplies = [5]
        case .nameReadable: setting.options.localNameReply = holds ? .nameOnly : .refused
        case .softReset:
            setting.options.initialState = .atMode(opermodeDone: true)
            setting.options.softReset = holds ? .works : .ignored
            setting.areControlLinesWired = true
        case .doubleStartRefused:
            setting.options.doubleStart = holds ? .refused : .accepted
            // Only connectable advertising is asked after.
            setting.options.nonConnectableRejection = 0x4E11
            setting.type = 128
        case .controlLinesReset:
            setting.options.initialState = .atMode(opermodeDone: true)
            setting.options.softReset = .refused
            setting.areControlLinesWired = holds
            if !holds { setting.failure = (.doesNotReset, .doesNotReset) }
        case .bootLoaderWaits:
            setting.options.initialState = .atMode(opermodeDone: true)
            setting.options.bypassesBootloader = !holds
        case .loadingAnnounced: setting.options.loadingIsAnnounced = holds
        case .commonErrorsInASCII:
            setting.options.initialState = .atMode(opermodeDone: false)
            setting.options.commonErrors = holds ? .ascii : .binary
        case .powerInOperatingMode:
            setting.options.powerInOpermodeRejection = holds ? nil : 0x0026
            setting.transmitPower = 12
        case .scanBesideAdvertising:
            setting.options.scanning = holds ? .besideAdvertising : .endsAdvertising
            (setting.listens, setting.finds) = (true, nil)
        case .secondScanRefused:
            setting.options.doubleScan = holds ? .refused : .accepted
            (setting.listens, setting.finds) = (true, nil)
        }
        return setting
    }

    static func beacon(_ setting: Setting) -> BeaconConfiguration {
        BeaconConfiguration(
            beacon: BeaconID(
                uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2),
            measuredPower: -59, transmitPower: setting.transmitPower)
    }

    private func provision(_ setting: Setting, _ profile: RS9116Profile) -> EmulatedSerialLine {
        let beacon = Self.beacon(setting)
        var line = EmulatedSerialLine(
            RS9116Emulator(options: setting.options), assignment: beacon, expected: beacon, profile: profile)
        line.controlLinesReset = setting.areControlLinesWired
        if setting.listens { line.tell(.listen(true)) }
        line.run()
        // Long enough for several looks whether all is well.
        line.run(until: line.now + .seconds(100))
        return line
    }

    private func probe(_ setting: Setting) -> EmulatedSerialLine {
        var options = setting.options
        options.lostReplies = []
        var line = EmulatedSerialLine(probing: RS9116Emulator(options: options))
        line.controlLinesReset = setting.areControlLinesWired
        line.run()
        return line
    }

    private func check(_ line: EmulatedSerialLine, _ setting: Setting, _ failure: ProvisioningError?) {
        #expect(line.failure == failure, "\(line.steps)")
        guard failure == nil else { return }
        #expect(line.air.advertising, "\(line.steps)")
        #expect(line.air.type == setting.type)
        #expect(line.air.data == IBeacon.advertisingData(Self.beacon(setting).beacon, measuredPower: -59))
    }

    @Test(
        "The driver ends with the right bytes on the air whether an assumption holds or not, with and without a profile",
        arguments: RS9116Assumption.allCases, [true, false])
    func bothWays(assumption: RS9116Assumption, holds: Bool) async throws {
        try await DedicatedThread.run(name: "assumption") {
            let setting = Self.setting(assumption, holds: holds)
            check(provision(setting, RS9116Profile()), setting, setting.failure.unknown)
            let probing = probe(setting)
            let report = probing.probed
            #expect(report != nil, "\(String(describing: probing.failure)) \(probing.steps)")
            #expect(
                report?.profile[assumption] == setting.finds,
                "\(report?.findings.map { $0.question + ": " + $0.conclusion } ?? [])")
            #expect(probing.now < .seconds(90))
            // As it comes back from its file.
            let file = report.map { RS9116ProfileFile($0, date: "2020-11-15T12:00:00.000Z") }
            let profile = file.flatMap { try? RS9116ProfileFile(Array($0.text.utf8)) }?.profile
            #expect(profile == report?.profile)
            check(provision(setting, profile ?? RS9116Profile()), setting, setting.failure.known)
        }
    }

    @Test("The lost answer of the setting for stopping does make the driver stop, unless it knows better")
    func stops() {
        func stops(_ profile: RS9116Profile) -> Bool {
            provision(Self.setting(.stopTakesAllParameters, holds: false), profile).sent
                .contains { String(decoding: $0, as: UTF8.self).hasPrefix("at+rsibt_advertise=0") }
        }
        #expect(stops(RS9116Profile()))
        #expect(!stops(RS9116Profile([.stopTakesAllParameters: false])))
    }

    @Test("A profile that is the contrary of the truth costs time, but not the module")
    func wrongProfiles() {
        for assumption in RS9116Assumption.allCases {
            for holds in [true, false] {
                var setting = Self.setting(assumption, holds: holds)
                let line = provision(setting, RS9116Profile([assumption: !holds]))
                // The one thing that nobody would notice.
                if assumption == .nonConnectable { setting.type = 128 }
                switch (assumption, holds) {
                // Told that there is no way to reset it.
                case (.controlLinesReset, _): #expect(line.failure == .doesNotReset)
                // Told that the boot loader waits, the driver sends the handshake first, which spoils the firmware's
                // first command.
                case (.bootLoaderWaits, false): #expect(line.failure != nil)
                default: check(line, setting, nil)
                }
            }
        }
    }
}
