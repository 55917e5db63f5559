import GatewayCore
import OperatorText

/// The check of a configuration as its gateway does it, but without the files on the gateway.
struct DocumentCheck {
    /// Positions are those in the configuration itself.
    private(set) var problems: [ConfigurationProblem] = []
    /// Files that the gateway has to have.
    private(set) var files: [String] = []
    /// The first level of the gateway's topics; `nil` if the configuration cannot be read.
    private(set) var prefix: String?

    init(_ text: String) {
        // Secrets are not read at all. Other files are reported as unreadable; these reports are left out.
        var files: [String] = []
        do throws(ConfigurationError) {
            let configuration = try Configuration.parse(
                text, path: "gateway.toml", secrets: SecretAccess(for: [], isTolerant: true),
                readFile: { path in
                    files.append(path)
                    throw FileOfTheGateway()
                }, locate: { $0 })
            prefix = configuration.topicPrefix
        } catch {
            problems = error.problems.filter { !$0.found.contains(FileOfTheGateway.text) }
        }
        if prefix == nil, problems.isEmpty { prefix = Self.prefix(in: text) }
        self.files = files
        problems += Self.anchored(text)
    }

    private static func prefix(in text: String) -> String? {
        guard let table = try? TOMLParser.parse(text) else { return nil }
        guard case .table(let mqtt)? = table["mqtt"]?.value, case .string(let prefix)? = mqtt["prefix"]?.value else {
            return "beacons"
        }
        return prefix
    }

    /// Reports keys that only the gateway's own file can have.
    private static func anchored(_ text: String) -> [ConfigurationProblem] {
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else { return [] }
        RolloutAnchor.reportOwnKeys(root)
        return problems.all
    }

    private struct FileOfTheGateway: Error, CustomStringConvertible {
        static let text = "(a file of the gateway)"
        var description: String { Self.text }
    }
}
