import BeaconModel
import CommandSupport
import Evidence
import FloorPlans
import InteractionStore
import Localisation
import Logging
import MatcherCore
import Matching
import Metering
import ServiceLifecycle
import SystemIO

/// Service that locates the stays of subjects by settled readings, and stores them.
struct StayService: NamedService {
    var store: SharedStore
    var configuration: Reloadable<MatcherConfiguration>
    var leader: StoreLeader
    var activation: Activation
    var meters = Meters.none
    var logger: Logger

    private static let interval: Duration = .seconds(20)
    /// Shortest and longest pause between two blocks, for other users of the store and of the processor.
    private static let pauses: (shortest: Duration, longest: Duration) = (.milliseconds(20), .seconds(2))

    func run() async throws {
        guard await activation.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            var locator = StayLocating(store: store, leader: leader)
            while true {
                do {
                    locator = try await meters.run(.stays) { try await locate(locator) }
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("stays not located", metadata: ["because": "\(error.inOneLine)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func locate(_ locating: StayLocating) async throws -> StayLocating {
        var locating = locating
        while let settings = configuration.current.localisation, !settings.settled.isEmpty {
            let now = WallClock.now().microseconds / 1_000_000
            let days = settings.stayRetention ?? configuration.current.readingRetention
            let before = locating
            let start = ContinuousClock.now
            let (after, step) = try await DedicatedThread.run(name: "stays") {
                Result {
                    var locating = before
                    let step = try locating.step(settings, earliest: now - days * 86_400, now: now)
                    return (locating, step)
                }
            }.get()
            locating = after
            for (building, model) in step.models { log(model, of: building) }
            for (building, error) in step.failures {
                logger.error(
                    "stays not located", metadata: ["building": "\(building)", "because": "\(error.inOneLine)"])
            }
            if !step.isWorking { break }
            // At most half of a core, also where weeks are to be located.
            try await Task.sleep(for: max(Self.pauses.shortest, min(Self.pauses.longest, .now - start)))
        }
        return locating
    }

    private func log(_ model: SurveyedModel, of building: String) {
        let metadata: Logger.Metadata = ["building": "\(building)", "survey": "\(model.text)"]
        switch model.outcome {
        case .none where model.modules == 0: break
        case .none: logger.info("stays located with modules", metadata: metadata)
        case .used where model.leftOut.isEmpty: logger.info("stays located with a survey", metadata: metadata)
        case .used:
            logger.warning(
                "stays located without the survey of some floors",
                metadata: metadata.merging(["remedy": "look at: beacon-matcher survey check"]) { $1 })
        case .tooFew, .refused:
            logger.warning(
                "stays located without the survey",
                metadata: metadata.merging(["remedy": "look at: beacon-matcher survey check"]) { $1 })
        }
    }
}
