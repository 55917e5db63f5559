import Advertisement
import BeaconModel
import ModuleEmulator
import Testing

@testable import ModuleDialogues

/// The macros, run by an interpreter of their language against emulated modules.
@Suite struct TeraTermMacroTests {
    typealias Variation = DriverAgainstEmulatorTests.Variation

    private func run(
        _ dialogue: ScriptedDialogue, _ module: any EmulatedFirmware,
        configuration: BeaconConfiguration = .example, newLine: String = "\r\n"
    ) throws -> MacroInterpreter {
        let script = dialogue.file(.teraterm, configuration: configuration)
        let baudRate = dialogue.module == .rs9116 ? 115_200 : 9600
        var macro = try MacroInterpreter(script.text, module: module, baudRate: baudRate)
        macro.newLine = newLine
        try macro.run()
        return macro
    }

    private func rs9116(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) -> RS9116Emulator {
        var options = RS9116Emulator.Options()
        change(&options)
        return RS9116Emulator(options: options)
    }

    private func hm10(_ change: (inout HM10Emulator.Options) -> Void = { _ in }) -> HM10Emulator {
        var options = HM10Emulator.Options()
        change(&options)
        return HM10Emulator(options: options)
    }

    /// All that don't need a program that decides.
    static let variations = Variation.harmless.filter {
        !["bypassed", "resets itself", "damaged", "lost"].contains(where: $0.testDescription.contains)
    }

