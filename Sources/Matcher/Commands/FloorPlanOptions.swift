import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import MatcherDaemon
import OperatorText
import SystemIO

/// Options that select floor plans: those of a configuration, or those of files.
struct FloorPlanOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The matcher's configuration, with a [localisation] table.", valueName: "file"))
    var config: String?

    /// Plans with what is known of their receivers.
    struct Opened {
        var plans: [FloorPlan] = []
        /// Files, with the number of plans before each.
        var files: [(path: String, first: Int, positions: [PlanElement: TextPosition])] = []
        /// Paths of floors that were drawn on the page.
        var drawn: Set<String> = []
        /// All known receivers; `nil` if no store could be read.
        var receivers: [PlanReceiver]?

        /// Name of what was drawn on the page, in the place of a file.
        static let page = "drawn on the page"

        /// Names of the files, and of what was drawn on the page.
        var names: [String] { files.map(\.path) + (drawn.isEmpty ? [] : [Self.page]) }

        /// Returns the receivers of a floor.
        func receivers(on plan: FloorPlan) -> [PlanReceiver] { (receivers ?? []).filter { $0.floor == plan.path } }

        /// Returns a problem with its place in a file.
        func located(_ problem: FloorPlanProblem) -> ConfigurationProblem {
            let index = problem.element?.floor ?? 0
            if plans.indices.contains(index), drawn.contains(plans[index].path) {
                var located = problem.configurationProblem([:])
                located.file = Self.page
                return located
            }
            guard let file = files.last(where: { $0.first <= index }) else { return problem.configurationProblem([:]) }
            var own = problem
            own.element = problem.element?.moved(to: index - file.first)
            var located = own.configurationProblem(file.positions)
            located.file = file.path
            return located
        }

        /// Refuses plans that contradict themselves; receivers are not looked at.
        ///
        /// - Throws: `InvalidFloorPlans`.
        func refuseErrors() throws {
            let errors = FloorPlanCheck.problems(of: plans, receivers: nil).filter { $0.severity == .error }
            guard errors.isEmpty else {
                throw InvalidFloorPlans(path: files.first?.path ?? "", problems: errors.map(located))
            }
        }

        /// Returns the only floor whose path ends with a name: `campus/hb/2`, `hb/2` or `2`.
        ///
        /// - Throws: `UnknownName`.
        func plan(_ name: String) throws -> FloorPlan {
            let found = plans.filter { $0.path == name || $0.path.hasSuffix("/" + name) }
            if let plan = found.first, found.count == 1 { return plan }
            throw UnknownName(
                what: found.isEmpty
                    ? "there is no plan of the floor \(name.excerpt)"
                    : "\(found.count) floors are called \(name.excerpt)",
                remedy: "the floors are " + plans.prefix(50).map(\.path).joined(separator: ", "))
        }
    }

    /// Reads plans, and the receivers of the configuration's store.
    ///
    /// - Parameter paths: files that are read instead of the configuration's.
    /// - Throws: `ConfigurationError`, `UnreadableConfiguration`, `NoFloorPlans`.
    func open(_ paths: [String]) throws -> Opened {
        var configuration: MatcherConfiguration?
        if let config {
            configuration = try MatcherConfiguration.load(
                config, secrets: ConfigurationFile.secrets(for: [.store]))
        }
        var opened = try Self.plans(paths, of: configuration, path: config)
        if let configuration {
            do {
                opened.receivers = try configuration.openStore(creating: false).receiverPositions().map {
                    PlanReceiver(path: $0.path, position: $0.position, room: $0.room)
                }
            } catch let error as StoreError {
                Terminal.note("note: receivers not checked: \(error.inOneLine)")
            }
        }
        return opened
    }

    /// Reads plans without receivers.
    ///
    /// - Parameters:
    ///   - paths: files that are read instead of the configuration's.
    ///   - path: path of the configuration; `nil` if there is none.
    /// - Throws: `ConfigurationError`, `UnreadableFile`, `NoFloorPlans`.
    static func plans(
        _ paths: [String], of configuration: MatcherConfiguration?, path: String?
    ) throws -> Opened {
        var opened = Opened()
        let configured = paths.isEmpty ? configuration?.localisation : nil
        let paths = paths.isEmpty ? [configured?.planFile].compactMap(\.self) : paths
        for path in paths {
            let contents = try FloorPlanFile.contents(of: read(path), path: path)
            opened.files.append((path, opened.plans.count, contents.positions))
            opened.plans += contents.plans
        }
        // Without a store, which may not exist yet, no floor was drawn on the page.
        if configured != nil, let configuration, let store = try? configuration.openStore(creating: false) {
            let drawn = try store.drawnFloors().map { (path: $0.path, toml: $0.toml) }
            let merged = MergedPlans(file: opened.plans, drawn: drawn)
            for line in merged.warnings { Terminal.note("warning: \(line)") }
            (opened.plans, opened.drawn) = (merged.plans, merged.drawn)
        }
        guard !opened.plans.isEmpty || !opened.files.isEmpty else {
            throw NoFloorPlans(path: path, isDrawn: configured != nil && configured?.planFile == nil)
        }
        return opened
    }

    private static func read(_ path: String) throws -> [UInt8] {
        do throws(SystemError) {
            // One byte more than the parser accepts, so that the parser itself reports a file that is too long.
            return try FileContents.read(path, limit: PlanLimits.bytes + 1)
        } catch {
            throw UnreadableFile(error: error)
        }
    }
}

extension PlanElement {
    /// Index of the floor.
    fileprivate var floor: Int {
        switch self {
        case .floor(let floor), .room(let floor, _), .door(let floor, _), .passage(let floor, _): floor
        }
    }

    fileprivate func moved(to floor: Int) -> PlanElement {
        switch self {
        case .floor: .floor(floor)
        case .room(_, let index): .room(floor: floor, index)
        case .door(_, let index): .door(floor: floor, index)
        case .passage(_, let index): .passage(floor: floor, index)
        }
    }
}

/// A file that a command was given cannot be read.
struct UnreadableFile: OperatorError {
    var error: SystemError

    var what: String { error.what }
    var remedy: String? { "specify a file that this user can read" }
    var exitStatus: BeaconModel.ExitStatus { .inputOutput }
}

private struct NoFloorPlans: OperatorError {
    var path: String?
    /// Whether the floors are those that are drawn on the page.
    var isDrawn = false

    var what: String {
        if isDrawn, let path { return "\(path) names no file of plans, and no floor was drawn on the page" }
        return path.map { "\($0) has no [localisation] table" } ?? "no floor plans are specified"
    }
    var remedy: String? {
        if isDrawn { return "draw a floor on the page, or name a file with localisation.plan" }
        return path == nil
            ? "specify a file of plans, or a configuration with --config"
            : "add [localisation] with plan; docs/guide/matcher/floors.md shows one"
    }
    var exitStatus: BeaconModel.ExitStatus { path == nil ? .usage : .configuration }
}
