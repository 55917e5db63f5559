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
/// each other's modules, and names those that hang elsewhere than they say.
struct ReceiverService: NamedService {
    var store: SharedStore
    var configuration: Reloadable<MatcherConfiguration>
    var leader: StoreLeader
    var activation: Activation
    var logger: Logger

    private static let interval: Duration = .seconds(60)
    /// Hour of the day in the site's time zone.
    private static let hour: Int64 = 3
    /// Time of which readings are looked at, in seconds.
    private static let reach: Int64 = 86_400

    func run() async throws {
        guard await activation.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            // The first night is the next one: after a restart, readings may still be on their way.
            var night = Self.night(configuration.current)
            while true {
                try await Task.sleep(for: Self.interval)
                let now = Self.night(configuration.current)
                guard now != night else { continue }
                night = now
                do {
                    try await look()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("receivers not compared", metadata: ["because": "\(error.inOneLine)"])
                }
            }
        }
    }

    /// Number of the night that began last, in days since 1970.
    private static func night(_ configuration: MatcherConfiguration) -> Int64 {
        configuration.days.day(of: WallClock.now().microseconds / 1_000_000 - hour * 3600)
    }

    private func look() async throws {
        guard let settings = configuration.current.localisation else { return }
        let now = WallClock.now().microseconds / 1_000_000
        let (store, leader) = (store, leader)
        let nights = try await DedicatedThread.run(name: "receivers") {
            Result { () throws -> [(building: String, night: ReceiverNight, isUsed: Bool)] in
                guard try leader.isThis() else { return [] }
                let (positions, levels) = try store.use {
                    (try $0.receiverPositions(), try $0.mutualHearing(from: now - Self.reach, to: now))
                }
                let buildings = Dictionary(grouping: settings.plans, by: \.buildingPath)
                return try buildings.sorted { $0.key < $1.key }.map { building, plans in
                    let night = ReceiverNight(
                        plans, positions.map { ($0.path, $0.position, $0.former == nil ? nil : $0.since) },
                        since: now - Self.reach, levels: levels, now: now)
                    if let spots = night.newSpots(learns: settings.learnsFromModules) {
                        try store.use { try $0.setModuleSpots(spots, in: building) }
                    }
                    guard let fit = night.fit else { return (building, night, false) }
                    guard fit.isImprovement else {
                        // Those of a receiver that was replaced are wrong now.
                        try store.use { try $0.useNoOffsets(in: building) }
                        return (building, night, false)
                    }
                    let isUsed = try store.use { try $0.add(offsets: fit.offsets, in: building, now: now) }
                    return (building, night, isUsed)
                }
            }
        }.get()
        for (building, night, isUsed) in nights { log(night, of: building, isUsed: isUsed) }
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
