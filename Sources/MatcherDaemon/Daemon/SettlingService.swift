import BeaconModel
import InteractionStore
import Logging
import Matching
import Metering
import ServiceLifecycle
import SystemIO

/// Service that makes vectors of the readings of each quarter of an hour when it is over, and finds subjects that were
/// together. Late readings are settled when they have arrived.
struct SettlingService: NamedService {
    var store: SharedStore
    var leader: StoreLeader
    var activation: Activation
    var meters = Meters.none
    var logger: Logger

    /// Seconds that gateways have to deliver after the end of a quarter. Quarters with later readings are settled
    /// again.
    static let patience: Int64 = 60
    private static let interval: Duration = .seconds(20)
    /// Time between two surveys of the gateways' clocks.
    private static let surveyInterval: Duration = .seconds(3600)
    /// Time between two checks of places' beacons against what other gateways heard.
    private static let claimInterval: Duration = .seconds(600)
    /// Pause between two blocks, for other users of the store.
    private static let pause: Duration = .milliseconds(20)
    /// Number of blocks that are compared anew before new readings get their turn.
    private static let blocksAnew = 8

    func run() async throws {
        guard await activation.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            var surveyedAt: ContinuousClock.Instant?
            var examinedAt: ContinuousClock.Instant?
            while true {
                do {
                    try await meters.run(.settling) { try await settle() }
                    if examinedAt.map({ $0.duration(to: .now) >= Self.claimInterval }) ?? true {
                        examinedAt = .now
                        try await examineClaims()
                    }
                    if surveyedAt.map({ $0.duration(to: .now) >= Self.surveyInterval }) ?? true {
                        surveyedAt = .now
                        try await survey()
                    }
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("settling readings failed", metadata: ["because": "\(error.inOneLine)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func settle() async throws {
        while let settling = try await settleOne() {
            for receiver in settling.disbelieved.sorted() {
                logger.warning(
                    "receiver not trusted, it reports many subjects that no other receiver on its floor heard",
                    metadata: ["receiver": "\(receiver)"])
            }
            if settling.leftOut > 0 {
                logger.warning(
                    "too many subjects on a floor, not all are compared and distances count too",
                    metadata: ["minutes left out": "\(settling.leftOut)"])
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Withdraws claims of places' beacons that gateways of other floors hear near them. Blocks that were settled while
    /// the claim stood are compared anew first, so that this is repeated if the process ends in between.
    private func examineClaims() async throws {
        let (store, leader) = (store, leader)
        let claimed = try await onThread {
            guard try leader.isThis() else { return [InteractionStore.PlaceBeacon]() }
            return try store.use { try $0.placeBeacons() }.filter { $0.basis == .claimed }
        }
        for place in claimed {
            guard try await onThread({ try store.use { try $0.isRefuted(place) } }),
                let badge = SubjectIdentity(kind: SubjectIdentity.badge, id: place.beacon)
            else { continue }
            let now = WallClock.now().microseconds / 1_000_000
            let blocks = try await onThread({ try store.use { try $0.settledBlocks(heardOf: badge) } })
            for (index, block) in blocks.enumerated() {
                if index > 0, index.isMultiple(of: Self.blocksAnew) { try await settle() }
                try await onThread { try store.use { try $0.compareAnew(badge, in: block, now: now) } }
                try await Task.sleep(for: Self.pause)
            }
            try await onThread { try store.use { try $0.withdrawClaim(place, now: now) } }
            logger.warning(
                "place claim withdrawn, its beacon counts as a badge",
                metadata: [
                    "receiver": "\(place.receiver ?? "-")", "beacon": "\(place.beacon)",
                    "because": "gateways of other floors hear it near them",
                    "remedy": "look at: beacon-matcher places",
                ])
        }
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await DedicatedThread.run(name: "settling") { Result { try body() } }.get()
    }

    private func survey() async throws {
        let now = WallClock.now().microseconds / 1_000_000
        let (store, leader) = (store, leader)
        let offsets = try await DedicatedThread.run(name: "clocks") {
            Result {
                guard try leader.isThis() else { return [String: Int]() }
                return try store.use { try $0.surveyClocks(now: now) }
            }
        }.get()
        for (receiver, minutes) in offsets.sorted(by: { $0.key < $1.key }) {
            logger.warning(
                "clock of a receiver is off, judged by movements of subjects",
                metadata: ["receiver": "\(receiver)", "minutes ahead": "\(minutes)"])
        }
    }

    private func settleOne() async throws -> InteractionStore.Settling? {
        let now = WallClock.now().microseconds / 1_000_000
        let (store, leader) = (store, leader)
        return try await DedicatedThread.run(name: "settling") {
            Result {
                // Of the matchers that share a store, only one settles.
                guard try leader.isThis() else { return nil }
                return try store.use { try $0.settleReadings(before: now - Self.patience, now: now) }
            }
        }.get()
    }
}
