import ArgumentParser
import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import Localisation
import Logging
import MatcherCore
import MatcherDaemon
import Matching
import OperatorText
import SystemIO

struct SurveyTakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take", abstract: "Measures spots of a floor with a badge.",
        discussion: """
            Leads through the rooms of the floor: walk to each spot, press Enter, and stand there with the badge where \
            it is usually worn. The gateways must send signals: [signals] enabled = true in their configurations. \
            With --at, the spots are measured one after the other without questions.
            """)

    @Argument(help: "Floor, as SITE/BUILDING/FLOOR or the end of that.")
    var floor: String

    @Option(
        help: ArgumentHelp("The badge that is carried, as badge:UUID/MAJOR/MINOR.", valueName: "badge"),
        transform: MatcherOption.subject)
    var badge: SubjectIdentity

    @Option(help: ArgumentHelp("Time at each spot in seconds.", valueName: "seconds"))
    var seconds = 30

    @Option(
        help: ArgumentHelp("Measure at this position in metres; can be repeated.", valueName: "x,y"),
        transform: Self.position)
    var at: [PlanPoint] = []

    @OptionGroup var options: SurveyOptions

    func validate() throws {
        guard (5...600).contains(seconds) else { throw ValidationError("--seconds must be from 5 to 600") }
        guard badge.kind == SubjectIdentity.badge else {
            throw ValidationError("--badge must be a badge: badge:UUID/MAJOR/MINOR")
        }
    }

    /// Reads a position, `x,y` in metres.
    private static func position(_ text: String) throws -> PlanPoint {
        guard let point = point(text) else { throw ValidationError("must be X,Y in metres, such as 3.5,12") }
        return point
    }

    private static func point(_ text: String) -> PlanPoint? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.trimmingPrefix { $0 == " " }) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], abs(x) < 10_000, abs(y) < 10_000 else { return nil }
        return PlanPoint(x: x, y: y)
    }

    func run() async throws {
        try await Terminal.run {
            let (configuration, settings) = try options.read([.store, .brokerTLS, .brokerPassword])
            let plan = try FloorPlanOptions.Opened(plans: settings.plans).plan(floor)
            for point in at where !plan.holds(point) { throw OutsidePlan(point: point, plan: plan) }
            if at.isEmpty, !Terminal.canAsk { throw NoTerminal() }
            let opened = try configuration.openStore(creating: false)
            let listener = SurveyListener(
                try configuration.withClientID(from: opened), badge: badge, building: plan.buildingPath,
                revoked: try opened.revokedGateways(),
                logger: ProgramLogger.make("survey", level: .warning))
            let store = SharedStore(opened)
            let counted = LockedValue(0)
            try await listener.listening {
                let taken = try await at.isEmpty ? walk(plan, listener, store) : measure(plan, listener, store)
                counted.withLock { $0 = taken }
            }
            if counted.withLock({ $0 }) == 0 {
                Terminal.note("nothing was measured")
                return
            }
            let survey = try store.use { try CheckedSurvey(settings, $0).text }
            for line in survey { try Terminal.print(line) }
        }
    }

    /// Measures the given spots.
    ///
    /// - Returns: their number.
    private func measure(_ plan: FloorPlan, _ listener: SurveyListener, _ store: SharedStore) async throws -> Int {
        for point in at { try await measure(point, plan, listener, store) }
        return at.count
    }

    /// Leads through the rooms.
    ///
    /// - Returns: the number of measured spots.
    private func walk(_ plan: FloorPlan, _ listener: SurveyListener, _ store: SharedStore) async throws -> Int {
        var count = 0
        let spots = SurveyRoute.spots(of: plan)
        try Terminal.print(
            "\(spots.count) spots in \(plan.rooms.count) rooms and corridors. Enter measures, x,y measures at another position, "
                + "s skips, r skips the rest of the room, q ends.")
        var skipped: Set<Int?> = []
        for (index, spot) in spots.enumerated() where !skipped.contains(spot.room) {
            let room = spot.room.map { plan.rooms[$0].name } ?? "between rooms"
            var isDone = false
            while !isDone {
                try Terminal.write(
                    "\(index + 1)/\(spots.count)  \(room)  at \(spot.position.inMetres): ")
                let answer = try await DedicatedThread.run(name: "question") { readLine() }
                guard let answer, answer != "q" else { return count }
                isDone = true
                if answer == "s" { continue }
                if answer == "r" {
                    skipped.insert(spot.room)
                    continue
                }
                let point = answer.isEmpty ? spot.position : Self.point(answer)
                guard let point, plan.holds(point) else {
                    try Terminal.print(
                        point == nil ? "not understood: press Enter, or type x,y, s, r or q" : "outside of the floor")
                    isDone = false
                    continue
                }
                do {
                    try await measure(point, plan, listener, store)
                    count += 1
                } catch let error as NotHeard {
                    // Perhaps the badge was asleep.
                    Terminal.note("\(error.what); \(error.remedy ?? "")")
                    isDone = false
                }
            }
        }
        return count
    }

    private func measure(
        _ point: PlanPoint, _ plan: FloorPlan, _ listener: SurveyListener, _ store: SharedStore
    ) async throws {
        listener.begin()
        let start = WallClock.now().microseconds / 1_000_000
        for second in 0..<seconds {
            let (receivers, strongest) = listener.heard.summary
            Terminal.progress(
                "\(seconds - second) s  \(receivers) receiver\(receivers == 1 ? "" : "s")"
                    + (strongest.map { ", strongest \(Int($0.rounded())) dBm" } ?? ""))
            try await Task.sleep(for: .seconds(1))
        }
        // The last second arrives after its end.
        try await Task.sleep(for: .seconds(1))
        Terminal.progress(nil)
        let heard = listener.heard
        if heard.gateways.isEmpty { throw NoSignals(building: plan.buildingPath) }
        let signals = heard.signals
        guard !signals.isEmpty else { throw NotHeard(badge: badge, gateways: heard.gateways.count) }
        let spot = SurveySpot(
            badge: badge.id, floor: plan.path, position: point, startedAt: start, length: Int64(seconds),
            signals: signals)
        guard let number = try store.use({ try $0.add(spot) }) else { throw TooManySpots() }
        let room = plan.rooms.first { $0.polygon.contains(point) }?.name ?? "between rooms"
        try Terminal.print(
            "spot \(number): \(room), \(point.inMetres), \(signals.count) receiver\(signals.count == 1 ? "" : "s")")
    }
}

