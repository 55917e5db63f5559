import Advertisement
import BeaconModel
import EmulatedModules
import Glibc
import ModuleEmulator
import TestSupport
import Testing

@testable import ModuleDialogues
@testable import ModuleDialoguesTests

/// The real chat of Debian's package ppp, started as the scripts say, at the port of an emulated module.
enum Chat {
    static var isInstalled: Bool { access("/usr/sbin/chat", X_OK) == 0 }

    /// - Returns: chat's status, and what a person saw.
    static func run(
        _ dialogue: ScriptedDialogue, _ module: EmulatedModule, configuration: BeaconConfiguration = .example
    ) async throws -> (status: Int32, shown: String) {
        let directory = try TemporaryDirectory()
        let script = dialogue.file(.chat, configuration: configuration)
        let path = try directory.write(script.name, script.text)
        // The line of the script's own head.
        let line = script.text.split(separator: "\n").first { $0.contains("stty -F PORT") }
        let command = String(line?.dropFirst(2) ?? "")
            .replacing("PORT", with: module.portPath).replacing(script.name, with: path)
            .replacing("chat -s", with: "chat -S -s")
        let (status, output, errors) = try await ChildProcess.run("sh", ["-c", command])
        return (status, (output + errors).joined(separator: "\n"))
    }
}

@Suite(.enabled(if: Chat.isInstalled, "chat isn't installed (package ppp)"), .timeLimit(.minutes(10)))
struct ChatScriptTests {
    typealias Variation = DriverAgainstEmulatorTests.Variation

    private func rs9116(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) -> RS9116Emulator.Options {
        var options = RS9116Emulator.Options()
        change(&options)
        return options
    }

    static let variations: [Variation] = [
        Variation("as delivered") { _ in },
        Variation("takes only 0x1C, with Silicon Labs' boot loader") {
            $0.acceptedABRD = .fileSeparator
            $0.bootloader = .siliconLabs
        },
        Variation("slow loading, with noise and warnings") {
            $0.loadingDelay = .seconds(6)
            $0.invalidOptionNoise = true
            $0.bootWarnings = [.configurationNotSaved, .checksumFailed]
            $0.extraBlankLines = 3
        },
        Variation("at the menu already") { $0.initialState = .menu },
        Variation("firmware running with Bluetooth on") { $0.initialState = .atMode(opermodeDone: true) },
        Variation("firmware loaded, without its first command") { $0.initialState = .firmwareLoaded },
        Variation("bt_loaded never said, events before each OK") {
            $0.bluetoothStart = .unannounced
            $0.eventBeforeOK = true
        },
        Variation("one byte at a time, realistic delays, no NUL in the version, no names") {
            $0.oneBytePerChunk = true
            $0.responseDelay = .milliseconds(10)
            $0.nulInVersionReply = false
            $0.refusesLocalName = 0x4FF8
        },
    ]

