import ArgumentParser
import BeaconModel
import CommandSupport
import GatewayCore
import Glibc
import ModuleDialogues
import OperatorText
import SystemIO

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

    @Argument(help: "The dialogue to export, for one script.")
    var dialogue: String?

    @Option(help: "Script format, for one script: chat or teraterm.", transform: OptionValue.scriptFormat)
    var format: ScriptFormat?

    @OptionGroup(title: "What the module advertises (--measured-power defaults to -59)")
    var beacon: BeaconOptions

    @Option(help: ArgumentHelp("Write the script to this file instead of standard output.", valueName: "file"))
    var output: String?

    @Option(
        help: ArgumentHelp("Write a pair of scripts, .chat and .ttl, for each module in this file.", valueName: "file"))
    var inventory: String?

    @Flag(help: "Write every dialogue in every format, for the example beacon of the documentation.")
    var all = false

    @Option(
        help: ArgumentHelp("Output directory of --inventory and --all; created if missing.", valueName: "directory"))
    var outputDirectory: String?

    func validate() throws {
        guard all || inventory != nil else {
            guard outputDirectory == nil else {
                throw ValidationError(
                    "--output-directory requires --inventory or --all; a single script goes to --output")
            }
            _ = try script()
            return
        }
        guard outputDirectory != nil else {
            throw ValidationError("--inventory and --all need --output-directory")
        }
        let isForOne = dialogue != nil || format != nil || output != nil || beacon.isGiven
        guard !(all && inventory != nil), !isForOne else {
            throw ValidationError("--inventory and --all can be combined only with --output-directory")
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

    private func script() throws -> ScriptFile {
        guard let name = dialogue, let format else {
            throw ValidationError("specify --format and a DIALOGUE, or --output-directory with --inventory or --all")
        }
        guard let dialogue = ScriptedDialogue(beacon.kind, name) else {
            throw ValidationError(
                "there is no dialogue \(name.excerpt) for \(beacon.kind.rawValue); the dialogues are "
                    + "\(Self.names(beacon.kind))"
            )
        }
        guard dialogue.provisions else {
            guard !beacon.saysWhat else { throw ValidationError("\(name) takes no beacon options") }
            return dialogue.file(format)
        }
        return dialogue.file(format, configuration: try beacon.configuration(defaultPower: -59))
    }

    private static func scripts(inventory path: String) throws -> [ScriptFile] {
        let inventory = try Inventory.parse(
            FileContents.read(path, limit: Inventory.longestFile), path: path)
        for entry in inventory.entries where entry.listens {
            Terminal.note(
                "\(entry.name) has listen = true, which a script does not cover; only a gateway makes a module listen")
        }
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