    @Test("Provisioning leaves exactly on the air what the driver leaves there", arguments: variations)
    func provision(variation: Variation) throws {
        let macro = try run(.rs9116Provision, rs9116(variation.change))
        var driver = EmulatedSerialLine(rs9116(variation.change), assignment: .example)
        driver.run()
        #expect(macro.module.air == driver.air)
        #expect(
            macro.module.air.data == IBeacon.advertisingData(BeaconConfiguration.example.beacon, measuredPower: -59))
        #expect(
            macro.messages == [
                .init(
                    text: "The module advertises. It stops when it is reset or loses power.",
                    title: "rs9116-provision.ttl")
            ])
    }

    @Test("What a macro has provisioned, the driver leaves alone, with the right interval and transmit power")
    func recognized() throws {
        var wanted = BeaconConfiguration.example
        wanted.interval = try #require(AdvertisingInterval(.milliseconds(250)))
        wanted.transmitPower = 70
        for dialogue in [ScriptedDialogue.rs9116Provision, .rs9116ProvisionConnectable] {
            let macro = try run(dialogue, rs9116(), configuration: wanted)
            var driver = EmulatedSerialLine(macro.module, assignment: wanted)
            driver.run()
            #expect(driver.provisionings.first?.isUnchanged == true)
            #expect(driver.air.intervalUnits == 400)
            #expect(
                String(decoding: macro.sent, as: UTF8.self).contains(
                    RS9116Command.operatingMode(transmitPower: 70).text))
        }
    }

    @Test("A module that refuses non-connectable advertising is named so, and takes the other macro")
    func connectableOnly() throws {
        let module = rs9116 { $0.nonConnectableRejection = 0x4E11 }
        let refused = try run(.rs9116Provision, module)
        #expect(refused.messages.map(\.title) == ["non-connectable advertising"])
        #expect(refused.messages.allSatisfy { $0.text.contains("rejected") })
        let taken = try run(.rs9116ProvisionConnectable, refused.module)
        #expect(taken.module.air.type == 128)
        #expect(taken.module.air.data.count == 30)
    }

    @Test("Who doesn't answer is given up within half a minute, in a message that says when")
    func failures() throws {
        let cases: [(expected: String, change: (inout RS9116Emulator.Options) -> Void)] = [
            ("boot loader", { $0.isMute = true }), ("boot loader", { $0.initialState = .binaryMode }),
            ("loading", { $0.imageIsMissing = true }), ("address", { $0.bluetoothStart = .never }),
        ]
        for (expected, change) in cases {
            let macro = try run(.rs9116Provision, rs9116(change))
            #expect(macro.messages.count == 1)
            #expect(expected == "address" || macro.messages.map(\.title) == [expected])
            #expect(!macro.module.air.advertising)
            #expect(macro.now < .seconds(30))
        }
    }

    @Test("Without CR and LF in the terminal's setup nothing is provisioned, and a message says that")
    func wrongNewLine() throws {
        let macro = try run(.rs9116Provision, rs9116(), newLine: "\r")
        #expect(macro.messages.map(\.title) == ["version"])
        #expect(!macro.module.air.advertising)
        #expect(ScriptedDialogue.rs9116Provision.file(.teraterm).text.contains("Transmit must be CR+LF"))
    }

    @Test(
        "The version macro loads firmware if need be, and disturbs nobody who advertises",
        arguments: [
            Variation("waiting") { _ in }, Variation("only 0x1C") { $0.acceptedABRD = .fileSeparator },
            Variation("slow") { $0.loadingDelay = .seconds(8) }, Variation("menu") { $0.initialState = .menu },
            Variation("running") { $0.initialState = .atMode(opermodeDone: false) },
            Variation("unannounced") { $0.bluetoothStart = .unannounced },
        ])
    func version(variation: Variation) throws {
        let macro = try run(.rs9116Version, rs9116(variation.change))
        #expect(macro.messages.map(\.title) == ["rs9116-version.ttl"])
        #expect(String(decoding: macro.sent, as: UTF8.self).contains("at+rsibt_getlocalbdaddr?"))
        let provisioned = try run(.rs9116Provision, macro.module)
        let again = try run(.rs9116Version, provisioned.module)
        #expect(again.module.air.advertising)
        #expect(again.module.resetCount == provisioned.module.resetCount)
        #expect(again.now < .seconds(1))
    }

    @Test("Stop stops, and reset resets, what a macro has made advertise")
    func stopAndReset() throws {
        for dialogue in [ScriptedDialogue.rs9116Stop, .rs9116Reset] {
            let advertising = try run(.rs9116Provision, rs9116()).module
            #expect(advertising.air.advertising)
            let macro = try run(dialogue, advertising)
            #expect(macro.messages.map(\.title) == [dialogue.rawValue + ".ttl"])
            #expect(!macro.module.air.advertising || dialogue == .rs9116Reset)
            // To a boot loader both are noise.
            let waiting = try run(dialogue, rs9116())
            #expect(waiting.messages.allSatisfy { $0.text.contains("No answer") })
        }
    }

    @Test(
        "An HM-10 advertises what the driver would make it advertise, and is asked about it",
        arguments: [HM10Emulator.Options.MeasuredPowerCommand.meas, .mea])
    func hm10(measuredPower: HM10Emulator.Options.MeasuredPowerCommand) throws {
        var wanted = BeaconConfiguration.example
        wanted.measuredPower = -65
        wanted.transmitPower = 3
        let macro = try run(
            .hm10Provision, hm10 { $0.measuredPowerCommand = measuredPower }, configuration: wanted)
        #expect(macro.messages.map(\.title) == ["hm10-provision.ttl"])
        var driver = EmulatedSerialLine(hm10(), kind: .hm10, assignment: wanted)
        driver.run()
        driver.run(until: .seconds(60))
        #expect(macro.module.air == driver.air)
        #expect(!macro.sent.contains(0x0D))
        var again = EmulatedSerialLine(macro.module, kind: .hm10, assignment: wanted)
        again.run()
        #expect(again.provisionings.first?.isUnchanged == true)
    }

    @Test("An HM-10 without the command for non-connectable advertising advertises connectably")
    func olderHM10() throws {
        let macro = try run(.hm10Provision, hm10 { $0.hasAdvertisingType = false })
        #expect(macro.messages.map(\.title) == ["hm10-provision.ttl"])
        #expect(macro.module.air.type == 128)
    }

    @Test("An HM-10 that lacks a setting, or answers nothing, is named")
    func failingHM10() throws {
        #expect(try run(.hm10Provision, hm10 { $0.isMute = true }).messages.map(\.title) == ["AT"])
        let old = try run(.hm10Provision, hm10 { $0.hasBeaconUUID = false })
        #expect(old.messages.map(\.title) == ["AT+IBE0E2C56DB5"])
        #expect(try run(.hm10Provision, hm10 { $0.needsLineEnd = true }).messages.map(\.title) == ["AT"])
    }

    @Test("Reading an HM-10 changes nothing")
    func reading() throws {
        let module = hm10()
        let macro = try run(.hm10Read, module)
        #expect(macro.messages.map(\.title) == ["hm10-read.ttl"])
        #expect(macro.module.air == module.air)
        #expect(macro.module.resetCount == 0)
        for setting in HM10Setting.allCases {
            #expect(String(decoding: macro.sent, as: UTF8.self).contains(setting.question))
        }
    }
}
