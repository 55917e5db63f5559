import ArgumentParser
import BeaconModel
import Glibc
import SystemIO
import UARTConfig

struct ExportScriptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export-script",
        abstract:
            "Writes a module's AT dialogue as a script for chat(8) or Tera Term, for a laptop without the gateway.",
        discussion: """
            DIALOGUE is one of
              rs9116   \(names(.rs9116))
              hm10     \(names(.hm10))

            EXAMPLE: beacon-gateway export-script --format chat provision \\
                       --uuid e2c56db5-dffb-48d2-b060-d0f5a71096e0 \\
                       --major 1 --minor 2 --output door.chat
                     beacon-gateway export-script \\
                       --inventory floor3.csv --output-directory scripts
            """)

    @Argument(help: "The dialogue, for one script.")
    var dialogue: String?

    @Option(help: "chat or teraterm, for one script.", transform: OptionValue.scriptFormat)
    var format: ScriptFormat?

    @Option(help: "The kind of module, rs9116 (default) or hm10.", transform: OptionValue.kind)
    var module: ModuleKind = .rs9116

    @Option(help: "Proximity UUID: whose beacon it is.", transform: OptionValue.uuid)
    var uuid: ProximityUUID?

    @Option(help: "0 to 65535, for example the building or floor.", transform: OptionValue.number)
    var major: UInt16?

    @Option(help: "0 to 65535, for example the room.", transform: OptionValue.number)
    var minor: UInt16?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("RSSI at 1 m in dBm, -127 to 20 (default: -59).", valueName: "dBm"),
        transform: OptionValue.measuredPower)
    var measuredPower: Int8?

    @Option(help: "Time between advertisements, 20ms to 10.24s (default: 100ms).", transform: OptionValue.interval)
    var interval: AdvertisingInterval?

    @Option(help: "Index of the module's transmit power (default: what the module has).")
    var transmitPower: Int?

    @Option(help: ArgumentHelp("Write the script here instead of on standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("A pair of scripts, .chat and .ttl, for each module of this file.", valueName: "file"))
    var inventory: String?

    @Flag(help: "Every dialogue in every format, for the example beacon of the documentation.")
    var all = false

    @Option(help: ArgumentHelp("Where --inventory and --all write; made if need be.", valueName: "directory"))
    var outputDirectory: String?

    func validate() throws {
        guard all || inventory != nil else {
            guard outputDirectory == nil else {
                throw ValidationError("--output-directory is for --inventory and --all; one script goes to --output")
            }
            _ = try script()
            return
        }
        guard outputDirectory != nil else {
            throw ValidationError("--inventory and --all need --output-directory")
        }
        let isForOne = dialogue != nil || format != nil || output != nil || isOfBeacon
        guard !(all && inventory != nil), !isForOne else {
            throw ValidationError("--inventory and --all go with --output-directory and with nothing else")
        }
    }

    func run() async throws {
        try await Terminal.run {
            guard let outputDirectory else {
                let script = try script()
                guard let output else { return try Terminal.write(script.text) }
                return try FileContents.replace(output, with: Array(script.text.utf8))
            }
            let files = try inventory.map { try Self.scripts(inventory: $0) } ?? ScriptedDialogue.examples
            try Self.makeDirectory(outputDirectory)
            for file in files {
                let path = outputDirectory + "/" + file.name
                try FileContents.replace(path, with: Array(file.text.utf8))
                try Terminal.print(path)
            }
        }
    }

    /// Whether anything is said of what a beacon shall advertise.
    private var isOfBeacon: Bool {
        uuid != nil || major != nil || minor != nil || measuredPower != nil || interval != nil || transmitPower != nil
    }

    private func script() throws -> ScriptFile {
        guard let name = dialogue, let format else {
            throw ValidationError("needs --format and a DIALOGUE, or --output-directory with --inventory or --all")
        }
        guard let dialogue = ScriptedDialogue(module, name) else {
            throw ValidationError(
                "there is no dialogue \(name.excerpt) with \(module.rawValue); there are \(Self.names(module))")
        }
        guard dialogue.provisions else {
            guard !isOfBeacon else { throw ValidationError("\(name) says nothing to the module about a beacon") }
            return dialogue.file(format)
        }
        guard let uuid, let major, let minor else {
            throw ValidationError("\(name) needs --uuid, --major and --minor")
        }
        let configuration = BeaconConfiguration(
            beacon: BeaconID(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower ?? -59,
            interval: interval ?? .appleIBeacon, transmitPower: transmitPower)
        guard module.allows(configuration.interval) else {
            let intervals = (module.intervals ?? []).map { "\($0)" }.joined(separator: ", ")
            throw ValidationError("--interval of \(module.rawValue) must be one of \(intervals)")
        }
        if let transmitPower, !module.allows(transmitPower: transmitPower) {
            throw ValidationError("--transmit-power of \(module.rawValue) must be \(module.transmitPowers)")
        }
        return dialogue.file(format, configuration: configuration)
    }

    private static func scripts(inventory path: String) throws -> [ScriptFile] {
        let inventory = try Inventory.parse(
            FileContents.read(path, limit: Inventory.longestFile), path: path)
        return inventory.entries.flatMap { entry in
            ScriptFormat.allCases.map {
                ScriptedDialogue.provisioning(entry.kind).file(
                    $0, configuration: entry.configuration, name: entry.name)
            }
        }
    }

    private static func makeDirectory(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw SystemError("create \(path)", errorNumber: errno)
        }
    }

    private static func names(_ module: ModuleKind) -> String {
        ScriptedDialogue.allCases.filter { $0.module == module }.map(\.name).joined(separator: ", ")
    }
}
