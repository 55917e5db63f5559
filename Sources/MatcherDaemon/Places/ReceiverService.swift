import BeaconModel
import CommandSupport
import FloorPlans
import InteractionStore
import Localisation
import Logging
import MatcherCore
import OperatorText
import ServiceLifecycle
import SystemIO

/// Service that looks every night at how loudly receivers hear each other: it learns their offsets and what they hear of
/// each other's modules, and names those that hang elsewhere than they say. The store keeps which night was done: one
/// that failed, or in which no matcher was running, is done later.
struct ReceiverService: NamedService {
    var store: SharedStore
    var configuration: Reloadable<MatcherConfiguration>
    var leader: StoreLeader
    var activation: Activation
    var logger: Logger

    /// Time from the start to the first look: after a restart, readings may still be on their way.
    private static let patience: Duration = .seconds(600)
    private static let interval: Duration = .seconds(60)
    /// Time of which readings are looked at, in seconds.
    private static let reach: Int64 = 86_400

    /// What became of a building whose night was due.
    private enum Outcome: Sendable {
        case looked(ReceiverNight, isUsed: Bool)
        /// A process that led before this one was faster.
        case doneByAnother
        case failed(any Error)

        var isFailure: Bool {
            if case .failed = self { true } else { false }
        }
    }

    func run() async throws {
        guard await activation.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            var schedule = NightSchedule()
            var pause = Self.patience
            while true {
                try await Task.sleep(for: pause)
                pause = Self.interval
                do {
                    for (building, outcome) in try await look(schedule) {
                        schedule.note(building, isFailed: outcome.isFailure, at: .now)
                        log(outcome, of: building)
                    }
                } catch is CancellationError {
                    return
                } catch {
                    pause = NightSchedule.backoff
                    logger.error("receivers not compared", metadata: ["because": "\(error.inOneLine)"])
                }
            }
        }
    }

    /// Looks at the buildings whose night is due, if this process leads. One that fails does not stop the others.
    ///
    /// - Throws: `StoreError` if what receivers heard cannot be read.
    private func look(_ schedule: NightSchedule) async throws -> [(building: String, outcome: Outcome)] {
        let configuration = configuration.current
        guard let settings = configuration.localisation else { return [] }
        let now = WallClock.now().microseconds / 1_000_000
        let number = NightSchedule.night(at: now, in: configuration.days)
        let buildings = Dictionary(grouping: settings.plans, by: \.buildingPath)
        let learns = settings.learnsFromModules
        let (store, leader) = (store, leader)
        return try await DedicatedThread.run(name: "receivers") {
            Result { () throws -> [(building: String, outcome: Outcome)] in
                guard try leader.isThis() else { return [] }
                let done = try store.use { try $0.receiverNights() }
                let due = schedule.due(buildings.keys, done: done, night: number, at: .now)
                if due.isEmpty { return [] }
                let (positions, levels) = try store.use {
                    (try $0.receiverPositions(), try $0.mutualHearing(from: now - Self.reach, to: now))
                }
                return due.map { building -> (building: String, outcome: Outcome) in
                    let night = ReceiverNight(
                        buildings[building] ?? [],
                        positions.map { ($0.path, $0.position, $0.former == nil ? nil : $0.since) },
                        since: now - Self.reach, levels: levels, now: now)
                    do {
                        guard
                            let isUsed = try Self.finish(
                                number, in: building, night, learns: learns, now: now, store)
                        else { return (building, .doneByAnother) }
                        return (building, .looked(night, isUsed: isUsed))
                    } catch {
                        return (building, .failed(error))
                    }
                }
            }
        }.get()
    }

    /// Stores what a night found. The night is done with the last step, so that it is due again if one fails.
    ///
    /// - Returns: whether models use new offsets; `nil` if another process has done the night.
    private static func finish(
        _ number: Int64, in building: String, _ night: ReceiverNight, learns: Bool, now: Int64, _ store: SharedStore
    ) throws -> Bool? {
        if let spots = night.newSpots(learns: learns) {
            try store.use { try $0.setModuleSpots(spots, in: building) }
        }
        let choice: InteractionStore.OffsetChoice
        if let fit = night.fit {
            // Without an improvement, earlier offsets are not used either: those of a receiver that was replaced are
            // wrong now.
            choice = fit.isImprovement ? .version(fit.offsets) : .noOffsets
        } else {
            choice = .undecided
        }
        return try store.use { try $0.finish(night: number, in: building, choosing: choice, now: now) }
    }

    private func log(_ outcome: Outcome, of building: String) {
        switch outcome {
        case .looked(let night, let isUsed): log(night, of: building, isUsed: isUsed)
        case .doneByAnother: break
        case .failed(let error):
            logger.error(
                "receivers not compared", metadata: ["building": "\(building)", "because": "\(error.inOneLine)"])
        }
    }

    private func log(_ night: ReceiverNight, of building: String, isUsed: Bool) {
        for found in night.disagreements {
            logger.warning(
                "receiver hangs elsewhere than it says, by what it hears",
                metadata: [
                    "receiver": "\(found.path)", "states": "\(found.stated.text)",
                    "fits": "\(found.fitted.position.text) ± \(Format.fixed(found.fitted.radius, 1)) m",
                    "remedy": "look at: beacon-matcher floors suggest; correct place.position",
                ])
        }
        guard let fit = night.fit else { return }
        logger.info(
            isUsed
                ? "offsets of receivers learnt"
                : fit.isImprovement
                    ? "offsets of receivers learnt, but earlier ones are kept"
                    : "no offsets of receivers, they predict nothing",
            metadata: [
                "building": "\(building)", "links": "\(fit.links)",
                "error before": "\(Format.fixed(fit.errorBefore, 1)) dB",
                "error after": "\(Format.fixed(fit.errorAfter, 1)) dB",
            ])
    }
}

extension PlanPoint {
    fileprivate var text: String { "\(Format.fixed(x, 1)), \(Format.fixed(y, 1))" }
}
