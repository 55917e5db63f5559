/// A reader of one table of a TOML file, key by key, that collects problems instead of stopping at them.
///
/// `finish` reports the keys that were never read: a misspelt key is an error, not a silent default.
package final class TOMLReader: FileFields {
    private let table: TOMLTable
    private let path: String
    /// Position of the table's name; `nil` for the whole file.
    package let position: TextPosition?
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
        do throws(TOMLError) {
            self.init(try TOMLParser.parse(text), problems: problems)
        } catch {
            problems.all.append(
                ConfigurationProblem(
                    position: error.position, found: error.mistake.found, allowed: error.mistake.allowed))
            return nil
        }
    }

    private init(_ table: TOMLTable, path: String = "", position: TextPosition? = nil, problems: Problems) {
        self.table = table
        self.path = path
        self.position = position
        self.problems = problems
    }

    /// The path of the table, for messages.
    package var place: String { path }

    /// Returns the path of a key, or that of the table itself for `nil`.
    package func path(of key: String?) -> String {
        guard let key else { return path }
        return path.isEmpty ? key : path + "." + key
    }

    /// Reports a problem with a key, in the position of the key or else of the table where it is missing.
    package func report(_ key: String, found: String, allowed: String) {
        report(key, at: table.position(of: key) ?? position, found: found, allowed: allowed)
    }

    private func report(_ key: String, at position: TextPosition?, found: String, allowed: String) {
        problems.all.append(
            ConfigurationProblem(location: path(of: key), position: position, found: found, allowed: allowed))
    }

    /// Adds the problems of another file that this one names.
    package func adopt(_ others: [ConfigurationProblem], of file: String) {
        problems.all += others.map { problem in
            var problem = problem
            problem.file = file
            return problem
        }
    }

    package func has(_ key: String) -> Bool { table[key] != nil }

    package func string(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let string) = value else {
            return wrongType(key, value, "must be a string in quotes")
        }
        return string
    }

    package func integer(_ key: String, allowed: String, where isAllowed: (Int) -> Bool) -> Int? {
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value, let integer = Int(exactly: number) else {
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
        guard let number = Self.number(value) else { return wrongType(key, value, "must be a number") }
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
        guard case .boolean(let boolean) = value else {
            return wrongType(key, value, "must be true or false")
        }
        return boolean
    }

    package func duration(_ key: String, in range: ClosedRange<Duration>) -> Duration? {
        let allowed =
            "\(DurationText.form), from \(DurationText.format(range.lowerBound)) to \(DurationText.format(range.upperBound))"
        if case .integer(let number) = value(key) {
            report(key, found: "found \(number)", allowed: "must have a unit, in quotes: \"\(number)s\"")
            return nil
        }
        return parsed(key, allowed: allowed) { text in
            DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    package func strings(_ key: String) -> [String]? {
        guard let value = value(key) else { return nil }
        guard case .array(let array) = value else {
            return wrongType(key, value, "must be a list of strings: [\"...\", \"...\"]")
        }
        return array.enumerated().compactMap { index, element in
            guard case .string(let string) = element.value else {
                return wrongType("\(key)[\(index)]", element, "must be a string in quotes")
            }
            return string
        }
    }

    /// Returns a list of whole or decimal numbers.
    package func numbers(_ key: String) -> [Double]? {
        guard let value = value(key) else { return nil }
        guard case .array(let array) = value else {
            return wrongType(key, value, "must be a list of numbers: [1, 2.5]")
        }
        return array.enumerated().compactMap { index, element in
            guard let number = Self.number(element.value) else {
                return wrongType("\(key)[\(index)]", element, "must be a number")
            }
            return number
        }
    }

    /// Returns a list of lists of numbers: `[[0, 0], [7.5, 0]]`.
    ///
    /// Reports the first element that is wrong, and then returns `nil`: a list can have many.
    ///
    /// - Parameters:
    ///   - length: numbers in each list.
    ///   - lengths: numbers of lists that are allowed.
    ///   - range: values that are allowed.
    ///   - unit: the unit for messages; the values have none.
    ///   - form: an example for messages.
    package func numberLists(
        _ key: String, of length: Int, count lengths: ClosedRange<Int>, in range: ClosedRange<Double>,
        unit: String = "", form: String
    ) -> [[Double]]? {
        guard let value = value(key) else { return nil }
        guard case .array(let array) = value else {
            return wrongType(key, value, "must be \(form)")
        }
        guard lengths.contains(array.count) else {
            report(
                key, found: "has \(array.count) elements",
                allowed: "must have \(lengths.lowerBound) to \(lengths.upperBound): \(form)")
            return nil
        }
        var lists: [[Double]] = []
        lists.reserveCapacity(array.count)
        for (index, element) in array.enumerated() {
            let name = "\(key)[\(index)]"
            guard case .array(let numbers) = element.value else {
                return wrongType(name, element, "must be \(form)")
            }
            guard let list = list(name, numbers, at: element.position, of: length, in: range, unit: unit) else {
                return nil
            }
            lists.append(list)
        }
        return lists
    }

    /// Returns a list of a given length of numbers in a range. Reports the first element that is wrong.
    package func numberList(
        _ key: String, of length: Int, in range: ClosedRange<Double>, unit: String = ""
    ) -> [Double]? {
        guard let value = value(key) else { return nil }
        guard case .array(let array) = value else {
            return wrongType(key, value, "must be a list of \(length) numbers")
        }
        return list(key, array, at: table.position(of: key) ?? position, of: length, in: range, unit: unit)
    }

    private func list(
        _ key: String, _ array: [TOMLNode], at position: TextPosition?, of length: Int, in range: ClosedRange<Double>,
        unit: String
    ) -> [Double]? {
        guard array.count == length else {
            report(key, at: position, found: "has \(array.count) numbers", allowed: "must have \(length)")
            return nil
        }
        var numbers: [Double] = []
        for (index, element) in array.enumerated() {
            guard let number = Self.number(element.value), range.contains(number) else {
                let found =
                    switch element.value {
                    case .integer(let integer): "\(integer)"
                    case .float(let number): "\(number)"
                    default: element.value.kind
                    }
                report(
                    "\(key)[\(index)]", at: element.position, found: "found \(found)",
                    allowed: "must be a number from \(range.lowerBound) to \(range.upperBound)"
                        + (unit.isEmpty ? "" : " " + unit))
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }

    package func table(_ key: String) -> TOMLReader? {
        guard let value = value(key) else { return nil }
        guard case .table(let content) = value else {
            return wrongType(key, value, "must be a table: [\(path(of: key))]")
        }
        return TOMLReader(content, path: path(of: key), position: table.position(of: key), problems: problems)
    }

    package func tables(_ key: String) -> [TOMLReader] {
        guard let value = value(key) else { return [] }
        guard case .array(let array) = value else {
            return wrongType(key, value, "must be a list of tables: [[\(path(of: key))]]") ?? []
        }
        return array.enumerated().compactMap { index, element in
            let name = "\(key)[\(index)]"
            guard case .table(let table) = element.value else {
                return wrongType(name, element, "must be a table")
            }
            return TOMLReader(table, path: path(of: name), position: element.position, problems: problems)
        }
    }

    /// Reports that the required `key` is missing.
    package func missing(_ key: String, allowed: String) {
        guard !reported.contains(key) else { return }
        report(key, found: "is missing", allowed: "must be \(allowed)")
    }

    /// Reports that `key` was replaced by `other`, which is then not reported as missing.
    package func retired(_ key: String, instead: String, replacedBy other: String) {
        report(key, found: "is no longer supported", allowed: instead)
        reported.formUnion([key, other])
    }

    /// Reports the keys that were never read.
    package func finish() {
        for key in table.keys.sorted() where !known.contains(key) && !reported.contains(key) {
            report(
                key, found: "is unknown",
                allowed: "the keys of this table are " + known.sorted().joined(separator: ", "))
        }
    }

    private func value(_ key: String) -> TOMLValue? {
        known.insert(key)
        return table[key]?.value
    }

    /// Returns a whole or decimal number as a decimal one; `nil` for infinity, NaN, and other types.
    private static func number(_ value: TOMLValue) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .float(let number) where number.isFinite: number
        default: nil
        }
    }

    private func wrongType<Value>(_ key: String, _ value: TOMLValue, _ allowed: String) -> Value? {
        report(key, found: "found \(value.kind)", allowed: allowed)
        return nil
    }

    private func wrongType<Value>(_ key: String, _ element: TOMLNode, _ allowed: String) -> Value? {
        report(key, at: element.position, found: "found \(element.value.kind)", allowed: allowed)
        return nil
    }
}
