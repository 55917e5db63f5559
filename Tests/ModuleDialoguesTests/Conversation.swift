import BeaconModel

@testable import ModuleDialogues

/// Speaks a dialogue by hand: what the module says in, what the driver does out.
struct Conversation {
    private(set) var dialogue: RS9116Dialogue
    let configuration: BeaconConfiguration

    init(_ configuration: BeaconConfiguration = Self.configuration, profile: RS9116Profile = RS9116Profile()) {
        self.configuration = configuration
        dialogue = RS9116Dialogue(profile: profile)
    }

    static let configuration = BeaconConfiguration(
        beacon: BeaconID(uuid: ProximityUUID(bits: 0xE2C5_6DB5), major: 1, minor: 2), measuredPower: -59)

    /// The driver opens the port, asks in vain whether firmware runs, and sends its first handshake byte.
    mutating func open() -> [ModuleStep] { tell(.opened) + tell(.deadline) + tell(.deadline) }

    mutating func tell(_ input: LineInput<ModuleRequest>) -> [ModuleStep] { dialogue.handle(input, now: .zero) }

    mutating func hear(_ text: String) -> [ModuleStep] { tell(.bytes(Array(text.utf8))) }

    mutating func waitInVain() -> [ModuleStep] { tell(.deadline) }

    /// The module refuses the command that was sent last each time that it is sent, until the driver believes it.
    mutating func refuse(_ code: String) -> [ModuleStep] {
        for _ in 1..<6 {
            _ = hear("ERROR \(code)\r\n")
            _ = waitInVain()
        }
        return hear("ERROR \(code)\r\n")
    }

    /// Firmware that runs says who it is, and that it has the mark of `configuration`.
    ///
    /// - Parameter state: what it says that Bluetooth does.
    mutating func findMarked(state: Int = 1) -> [ModuleStep] {
        _ = tell(.opened)
        _ = waitInVain()
        _ = hear("OK1610.2.5.2.0.4\r\n")
        _ = hear("OK 88-DA-1A-E8-06-6F\r\n")
        _ = hear("OK F,\(ConfigurationFingerprint(configuration))n\r\n")
        return hear("OK \(state)\r\n")
    }

    /// From the first byte to the first AT command.
    mutating func boot() {
        _ = open()
        _ = hear("U")
        _ = hear("\r\nWELCOME TO REDPINE SIGNALS\r\n\r\nZ JTAG Selection\r\n")
        _ = waitInVain()
        _ = hear("1\r\nLoading...\r\nLoading Done\r\n")
    }

    /// From the first byte to a module that advertises and is watched over.
    mutating func provision() {
        bootUntilAdvertise()
        _ = hear("OK\r\n")
        _ = hear("OK\r\n")
    }

    /// From the first byte to the advertising command.
    mutating func bootUntilAdvertise() {
        boot()
        _ = hear("OK1610.2.5.2.0.4\0\r\n")
        _ = hear("OK\r\nbt_loaded\r\n")
        _ = hear("OK 88-DA-1A-E8-06-6F\r\n")
        _ = tell(.assigned(configuration))
        _ = hear("OK\r\n")
    }
}

extension LineInput where Request == ModuleRequest {
    static func assigned(_ configuration: BeaconConfiguration?) -> Self { .request(.assigned(configuration)) }
    static func listen(_ isWanted: Bool) -> Self { .request(.listen(isWanted)) }
    static var check: Self { .request(.check) }
    static var provisionAgain: Self { .request(.provisionAgain) }
    static var identify: Self { .request(.identify) }
}

extension [ModuleStep] {
    /// What is sent, as text.
    var sent: [String] {
        compactMap { if case .line(.send(let bytes)) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    var failure: ProvisioningError? {
        lazy.compactMap { if case .output(.changed(.failed(let error))) = $0 { error } else { nil } }.first
    }

    var provisioned: ProvisionedModule? {
        lazy.compactMap { if case .output(.changed(.provisioned(let module))) = $0 { module } else { nil } }.first
    }

    var losses: [ModuleLoss] {
        compactMap { if case .output(.changed(.lost(let loss))) = $0 { loss } else { nil } }
    }

    var identity: ModuleIdentity? {
        lazy.compactMap { if case .output(.changed(.identified(let identity))) = $0 { identity } else { nil } }.first
    }

    var steps: [ProvisioningStep] {
        compactMap { if case .output(.report(let step)) = $0 { step } else { nil } }
    }
}
