import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import OperatorText

struct FloorsCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks floor plans, and whether receivers match them.",
        discussion: """
            Reports all problems at once. An error is a contradiction in the plan, such as rooms that overlap; a plan \
            with errors is not used. A warning names a place where positions will be less accurate, such as a room \
            without a receiver. With --config, the positions of receivers are checked as well; they come from the \
            records in the store.
            """)

    @Argument(help: "Files of floor plans (default: that of the configuration).")
    var files: [String] = []

    @OptionGroup var options: FloorPlanOptions

    func run() async throws {
        try await Terminal.run {
            let opened = try options.open(files)
            let problems = FloorPlanCheck.problems(of: opened.plans, receivers: opened.receivers)
            let warnings = problems.filter { $0.severity == .warning }.map(opened.located)
            let errors = problems.filter { $0.severity == .error }.map(opened.located)
            let paths = opened.names
            let path = paths.first ?? ""
            for warning in warnings { Terminal.note("warning: \(warning.line(in: path))") }
            guard errors.isEmpty else { throw InvalidFloorPlans(path: path, problems: errors) }
            let counts = [
                (opened.plans.count, "floor"), (opened.plans.reduce(0) { $0 + $1.rooms.count }, "room"),
                (opened.plans.reduce(0) { $0 + $1.doors.count }, "door"),
                // Without a store it is not known how many there are.
                (
                    opened.receivers == nil ? nil : opened.plans.reduce(0) { $0 + opened.receivers(on: $1).count },
                    "receiver"
                ),
                (warnings.count, "warning"),
            ].compactMap { count, noun in count.map { "\($0) \(noun)\($0 == 1 ? "" : "s")" } }
            Terminal.note("\(paths.joined(separator: " and ")) is valid: \(counts.joined(separator: ", "))")
        }
    }
}

/// Floor plans with errors, which are not used.
struct InvalidFloorPlans: OperatorError {
    var path: String
    var problems: [ConfigurationProblem]

    var what: String { ConfigurationProblem.list(problems, in: path) }
    var remedy: String? { "correct the plan, or the positions in the gateways' configurations" }
    var exitStatus: BeaconModel.ExitStatus { .configuration }
}
