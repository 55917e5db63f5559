import Advertisement
import BeaconModel

@testable import UARTConfig

/// Speaks a dialogue by hand: what the module says in, what the driver does out.
struct Conversation {
    private(set) var dialogue: RS9116Provisioning
    let advertisingData: [UInt8]

    init(_ beacon: BeaconID, measuredPower: Int8) {
        dialogue = RS9116Provisioning(
            configuration: BeaconConfiguration(beacon: beacon, measuredPower: measuredPower))
        advertisingData = IBeacon.advertisingData(beacon, measuredPower: measuredPower)
    }

    init() {
        self.init(BeaconID(uuid: ProximityUUID(bits: 0xE2C5_6DB5), major: 1, minor: 2), measuredPower: -59)
    }

    /// The driver opens the port and sends its first byte.
    mutating func open() -> [RS9116Provisioning.Action] {
        dialogue.handle(.opened) + dialogue.handle(.deadline)
    }

    mutating func hear(_ text: String) -> [RS9116Provisioning.Action] { dialogue.handle(.bytes(Array(text.utf8))) }

    mutating func waitInVain() -> [RS9116Provisioning.Action] { dialogue.handle(.deadline) }

    /// From the first byte to the first AT command.
    mutating func boot() {
        _ = open()
        _ = hear("U")
        _ = hear("\r\nWELCOME TO REDPINE SIGNALS\r\n\r\nZ JTAG Selection\r\n")
        _ = waitInVain()
        _ = hear("1\r\nLoading...\r\nLoading Done\r\n")
    }

    /// From the first byte to the advertising command.
    mutating func bootUntilAdvertise() {
        boot()
        _ = hear("OK1610.2.5.2.0.4\0\r\n")
        _ = hear("OK\r\nbt_loaded\r\n")
        _ = hear("OK 88-DA-1A-E8-06-6F\r\n")
        _ = hear("OK\r\n")
    }
}

extension [RS9116Provisioning.Action] {
    /// What is sent, as text.
    var sent: [String] {
        compactMap { if case .send(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    var failure: ProvisioningError? {
        lazy.compactMap { if case .failed(let error) = $0 { error } else { nil } }.first
    }

    var finished: ProvisionedModule? {
        lazy.compactMap { if case .finished(let module) = $0 { module } else { nil } }.first
    }

    var steps: [ProvisioningStep] {
        compactMap { if case .report(let step) = $0 { step } else { nil } }
    }
}
