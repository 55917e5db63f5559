import ArgumentParser
import BeaconModel
import CommandSupport
import Matching
import OperatorText
import RecordContract
import SystemIO

struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Lists and checks policies: what counts as a contact, and the risk that follows.",
        subcommands: [List.self, Show.self, Check.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the built-in policies.")

        @Flag(help: "Print one JSON document per line.")
        var json = false

        private struct Document: Encodable {
            var name: String
            var version: String
            var title: String
            var measured: [Measured]
            var warning: String?

            struct Measured: Encodable {
                var question: String
                var world: String
                var precision: Double
                var recall: Double
            }

            init(_ policy: Policy) {
                name = policy.name
                version = policy.version
                title = policy.title
                warning = policy.warning
                measured = policy.measured.map {
                    Measured(question: $0.question, world: $0.world, precision: $0.precision, recall: $0.recall)
                }
            }
        }

        func run() async throws {
            try await Terminal.run {
                if json {
                    for policy in Policy.shippedNames.compactMap(Policy.shipped) {
                        try Terminal.print(JSON.encode(Document(policy)))
                    }
                    return
                }
                var table = TextTable([("NAME", .left), ("VERSION", .left), ("WHAT COUNTS", .left)])
                for name in Policy.shippedNames {
                    guard let policy = Policy.shipped(name) else { continue }
                    table.add([policy.name, policy.version, policy.title])
                }
                try Terminal.print(table)
                try Terminal.print("")
                try Terminal.print("Accuracy in the project's benchmark of simulated buildings:")
                var measured = TextTable([
                    ("NAME", .left), ("WHAT WAS TRUE", .left), ("WHERE", .left), ("PRECISION", .right),
                    ("RECALL", .right),
                ])
                for policy in Policy.shippedNames.compactMap(Policy.shipped) {
                    for one in policy.measured {
                        measured.add([
                            policy.name, one.question, one.world, Format.fixed(one.precision * 100, 0) + " %",
                            Format.fixed(one.recall * 100, 0) + " %",
                        ])
                    }
                }
                for line in measured.lines(width: Terminal.tableWidth) { try Terminal.print(line) }
                for policy in Policy.shippedNames.compactMap(Policy.shipped) {
                    if let warning = policy.warning { Terminal.note("\(policy.name): \(warning)") }
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the file of a policy, as a template for your own.")

        @Argument(help: "The name, as listed by `policy list`.")
        var name: String

        func run() async throws {
            try await Terminal.run {
                guard let text = Policy.shippedText(name) else { throw UnknownPolicy(name: name) }
                try Terminal.write(text)
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Checks a policy file.")

        @Argument(help: "The policy file.")
        var file: String

        func run() async throws {
            try await Terminal.run {
                let policy = try PolicyFile.parse(ConfigurationFile.text(file), path: file)
                Terminal.note("\(file) is valid: \(policy.name), version \(policy.version)")
            }
        }
    }
}

struct UnknownPolicy: OperatorError {
    var name: String
    var known: [String] = Policy.shippedNames

    var what: String { "there is no policy \(name.excerpt)" }
    var remedy: String? { "the policies are " + known.joined(separator: ", ") }
    var exitStatus: ExitStatus { .usage }
}
