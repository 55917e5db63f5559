import TOMLKit

/// A reader of one table of a TOML file, key by key, that collects problems instead of stopping at them.
///
/// `finish` reports the keys that were never read: a misspelt key is an error, not a silent default.
package final class TOMLReader: FileFields {
    private let table: TOMLTable
    private let path: String
    private let problems: Problems
    private var known: Set<String> = []
    /// Keys that have already been reported.
    private var reported: Set<String> = []

    /// The problems of a whole file.
    package final class Problems {
        package var all: [ConfigurationProblem] = []

        package init() {}
    }

    /// Parses a whole file. Returns `nil` and adds a problem if the file is not TOML.
    package convenience init?(_ text: String, problems: Problems) {
        if let mistake = TOMLPrecheck.firstMistake(in: text) {
            problems.all.append(
                ConfigurationProblem(
                    location: "line \(mistake.line)", found: mistake.found, allowed: mistake.allowed))
            return nil
        }
        do {
            self.init(try TOMLTable(string: text), problems: problems)
        } catch {
            let begin = (error as? TOMLParseError)?.source.begin
            let location = begin.map { "line \($0.line), column \($0.column)" } ?? "file"
            problems.all.append(
                ConfigurationProblem(location: location, found: "\(error)", allowed: "must be TOML 1.0"))
            return nil
        }
    }

    private init(_ table: TOMLTable, path: String = "", problems: Problems) {
        self.table = table
        self.path = path
        self.problems = problems
    }

    /// The path of the table, for messages.
    package var place: String { path }

    /// Returns the path of a key, or that of the table itself for `nil`.
    package func path(of key: String?) -> String {
        guard let key else { return path }
        return path.isEmpty ? key : path + "." + key
    }

    package func report(_ key: String, found: String, allowed: String) {
        problems.all.append(ConfigurationProblem(location: path(of: key), found: found, allowed: allowed))
    }

    /// Adds the problems of another file that this one names.
    package func adopt(_ others: [ConfigurationProblem], of file: String) {
        problems.all += others.map { problem in
            var problem = problem
            problem.file = file
            return problem
        }
    }

    package func has(_ key: String) -> Bool { table.contains(key: key) }

    package func string(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        guard let string = value.string, value.type == .string else {
            return wrongType(key, value, "must be a string in quotes")
        }
        return string
    }

    package func integer(_ key: String, allowed: String, where isAllowed: (Int) -> Bool) -> Int? {
        guard let value = value(key) else { return nil }
        guard value.type == .int, let integer = value.int else {
            return wrongType(key, value, "must be a whole number " + allowed)
        }
        guard isAllowed(integer) else {
            report(key, found: "found \(integer)", allowed: "must be \(allowed)")
            return nil
        }
        return integer
    }

    package func number(_ key: String) -> Double? {
        guard let value = value(key) else { return nil }
        if value.type == .int, let integer = value.int { return Double(integer) }
        guard value.type == .double, let number = value.double, number.isFinite else {
            return wrongType(key, value, "must be a number")
        }
        return number
    }

    /// Returns a number in a range.
    ///
    /// - Parameter unit: the unit for the message; the value has none.
    package func number(_ key: String, in range: ClosedRange<Double>, unit: String = "") -> Double? {
        guard let value = number(key) else { return nil }
        guard range.contains(value) else {
            let limits = "must be from \(range.lowerBound) to \(range.upperBound)"
            report(key, found: "found \(value)", allowed: unit.isEmpty ? limits : limits + " " + unit)
            return nil
        }
        return value
    }

    package func boolean(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        guard value.type == .bool, let boolean = value.bool else {
            return wrongType(key, value, "must be true or false")
        }
        return boolean
    }

    package func duration(_ key: String, in range: ClosedRange<Duration>) -> Duration? {
        let allowed =
            "\(DurationText.form), from \(DurationText.format(range.lowerBound)) to \(DurationText.format(range.upperBound))"
        if let value = value(key), value.type == .int, let number = value.int {
            report(key, found: "found \(number)", allowed: "must have a unit, in quotes: \"\(number)s\"")
            return nil
        }
        return parsed(key, allowed: allowed) { text in
            DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    package func strings(_ key: String) -> [String]? {
        guard let value = value(key) else { return nil }
        guard value.type == .array, let array = value.array else {
            return wrongType(key, value, "must be a list of strings: [\"...\", \"...\"]")
        }
        return array.enumerated().compactMap { index, element in
            guard element.type == .string, let string = element.string else {
                report("\(key)[\(index)]", found: "found \(Self.name(element))", allowed: "must be a string in quotes")
                return nil
            }
            return string
        }
    }

    /// Returns a list of whole or decimal numbers.
    package func numbers(_ key: String) -> [Double]? {
        guard let value = value(key) else { return nil }
        guard value.type == .array, let array = value.array else {
            return wrongType(key, value, "must be a list of numbers: [1, 2.5]")
        }
        return array.enumerated().compactMap { index, element in
            if element.type == .int, let integer = element.int { return Double(integer) }
            guard element.type == .double, let number = element.double, number.isFinite else {
                report("\(key)[\(index)]", found: "found \(Self.name(element))", allowed: "must be a number")
                return nil
            }
            return number
        }
    }

    package func table(_ key: String) -> TOMLReader? {
        guard let value = value(key) else { return nil }
        guard value.type == .table, let table = value.table else {
            return wrongType(key, value, "must be a table: [\(path(of: key))]")
        }
        return TOMLReader(table, path: path(of: key), problems: problems)
    }

    package func tables(_ key: String) -> [TOMLReader] {
        guard let value = value(key) else { return [] }
        guard value.type == .array, let array = value.array else {
            return wrongType(key, value, "must be a list of tables: [[\(path(of: key))]]") ?? []
        }
        return array.enumerated().compactMap { index, element in
            guard element.type == .table, let table = element.table else {
                report("\(key)[\(index)]", found: "found \(Self.name(element))", allowed: "must be a table")
                return nil
            }
            return TOMLReader(table, path: "\(path(of: key))[\(index)]", problems: problems)
        }
    }

    /// Reports that the required `key` is missing.
    package func missing(_ key: String, allowed: String) {
        guard !reported.contains(key) else { return }
        report(key, found: "is missing", allowed: "must be \(allowed)")
    }

    /// Reports that `key` was replaced by `other`, which is then not reported as missing.
    package func retired(_ key: String, instead: String, replacedBy other: String) {
        report(key, found: "is not known any more", allowed: instead)
        reported.formUnion([key, other])
    }

    /// Reports the keys that were never read.
    package func finish() {
        for key in table.keys.sorted() where !known.contains(key) && !reported.contains(key) {
            report(
                key, found: "is not known", allowed: "the keys here are " + known.sorted().joined(separator: ", "))
        }
    }

    private func value(_ key: String) -> TOMLValue? {
        known.insert(key)
        return table[key]
    }

    private func wrongType<Value>(_ key: String, _ value: TOMLValue, _ allowed: String) -> Value? {
        report(key, found: "found \(Self.name(value))", allowed: allowed)
        return nil
    }

    private static func name(_ value: some TOMLValueConvertible) -> String {
        switch value.type {
        case .string: "a string"
        case .int: "a whole number"
        case .double: "a decimal number"
        case .bool: "true or false"
        case .table: "a table"
        case .array: "a list"
        case .date, .time, .dateTime: "a date or time"
        }
    }
}
