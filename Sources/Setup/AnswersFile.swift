package import OperatorText

/// A file with answers: TOML, with the keys of the configuration where there is one.
package struct AnswersFile: Equatable, Sendable {
    /// Answers by `table.key`. Lists are separated by commas.
    package var answers: [String: String]
    /// Names of tests whose failures don't matter.
    package var keepAnyway: Set<String>

    package init(answers: [String: String] = [:], keepAnyway: Set<String> = []) {
        self.answers = answers
        self.keepAnyway = keepAnyway
    }

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - keys: keys that have questions.
    ///   - tests: names of tests.
    /// - Throws: `ConfigurationError` with all problems.
    package static func parse(
        _ text: String, path: String, keys: [String], tests: [String]
    ) throws(ConfigurationError) -> AnswersFile {
        var problems: [ConfigurationProblem] = []
        let table: TOMLTable
        do throws(TOMLError) {
            table = try TOMLParser.parse(text)
        } catch {
            throw ConfigurationError(
                path: path,
                problems: [
                    ConfigurationProblem(
                        position: error.position, found: error.mistake.found, allowed: error.mistake.allowed)
                ])
        }
        var file = AnswersFile()
        func add(_ key: String, _ node: TOMLNode) {
            guard keys.contains(key) else {
                let owner = key.split(separator: ".").dropLast().joined(separator: ".")
                let beside = keys.filter { $0.split(separator: ".").dropLast().joined(separator: ".") == owner }
                problems.append(
                    ConfigurationProblem(
                        location: key, position: node.position, found: "is unknown",
                        allowed: "the keys are " + (beside.isEmpty ? keys : beside).joined(separator: ", ")))
                return
            }
            guard let answer = Self.answer(node.value) else {
                problems.append(
                    ConfigurationProblem(
                        location: key, position: node.position, found: "found \(node.value.kind)",
                        allowed: "must be a string, a whole number, true or false, or a list of strings"))
                return
            }
            file.answers[key] = answer
        }
        for (name, node) in table.sorted(by: { $0.key < $1.key }) {
            if name == "keep-anyway" {
                let names = Self.answer(node.value)?.listed ?? []
                for wrong in names where !tests.contains(wrong) {
                    problems.append(
                        ConfigurationProblem(
                            location: name, position: node.position, found: "found \(wrong.excerpt)",
                            allowed: "must be one of \(tests.joined(separator: ", "))"))
                }
                file.keepAnyway = Set(names)
            } else if case .table(let inner) = node.value {
                for (key, node) in inner.sorted(by: { $0.key < $1.key }) { add("\(name).\(key)", node) }
            } else {
                add(name, node)
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(path: path, problems: problems) }
        return file
    }

    private static func answer(_ value: TOMLValue) -> String? {
        switch value {
        case .string(let text): return text.isEmpty ? "none" : text
        case .integer(let number): return "\(number)"
        case .boolean(let isTrue): return isTrue ? "yes" : "no"
        case .array(let nodes):
            var texts: [String] = []
            for node in nodes {
                guard case .string(let text) = node.value else { return nil }
                texts.append(text)
            }
            return texts.isEmpty ? "none" : texts.joined(separator: ", ")
        default: return nil
        }
    }
}
