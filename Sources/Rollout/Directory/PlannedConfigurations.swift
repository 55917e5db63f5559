import BeaconModel
import GatewayCore
package import OperatorText
import RecordContract

/// The configurations of all gateways of a directory, checked as the gateways check them.
package struct PlannedConfigurations: Sendable {
    package private(set) var documents: [GatewayPath: PlannedConfiguration] = [:]
    /// All problems, each once: a mistake in `common.toml` is one of every gateway.
    package private(set) var problems: [ConfigurationProblem]

    /// - Parameters:
    ///   - prefix: the first level of the topics on which gateways are looked for.
    ///   - gateways: the gateways to read; `nil` for all.
    package init(_ tree: RolloutTree, prefix: String, gateways: Set<GatewayPath>? = nil) {
        problems = tree.problems
        var reader = FileReader()
        for gateway in tree.gateways where gateways?.contains(gateway) ?? true {
            let document = Self.document(gateway, tree, prefix: prefix, &reader)
            documents[gateway] = document
            for problem in document.problems where !problems.contains(problem) { problems.append(problem) }
        }
        if tree.gateways.isEmpty {
            problems.append(
                ConfigurationProblem(
                    found: "has no gateway", allowed: "must have a file SITE/BUILDING/FLOOR/GATEWAY.toml for each",
                    file: "the directory"))
        }
    }

    package var gateways: [GatewayPath] { documents.keys.sorted() }

    package subscript(gateway: GatewayPath) -> PlannedConfiguration? { documents[gateway] }

    private static func document(
        _ gateway: GatewayPath, _ tree: RolloutTree, prefix: String, _ reader: inout FileReader
    ) -> PlannedConfiguration {
        let files = tree.files(for: gateway)
        let own = files.last?.path ?? "\(gateway).toml"
        var problems: [ConfigurationProblem] = []
        var merged = MergedTable()
        for file in files {
            let read = reader.read(file)
            problems += read.problems
            merged.add(read.table, of: file.path)
        }
        problems += placeProblems(merged, gateway, own)
        for (key, level) in zip(["site", "building", "floor", "gateway"], gateway.levels) {
            merged.set(["place", key], to: level)
        }
        let text = TOMLWriter.write(merged.table)
        var unchecked: [String] = []
        if problems.isEmpty {
            let checked = check(text, merged, own: own, prefix: prefix)
            (problems, unchecked) = (checked.problems, checked.files)
        }
        return PlannedConfiguration(
            gateway: gateway, text: text, digest: ConfigurationDigest(of: Array(text.utf8)),
            uncheckedFiles: unchecked, problems: problems)
    }

    /// Reports a place in a file that is not that of its directory.
    private static func placeProblems(
        _ merged: MergedTable, _ gateway: GatewayPath, _ own: String
    ) -> [ConfigurationProblem] {
        guard case .table(let place)? = merged.table["place"]?.value else { return [] }
        return zip(["site", "building", "floor", "gateway"], gateway.levels).compactMap { key, level in
            guard let value = place[key]?.value, !value.isSame(as: .string(level)) else { return nil }
            let origin = merged.origin(of: "place.\(key)")
            return ConfigurationProblem(
                location: "place.\(key)", position: origin?.position, found: "is given",
                allowed: "follows from the file's path: omit it (\"\(level)\" for \(own))",
                file: origin?.file ?? own)
        }
    }

    private static func check(
        _ text: String, _ merged: MergedTable, own: String, prefix: String
    ) -> (problems: [ConfigurationProblem], files: [String]) {
        func located(_ problem: ConfigurationProblem) -> ConfigurationProblem {
            let origin = merged.origin(of: problem.location)
            var problem = problem
            problem.file = origin?.file ?? own
            problem.position = origin?.position
            return problem
        }
        var problems: [ConfigurationProblem] = []
        if text.utf8.count > ConfigureMessage.longestConfiguration {
            problems.append(
                ConfigurationProblem(
                    found: "gives a configuration of \(text.utf8.count) bytes",
                    allowed: "must give at most \(ConfigureMessage.longestConfiguration)", file: own))
        }
        let check = DocumentCheck(text)
        problems += check.problems.map(located)
        if let found = check.prefix, found != prefix {
            problems.append(
                located(
                    ConfigurationProblem(
                        location: "mqtt.prefix", found: "is \(found.excerpt)",
                        allowed: "must be \(prefix.excerpt), which is broker.prefix in fleet.toml")))
        }
        return (problems, check.files)
    }

    /// Parser of files, each of which is part of many configurations.
    private struct FileReader {
        private var known: [String: (table: TOMLTable, problems: [ConfigurationProblem])] = [:]

        mutating func read(_ file: RolloutFile) -> (table: TOMLTable, problems: [ConfigurationProblem]) {
            if let result = known[file.path] { return result }
            let result = Self.parse(file)
            known[file.path] = result
            return result
        }

        private static func parse(_ file: RolloutFile) -> (table: TOMLTable, problems: [ConfigurationProblem]) {
            do throws(TOMLError) {
                let table = try TOMLParser.parse(file.text)
                let problems = LiteralSecrets.paths(in: table).map { path, position in
                    ConfigurationProblem(
                        location: path, position: position, found: "is a secret",
                        allowed:
                            "must not be in the directory, which is in git: put it into a file on the gateway, and "
                            + "name that file (password-file, key-file)", file: file.path)
                }
                return (table, problems)
            } catch {
                return (
                    [:],
                    [
                        ConfigurationProblem(
                            position: error.position, found: error.mistake.found, allowed: error.mistake.allowed,
                            file: file.path)
                    ]
                )
            }
        }
    }
}
