import BeaconModel
import OperatorText

extension EvaluationSchedule {
    /// Maximum size of a schedule file, in bytes.
    package static let longestFile = 1024 * 1024

    /// Parses a schedule from the tables of a `.toml` file or the lines of a `.csv` file.
    ///
    /// - Parameter path: determines the format by its extension, and names the file in the reported problems.
    /// - Throws: `ScheduleError` with every problem in the file.
    package static func parse(_ bytes: [UInt8], path: String) throws(ScheduleError) -> EvaluationSchedule {
        let problems = TOMLReader.Problems()
        let schedule = read(bytes, path: path, problems: problems)
        guard let schedule, problems.all.isEmpty else {
            throw ScheduleError(path: path, problems: problems.all)
        }
        return schedule
    }

    private static func read(
        _ bytes: [UInt8], path: String, problems: TOMLReader.Problems
    ) -> EvaluationSchedule? {
        func refuse(_ found: String, _ allowed: String) -> EvaluationSchedule? {
            problems.all.append(ConfigurationProblem(location: "file", found: found, allowed: allowed))
            return nil
        }
        let name = path.lowercased()
        let isTable = name.hasSuffix(".csv")
        guard isTable || name.hasSuffix(".toml") else {
            return refuse("has an unknown file extension", "the name must end in .toml or .csv")
        }
        guard bytes.count <= longestFile else {
            return refuse("has \(bytes.count) bytes", "must have at most \(longestFile)")
        }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else {
            return refuse("is not UTF-8 text", isTable ? "save it as \"CSV UTF-8\"" : "save it as UTF-8 text")
        }
        if isTable { return CSVSchedule(text, problems: problems).read()?.schedule() }
        return TOMLSchedule.read(text, problems: problems)?.schedule()
    }
}
