import ModuleEmulator
import Testing

/// A way in which a module may differ or misbehave, of those that the protocol's reference knows.
struct Knob: CustomTestStringConvertible, Sendable {
    enum Expectation: Sendable {
        /// The module can be provisioned, whatever it takes.
        case provisioned
        /// It can't, and the error is this or one of these.
        case fails(@Sendable (String) -> Bool)
    }

    var testDescription: String
    var expectation: Expectation
    var change: @Sendable (inout RS9116Emulator.Options) -> Void

    init(
        _ name: String, _ expectation: Expectation = .provisioned,
        _ change: @escaping @Sendable (inout RS9116Emulator.Options) -> Void
    ) {
        testDescription = name
        self.expectation = expectation
        self.change = change
    }

    static let all: [Knob] = [
        Knob("as delivered") { _ in },
        Knob("only 0x7C") { $0.acceptedABRD = .verticalBar },
        Knob("only 0x1C") { $0.acceptedABRD = .fileSeparator },
        Knob("boot loader of Silicon Labs") { $0.bootloader = .siliconLabs },
        Knob("extra blank lines") { $0.extraBlankLines = 3 },
        Knob("warnings before the menu") { $0.bootWarnings = [.configurationNotSaved, .checksumFailed] },
        Knob("Invalid Option noise") { $0.invalidOptionNoise = true },
        Knob("no NUL in the version") { $0.nulInVersionReply = false },
        Knob("events before each OK") { $0.eventBeforeOK = true },
        Knob("binary errors") { $0.commonErrors = .binary },
        Knob("bt_loaded never said") { $0.bluetoothStart = .unannounced },
        Knob("Bluetooth never up", .fails { $0.contains("4D03") }) { $0.bluetoothStart = .never },
        Knob("type 131 refused") { $0.nonConnectableRejection = 0x4E11 },
        Knob("4E0C on stop") { $0.stopWhileStoppedIsDisallowed = true },
        Knob("no data while advertising") { $0.advertisingDataWhileAdvertising = .refused },
        Knob("name refused") { $0.refusesLocalName = 0x4E66 },
        Knob("name unreadable") { $0.localNameReply = .refused },
        Knob("device state always zero") { $0.deviceStateIsAlwaysZero = true },
        Knob("silent reset after 2 commands") { $0.silentResets = [2] },
        Knob("silent resets after 2 and 5 commands") { $0.silentResets = [2, 5] },
        Knob("silent resets after 2, 3 and 4 commands", .fails { $0.contains("no answer") }) {
            $0.silentResets = [2, 3, 4]
        },
        Knob("every 97th byte damaged") { $0.corruptedBytePeriod = 97 },
        Knob("every 101st byte lost") { $0.droppedBytePeriod = 101 },
        Knob("one byte at a time") { $0.oneBytePerChunk = true },
        Knob("slow answers") { $0.responseDelay = .milliseconds(150) },
        Knob("answers after 2.1 s") { $0.responseDelay = .milliseconds(2100) },
        Knob("8-byte pieces") { $0.pacedPiece = 8 },
        Knob("slow loading") { $0.loadingDelay = .seconds(8) },
        Knob("slow Bluetooth") { $0.bluetoothLoadingDelay = .seconds(8) },
        Knob("slow reset") { $0.resetDelay = .milliseconds(900) },
        Knob("menu open") { $0.initialState = .menu },
        Knob("menu open at 9600 baud") {
            $0.initialState = .menu
            $0.baud = 9600
        },
        Knob("firmware without its first command") { $0.initialState = .firmwareLoaded },
        Knob("firmware running") { $0.initialState = .atMode(opermodeDone: false) },
        Knob("Bluetooth running") { $0.initialState = .atMode(opermodeDone: true) },
        Knob("running at 9600 baud") {
            $0.initialState = .atMode(opermodeDone: true)
            $0.baud = 9600
        },
        Knob("running at 921600 baud") {
            $0.initialState = .atMode(opermodeDone: true)
            $0.baud = 921_600
        },
        Knob("boot loader bypassed") {
            $0.bypassesBootloader = true
            $0.initialState = .waitingForABRD
        },
        Knob("USB goes with each reset") { $0.portVanishesOnReset = true },
        Knob("stuck in binary mode", .fails { $0.contains("does not answer") }) { $0.initialState = .binaryMode },
        Knob("mute", .fails { $0.contains("does not answer") }) { $0.isMute = true },
        Knob("wrong baud rate", .fails { !$0.isEmpty }) { $0.corruptedBytePeriod = 1 },
        Knob("no firmware", .fails { $0.contains("Loading Done") }) { $0.imageIsMissing = true },
    ]
}
