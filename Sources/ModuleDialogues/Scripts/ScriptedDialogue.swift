import BeaconModel

/// The dialogues that are available as scripts. They send what the driver sends, for use without the gateway.
public enum ScriptedDialogue: String, CaseIterable, Sendable {
    /// Provisions an RS9116 as a non-connectable beacon.
    case rs9116Provision = "rs9116-provision"
    /// Provisions an RS9116 as a connectable beacon.
    case rs9116ProvisionConnectable = "rs9116-provision-connectable"
    /// Resets an RS9116.
    case rs9116Reset = "rs9116-reset"
    /// Reads the firmware version of an RS9116.
    case rs9116Version = "rs9116-version"
    /// Stops the advertising of an RS9116.
    case rs9116Stop = "rs9116-stop"
    /// Provisions an HM-10.
    case hm10Provision = "hm10-provision"
    /// Reads the configuration of an HM-10.
    case hm10Read = "hm10-read"

    /// Creates the dialogue that has this name for a kind of module.
    public init?(_ module: ModuleKind, _ name: String) { self.init(rawValue: module.rawValue + "-" + name) }

    /// The kind of module that the dialogue is for.
    public var module: ModuleKind {
        switch self {
        case .rs9116Provision, .rs9116ProvisionConnectable, .rs9116Reset, .rs9116Version, .rs9116Stop: .rs9116
        case .hm10Provision, .hm10Read: .hm10
        }
    }

    /// Name of the dialogue without the module.
    public var name: String { String(rawValue.dropFirst(module.rawValue.count + 1)) }

    /// Whether the dialogue sets what the module advertises.
    public var provisions: Bool {
        switch self {
        case .rs9116Provision, .rs9116ProvisionConnectable, .hm10Provision: true
        case .rs9116Reset, .rs9116Version, .rs9116Stop, .hm10Read: false
        }
    }

    /// Returns the dialogue that provisions a kind of module.
    public static func provisioning(_ module: ModuleKind) -> ScriptedDialogue {
        switch module {
        case .rs9116: .rs9116Provision
        case .hm10: .hm10Provision
        }
    }

    /// Returns the script as a file; the same parameters give the same bytes.
    ///
    /// - Parameters:
    ///   - name: the file name without its extension; `nil` for the script's own name.
    ///   - configuration: the configuration to set; ignored unless the dialogue `provisions`.
    public func file(
        _ format: ScriptFormat, configuration: BeaconConfiguration = .example, name: String? = nil
    ) -> ScriptFile {
        let fileName = (name ?? rawValue) + format.fileExtension
        let script = script(configuration)
        let command = exportCommand(format, configuration)
        let text =
            switch format {
            case .chat: ChatScript(script, fileName: fileName, exportCommand: command).text
            case .teraterm: TeraTermMacro(script, fileName: fileName, exportCommand: command).text
            }
        return ScriptFile(name: fileName, text: text)
    }

    /// All dialogues in all formats, for the example beacon.
    public static var examples: [ScriptFile] {
        allCases.flatMap { dialogue in ScriptFormat.allCases.map { dialogue.file($0) } }
    }

    package func script(_ configuration: BeaconConfiguration) -> DialogueScript {
        switch self {
        case .rs9116Provision: RS9116Scripts.provision(configuration, .nonConnectable)
        case .rs9116ProvisionConnectable: RS9116Scripts.provision(configuration, .connectable)
        case .rs9116Reset: RS9116Scripts.reset
        case .rs9116Version: RS9116Scripts.version
        case .rs9116Stop: RS9116Scripts.stop
        case .hm10Provision: HM10Scripts.provision(configuration)
        case .hm10Read: HM10Scripts.read
        }
    }

    /// Returns the command line that exports the same script again.
    private func exportCommand(_ format: ScriptFormat, _ configuration: BeaconConfiguration) -> [String] {
        let command = "beacon-gateway export-script --format \(format.rawValue) --kind \(module.rawValue) \(name)"
        guard provisions else { return [command] }
        let beacon = configuration.beacon
        let power = configuration.transmitPower.map { " --transmit-power \($0)" } ?? ""
        return [
            command + " \\",
            "  --uuid \(beacon.uuid) --major \(beacon.major) --minor \(beacon.minor) \\",
            "  --measured-power \(configuration.measuredPower) --interval "
                + configuration.interval.description.filter { $0 != " " } + power,
        ]
    }
}

extension BeaconConfiguration {
    /// The beacon of the scripts that are distributed with the program: the UUID of Apple's AirLocate sample, measured
    /// power -59 dBm.
    public static let example = BeaconConfiguration(
        beacon: BeaconID(
            uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2),
        measuredPower: -59)

    /// The configuration as text for the head of a script.
    var inWords: [String] {
        [
            "\(beacon.uuid), major \(beacon.major), minor \(beacon.minor),",
            "measured power \(measuredPower) dBm, every \(interval)"
                + (transmitPower.map { ", transmit power index \($0)" } ?? "") + ".",
        ]
    }
}
