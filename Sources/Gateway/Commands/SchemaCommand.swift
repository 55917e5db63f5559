import ArgumentParser
import BeaconModel
import CommandSupport
import Glibc
import OperatorText
import RecordContract
import SystemIO

struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the contract: JSON Schemas of the messages, and an AsyncAPI document.",
        discussion: """
            Without a name, lists the available names. Each schema is self-contained. The AsyncAPI document refers to \
            the schemas as files next to it, which --output-directory writes. local-status is the document of \
            `status --json`.

            EXAMPLE: beacon-gateway schema interaction
                     beacon-gateway schema --output-directory docs
            """)

    @Argument(help: "The name of a schema, or asyncapi.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Write asyncapi.yaml and schemas/ to this directory; created if missing.", valueName: "directory"))
    var outputDirectory: String?

    @Flag(help: "List the schemas as JSON, one document per line.")
    var json = false

    func validate() throws {
        if json, name != nil || outputDirectory != nil {
            throw ValidationError("--json applies only to the list: schemas are JSON and asyncapi is YAML anyway")
        }
        guard name == nil || outputDirectory == nil else {
            throw ValidationError("--output-directory writes all documents: omit the name")
        }
        if let name, text(of: name) == nil {
            throw ValidationError(
                "there is no schema \(name.excerpt); the schemas are\n" + Self.list.joined(separator: "\n"))
        }
    }

    func run() async throws {
        try await Terminal.run {
            if let outputDirectory {
                try write(outputDirectory)
            } else if let name {
                try Terminal.write(text(of: name) ?? "")
            } else if json {
                for contract in Contract.all { try Terminal.print(JSON.encode(Document(contract))) }
            } else {
                for line in Self.list { try Terminal.print(line) }
            }
        }
    }

    private struct Document: Encodable {
        var name: String
        var summary: String
        /// Topic below the gateway's root.
        var topic: String
        var qos: Int32
        var isRetained: Bool
        /// Sender: `gateway`, `consumer` or `operator`.
        var sender: String
        var version: String

        init(_ contract: Contract) {
            name = contract.name
            summary = contract.summary
            topic = contract.address
            qos = contract.qualityOfService.rawValue
            isRetained = contract.isRetained
            sender = contract.sender.rawValue
            version = "\(Contract.version).\(Contract.revision)"
        }
    }

    private static let asyncAPI = "asyncapi"

    private func text(of name: String) -> String? {
        switch name {
        case Self.asyncAPI: Contract.asyncAPI
        case LocalContract.name: LocalContract.schema
        default: Contract.named(name)?.schema
        }
    }

    private static var list: [String] {
        let lines =
            Contract.all.map { ($0.name, $0.summary) } + [
                (LocalContract.name, LocalContract.summary),
                (asyncAPI, "All topics and messages, AsyncAPI 3.0"),
            ]
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { $0 + String(repeating: " ", count: width - $0.count) + "  " + $1 }
    }

    private func write(_ directory: String) throws {
        for path in [directory, directory + "/schemas"] {
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
                throw SystemError("create \(path)", errorNumber: errno)
            }
        }
        let own = [(LocalContract.path, LocalContract.schema)]
        for file in Contract.files.map({ ($0.path, $0.text) }) + own {
            try FileContents.replace(directory + "/" + file.0, with: Array(file.1.utf8))
            try Terminal.print(directory + "/" + file.0)
        }
    }
}