extension FloorPlan {
    /// Returns whether a position is on the floor.
    fileprivate func holds(_ point: PlanPoint) -> Bool {
        outline.contains(point, tolerance: 0.1) || rooms.contains { $0.polygon.contains(point) }
    }
}

extension PlanPoint {
    fileprivate var inMetres: String { "\(Metres.text(x)), \(Metres.text(y))" }
}

private struct NoTerminal: OperatorError {
    var what: String { "there is no terminal to lead through the rooms" }
    var remedy: String? { "add --at X,Y for each spot" }
    var exitStatus: BeaconModel.ExitStatus { .usage }
}

private struct OutsidePlan: OperatorError {
    var point: PlanPoint
    var plan: FloorPlan

    var what: String { "--at \(point.inMetres) is outside of \(plan.path)" }
    var remedy: String? { "look at the plan with: beacon-matcher floors show \(plan.path)" }
    var exitStatus: BeaconModel.ExitStatus { .usage }
}

private struct NoSignals: OperatorError {
    var building: String

    var what: String { "no gateway of \(building) sends signals" }
    var remedy: String? { "set [signals] enabled = true in the gateways' configurations, and reload them" }
    var exitStatus: BeaconModel.ExitStatus { .unavailable }
}

private struct NotHeard: OperatorError {
    var badge: SubjectIdentity
    var gateways: Int

    var what: String {
        "\(badge) was not heard, though \(gateways) gateway\(gateways == 1 ? " sends" : "s send") signals"
    }
    var remedy: String? { "check that the badge is on, and that its UUID is one of those that gateways follow" }
    var exitStatus: BeaconModel.ExitStatus { .unavailable }
}

private struct TooManySpots: OperatorError {
    var what: String { "there are \(InteractionStore.mostSpots) spots already" }
    var remedy: String? { "remove old ones with: beacon-matcher survey remove" }
    var exitStatus: BeaconModel.ExitStatus { .data }
}
