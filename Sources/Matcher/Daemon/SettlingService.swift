import BeaconModel
import InteractionStore
import Logging
import Matching
import ServiceLifecycle
import SystemIO

/// Makes vectors of the readings of each quarter of an hour when it is over, and finds who was together. What comes late is
/// settled when it has come.
struct SettlingService: NamedService {
    var store: SharedStore
    var spokesman: Spokesman
    var duty: Duty
    var logger: Logger

    /// How long gateways have after the end of a quarter, in seconds: those that are later are settled again.
    static let patience: Int64 = 60
    private static let interval: Duration = .seconds(20)
    /// Between two looks at the clocks of gateways.
    private static let surveyInterval: Duration = .seconds(3600)
    /// Between two looks at what others heard of places' beacons.
    private static let claimInterval: Duration = .seconds(600)
    /// Between two blocks, for whoever waits for the store.
    private static let pause: Duration = .milliseconds(20)
    /// What comes meanwhile waits for no more blocks that are compared anew.
    private static let blocksAnew = 8

    func run() async throws {
        guard await duty.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            var surveyedAt: ContinuousClock.Instant?
            var examinedAt: ContinuousClock.Instant?
            while true {
                do {
                    try await settle()
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
                    logger.error("can't settle readings", metadata: ["because": "\(error.inOneLine)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func settle() async throws {
        while let settling = try await settleOne() {
            for receiver in settling.disbelieved.sorted() {
                logger.warning(
                    "receiver not believed: it claims to have heard many whom nobody else on its floor heard",
                    metadata: ["receiver": "\(receiver)"])
            }
            if settling.leftOut > 0 {
                logger.warning(
                    "too many subjects on a floor: not all are compared, and distances count too",
                    metadata: ["minutes left out": "\(settling.leftOut)"])
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Takes back that beacons hang somewhere that gateways of other floors hear near them. What was settled meanwhile is
    /// compared anew first, so that it is done again when this process ends in between.
    private func examineClaims() async throws {
        let (store, spokesman) = (store, spokesman)
        let claimed = try await onThread {
            guard try spokesman.isThis() else { return [InteractionStore.PlaceBeacon]() }
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
                "receiver isn't believed any more which beacon hangs at its place: it counts as a badge",
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
        let (store, spokesman) = (store, spokesman)
        let offsets = try await DedicatedThread.run(name: "clocks") {
            Result {
                guard try spokesman.isThis() else { return [String: Int]() }
                return try store.use { try $0.surveyClocks(now: now) }
            }
        }.get()
        for (receiver, minutes) in offsets.sorted(by: { $0.key < $1.key }) {
            logger.warning(
                "receiver's clock is off, as people's walks show",
                metadata: ["receiver": "\(receiver)", "minutes ahead": "\(minutes)"])
        }
    }

    private func settleOne() async throws -> InteractionStore.Settling? {
        let now = WallClock.now().microseconds / 1_000_000
        let (store, spokesman) = (store, spokesman)
        return try await DedicatedThread.run(name: "settling") {
            Result {
                // Of matchers that share a store one settles.
                guard try spokesman.isThis() else { return nil }
                return try store.use { try $0.settleReadings(before: now - Self.patience, now: now) }
            }
        }.get()
    }
}
