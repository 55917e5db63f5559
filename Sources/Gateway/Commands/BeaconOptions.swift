import ArgumentParser
import BeaconModel
import ModuleDialogues

/// Options for the advertisement of one module.
struct BeaconOptions: ParsableArguments {
    @Option(help: "Proximity UUID, which identifies the owner of the beacon.", transform: OptionValue.uuid)
    var uuid: ProximityUUID?

    @Option(help: "0 to 65535, for example the building or floor.", transform: OptionValue.number)
    var major: UInt16?

    @Option(help: "0 to 65535, for example the room.", transform: OptionValue.number)
    var minor: UInt16?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Measured power: RSSI at 1 m in dBm, -127 to 20. Receivers use it to compute distances. Does not set the "
                + "transmit power.",
            valueName: "dBm"), transform: OptionValue.measuredPower)
    var measuredPower: Int8?

    @Option(
        help: "Time between advertisements, 20ms to 10.24s (default: 100ms).", transform: OptionValue.interval)
    var interval: AdvertisingInterval?

    @Option(
        help: ArgumentHelp(
            "Transmit power, as an index of the module kind: rs9116 1-31, 33-63, 64-82; hm10 0-3.",
            valueName: "index"))
    var transmitPower: Int?

    @Option(
        name: .customLong("kind"), help: "The kind of module: rs9116 or hm10 (default: rs9116).",
        transform: OptionValue.kind)
    var givenKind: ModuleKind?

    var kind: ModuleKind { givenKind ?? .rs9116 }

    var isGiven: Bool { saysWhat || givenKind != nil }

    /// Whether any option for the advertisement is given.
    var saysWhat: Bool {
        uuid != nil || major != nil || minor != nil || measuredPower != nil || interval != nil || transmitPower != nil
    }

    /// Returns the configuration that the options describe.
    ///
    /// - Parameter defaultPower: measured power without the option; `nil` makes the option mandatory.
    /// - Throws: `ValidationError` for missing options and for values that this kind of module does not support.
    func configuration(defaultPower: Int8? = nil) throws -> BeaconConfiguration {
        guard let uuid, let major, let minor, let measuredPower = measuredPower ?? defaultPower else {
            let missing = [
                uuid == nil ? "--uuid" : nil, major == nil ? "--major" : nil, minor == nil ? "--minor" : nil,
                measuredPower ?? defaultPower == nil ? "--measured-power" : nil,
            ].compactMap { $0 }
            throw ValidationError("Missing \(missing.joined(separator: ", ")).")
        }
        let interval = interval ?? .appleIBeacon
        guard kind.allows(interval) else {
            throw ValidationError(
                "--interval: the nearest interval of this kind of module is \(kind.nearest(to: interval)).")
        }
        if let transmitPower, !kind.allows(transmitPower: transmitPower) {
            throw ValidationError("--transmit-power must be \(kind.transmitPowers).")
        }
        return BeaconConfiguration(
            beacon: BeaconID(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower,
            interval: interval, transmitPower: transmitPower)
    }
}