    @Test("chat leaves exactly on the air what the driver leaves there", arguments: variations)
    func provision(variation: Variation) async throws {
        let options = rs9116(variation.change)
        let module = try EmulatedModule(options: options)
        defer { module.stop() }
        let (status, shown) = try await Chat.run(.rs9116Provision, module)
        #expect(status == 0, "\(shown)")
        var driver = EmulatedSerialLine(RS9116Emulator(options: options), assignment: .example)
        driver.run()
        #expect(driver.air.advertising)
        #expect(module.currentAir == driver.air)
        #expect(
            module.currentAir.json
                == #"{"advertising":true,"type":131,"intervalMs":100,"data":"0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5"}"#
        )
        #expect(shown.contains("OK 88-DA-1A-E8-06-6F"), "\(shown)")
        #expect(shown.contains("The module advertises."), "\(shown)")
    }

    @Test("A module that refuses non-connectable advertising ends it with status 4, and takes the other script")
    func connectableOnly() async throws {
        let module = try EmulatedModule(options: rs9116 { $0.nonConnectableRejection = 0x4E11 })
        defer { module.stop() }
        let (status, shown) = try await Chat.run(.rs9116Provision, module)
        #expect(status == 4, "\(shown)")
        #expect(!module.currentAir.advertising)
        let (again, _) = try await Chat.run(.rs9116ProvisionConnectable, module)
        #expect(again == 0)
        #expect(module.currentAir.type == 128)
        #expect(
            module.currentAir.data == IBeacon.advertisingData(BeaconConfiguration.example.beacon, measuredPower: -59))
    }

    @Test(
        "Who doesn't answer rightly is given up with a status other than 0",
        arguments: [
            Variation("mute") { $0.isMute = true }, Variation("stuck in binary mode") { $0.initialState = .binaryMode },
            Variation("no firmware") { $0.imageIsMissing = true },
            Variation("every byte damaged") { $0.corruptedBytePeriod = 1 },
        ])
    func failures(variation: Variation) async throws {
        let module = try EmulatedModule(options: rs9116(variation.change))
        defer { module.stop() }
        let (status, shown) = try await Chat.run(.rs9116Provision, module)
        // 3: no answer came in time. 1: on a busy machine, chat's own sending took longer than the answer may take.
        #expect([1, 3].contains(status), "\(shown)")
        #expect(!module.currentAir.advertising)
    }

    @Test("Version, stop and reset do what they say to a module that advertises")
    func life() async throws {
        let module = try EmulatedModule(options: rs9116())
        defer { module.stop() }
        let (fresh, address) = try await Chat.run(.rs9116Version, module)
        #expect(fresh == 0, "\(address)")
        #expect(address.contains("OK1610.2.5.2.0.4") && address.contains("OK 88-DA-1A-E8-06-6F"), "\(address)")
        #expect(try await Chat.run(.rs9116Provision, module).status == 0)
        #expect(try await Chat.run(.rs9116Version, module).status == 0)
        #expect(module.currentAir.advertising)
        #expect(try await Chat.run(.rs9116Stop, module).status == 0)
        #expect(!module.currentAir.advertising)
        #expect(try await Chat.run(.rs9116Reset, module).status == 0)
        // It waits in its boot loader.
        #expect(try await Chat.run(.rs9116Stop, module).status == 3)
    }

    @Test("A module that takes only 0x1C says who it is")
    func olderVersion() async throws {
        let module = try EmulatedModule(options: rs9116 { $0.acceptedABRD = .fileSeparator })
        defer { module.stop() }
        let (status, shown) = try await Chat.run(.rs9116Version, module)
        #expect(status == 0, "\(shown)")
    }

    @Test(
        "An HM-10 advertises what the driver makes it advertise, and tells what it is set to",
        arguments: [HM10Emulator.Options.MeasuredPowerCommand.meas, .mea])
    func hm10(measuredPower: HM10Emulator.Options.MeasuredPowerCommand) async throws {
        var options = HM10Emulator.Options()
        options.measuredPowerCommand = measuredPower
        // chat pauses after each byte, and on a busy machine for longer than it means to.
        var patient = options
        patient.commandGap = .milliseconds(200)
        let module = try EmulatedModule(HM10Emulator(options: patient))
        defer { module.stop() }
        let (status, shown) = try await Chat.run(.hm10Provision, module)
        #expect(status == 0, "\(shown)")
        var driver = EmulatedSerialLine(HM10Emulator(options: options), kind: .hm10, assignment: .example)
        driver.run()
        driver.run(until: .seconds(60))
        #expect(module.currentAir == driver.air)
        #expect(
            module.currentAir.data == IBeacon.advertisingData(BeaconConfiguration.example.beacon, measuredPower: -59))
        let answers = ["OK+ADDR:883314DD1AE8", "HMSoft V552", "OK+Get:0xE2C56DB5", "OK+Get:0x0002", "OK+Get:0xC5"]
        // The module ignores the halves of a question in which a busy machine has paused, and what is not answered is
        // left out.
        var settings = ""
        for _ in 0..<5 where !answers.allSatisfy(settings.contains) {
            let (readStatus, read) = try await Chat.run(.hm10Read, module)
            #expect(readStatus == 0)
            settings = read
        }
        #expect(answers.allSatisfy(settings.contains), "\(settings)")
    }

    @Test("An HM-10 that answers nothing, or wants line ends, is given up")
    func failingHM10() async throws {
        var options = HM10Emulator.Options()
        options.needsLineEnd = true
        let module = try EmulatedModule(HM10Emulator(options: options))
        defer { module.stop() }
        #expect(try await Chat.run(.hm10Provision, module).status == 3)
    }
}
