import Advertisement
import BeaconModel
import ModuleEmulator
import Testing

@testable import ModuleDialogues

/// Every way in which a module may differ or misbehave, as far as the reference knows them.
@Suite struct DriverAgainstEmulatorTests {
    private static let beacon = BeaconConfiguration(
        beacon: BeaconID(
            uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2),
        measuredPower: -59)

    private func provision(_ change: (inout RS9116Emulator.Options) -> Void) -> EmulatedSerialLine {
        var options = RS9116Emulator.Options()
        change(&options)
        var line = EmulatedSerialLine(RS9116Emulator(options: options), assignment: Self.beacon)
        line.run()
        return line
    }

    struct Variation: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout RS9116Emulator.Options) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout RS9116Emulator.Options) -> Void) {
            testDescription = name
            self.change = change
        }

        static let harmless: [Variation] = [
            Variation("as delivered") { _ in },
            Variation("takes only 0x7C") { $0.acceptedABRD = .verticalBar },
            Variation("takes only 0x1C") { $0.acceptedABRD = .fileSeparator },
            Variation("boot loader of Silicon Labs") { $0.bootloader = .siliconLabs },
            Variation("boot loader of Silicon Labs, only 0x1C") {
                $0.bootloader = .siliconLabs
                $0.acceptedABRD = .fileSeparator
            },
            Variation("extra blank lines") { $0.extraBlankLines = 3 },
            Variation("warnings before the menu") {
                $0.bootWarnings = [.configurationNotSaved, .checksumFailed]
            },
            Variation("no NUL in the version") { $0.nulInVersionReply = false },
            Variation("binary common errors") { $0.commonErrors = .binary },
            Variation("bt_loaded never said") { $0.bluetoothStart = .unannounced },
            Variation("stopping what is stopped is an error") { $0.stopWhileStoppedIsDisallowed = true },
            Variation("Invalid Option before Loading") { $0.invalidOptionNoise = true },
            Variation("events before each OK") { $0.eventBeforeOK = true },
            Variation("slow loading") { $0.loadingDelay = .seconds(8) },
            Variation("slow Bluetooth") { $0.bluetoothLoadingDelay = .seconds(8) },
            Variation("slow reset") { $0.resetDelay = .milliseconds(900) },
            Variation("at the menu already") { $0.initialState = .menu },
            Variation("firmware loaded, without its first command") { $0.initialState = .firmwareLoaded },
            Variation("boot loader bypassed") {
                $0.bypassesBootloader = true
                $0.initialState = .waitingForABRD
            },
            Variation("firmware running") { $0.initialState = .atMode(opermodeDone: false) },
            Variation("firmware running with Bluetooth on") { $0.initialState = .atMode(opermodeDone: true) },
            Variation("firmware running, binary common errors") {
                $0.initialState = .atMode(opermodeDone: true)
                $0.commonErrors = .binary
            },
            Variation("resets itself after 2 commands") { $0.silentResetAfterCommands = 2 },
            Variation("resets itself after 4 commands") { $0.silentResetAfterCommands = 4 },
            Variation("one byte at a time") { $0.oneBytePerChunk = true },
            Variation("every 97th byte damaged") { $0.corruptedBytePeriod = 97 },
            Variation("every 101st byte lost") { $0.droppedBytePeriod = 101 },
        ]
    }

    @Test(
        "A module that can be provisioned is, and has exactly the wanted bytes on the air",
        arguments: Variation.harmless)
    func provisions(variation: Variation) throws {
        let line = provision(variation.change)
        let module = try #require(line.provisionings.first, "\(line.steps) \(String(describing: line.failure))")
        #expect(module.advertisingType == .nonConnectable)
        #expect(line.air.advertising)
        #expect(line.air.type == 131)
        #expect(line.air.intervalUnits == 160)
        #expect(line.air.data == IBeacon.advertisingData(Self.beacon.beacon, measuredPower: -59))
        #expect(line.air.data.count == 30)
    }

    @Test("A module that only does connectable advertising does that")
    func connectableOnly() throws {
        let line = provision { $0.nonConnectableRejection = 0x4E11 }
        #expect(line.provisionings.first?.advertisingType == .connectable)
        #expect(line.air.type == 128)
    }

    @Test("What can't be provisioned is named for what it is, within half a minute")
    func failures() {
        func failure(_ change: (inout RS9116Emulator.Options) -> Void) -> ProvisioningError? {
            let line = provision(change)
            #expect(line.now < .seconds(35), "took \(line.now)")
            #expect(!line.air.advertising)
            return line.failure
        }
        #expect(failure { $0.isMute = true } == .silent)
        #expect(failure { $0.initialState = .binaryMode } == .silent)
        #expect(failure { $0.imageIsMissing = true } == .firmwareNotLoaded)
    }

    @Test("A wrong baud rate, in which every byte is damaged, is not taken for a module")
    func wrongBaudRate() {
        let line = provision { $0.corruptedBytePeriod = 1 }
        #expect(line.failure != nil)
        #expect(line.provisionings.isEmpty)
    }
}
