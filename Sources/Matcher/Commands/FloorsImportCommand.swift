import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import OperatorText
import PlanImport
import SystemIO

struct FloorsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Makes a file of floor plans from the YAML of ESPresense-companion.",
        discussion: """
            Floors, rooms and heights are taken over. That format has no doors, walls and stairs: notes state what is \
            missing and what was left out, and what gateways must be given as their positions.
            """)

    @Argument(help: "The configuration of ESPresense-companion, a YAML file.")
    var file: String

    @Option(help: "The site of all floors, as in topics.", transform: Self.level)
    var site: String

    @Option(help: "The building of all floors, as in topics.", transform: Self.level)
    var building: String

    @Option(
        name: [.short, .long], help: ArgumentHelp("Write the plans to a file that does not exist.", valueName: "file"))
    var output: String?

    private static func level(_ text: String) throws -> String {
        guard FloorPlanFile.isLevel(text) else { throw ValidationError("must be made up of a-z, 0-9 and -") }
        return text
    }

    func run() async throws {
        try await Terminal.run {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileContents.read(file, limit: YAMLTree.Limits.bytes + 1)
            } catch {
                throw UnreadableFile(error: error)
            }
            let result: CompanionImport
            do throws(ConfigurationError) {
                result = try CompanionConverter.convert(
                    YAMLTree.parse(bytes, path: file), path: file, site: site, building: building)
            } catch {
                throw DamagedImport(error: error)
            }
            let text = FloorPlanFile.text(of: result.plans, notes: Self.header(result))
            if let output {
                // Doors and walls that were added by hand must not be lost.
                if (try? FileContents.read(output, limit: 1 << 30)) != nil { throw ExistingOutput(path: output) }
                try FileContents.replace(output, with: Array(text.utf8))
                Terminal.note("wrote \(output): \(result.plans.count) \(result.plans.count == 1 ? "floor" : "floors")")
            } else {
                try Terminal.write(text)
            }
            for note in result.notes { Terminal.note("note: \(note)") }
            if !result.nodes.isEmpty {
                var table = TextTable([("NODE", .left), ("FLOOR", .left), ("ROOM", .left), ("[place]", .left)])
                for node in result.nodes {
                    table.add([node.name, node.floor ?? "", node.room ?? "", node.configuration])
                }
                for line in table.lines(width: nil) { Terminal.note(line) }
            }
        }
    }

    /// Returns the comment at the beginning of the file: the positions of nodes.
    private static func header(_ result: CompanionImport) -> [String] {
        guard !result.nodes.isEmpty else { return [] }
        return ["Positions for the [place] table of gateways:"]
            + result.nodes.map { "  \($0.name) on \($0.floor ?? "?"): \($0.configuration)" }
    }
}

/// The YAML cannot be imported: it is data of another program, and no configuration of this one.
private struct DamagedImport: OperatorError {
    var error: ConfigurationError

    var what: String { error.what }
    var meaning: String? { "nothing was imported" }
    var remedy: String? { "correct the file, or draw the plan by hand; docs/guide/matcher/floors.md shows one" }
    var exitStatus: BeaconModel.ExitStatus { .data }
}

private struct ExistingOutput: OperatorError {
    var path: String

    var what: String { "\(path) exists already" }
    var meaning: String? { "nothing was written: what was added to it by hand would be lost" }
    var remedy: String? { "specify another file with -o, or remove it first" }
    var exitStatus: BeaconModel.ExitStatus { .usage }
}
