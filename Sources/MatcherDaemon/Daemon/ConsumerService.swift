import BeaconModel
import Exposition
import InteractionStore
import Logging
import MQTTBridge
import MatcherCore
import Metering
import Publishing
import ServiceLifecycle
import SystemIO
import Watching

/// Service that receives and stores messages while this process is the active matcher.
struct ConsumerService: NamedService {
    var configuration: MatcherConfiguration
    var keeper: RecordKeeper
    var activation: Activation
    var meters = Meters.none
    var logger: Logger

    /// Interval at which a standby tries to take over.
    private static let standbyInterval: Duration = .milliseconds(500)
    /// Interval at which the store is looked at.
    private static let examinationInterval: Duration = .seconds(10)
    /// Interval at which a failure is logged again for the same reason.
    private static let complaintInterval: Duration = .seconds(60)

    func run() async throws {
        let consumer = MQTTConsumer(
            configuration: configuration.broker, filters: configuration.filters, share: configuration.secretShare,
            formerShare: configuration.share, logger: logger, take: keeper.take)
        let lease = LockedValue<StoreLease?>(nil)
        let looking = Task { [keeper] in
            while (try? await Task.sleep(for: .seconds(GapWatch.interval))) != nil {
                guard lease.withLock({ $0 != nil }) else { continue }
                _ = try? await DedicatedThread.run(name: "gaps") { keeper.lookForGaps() }
            }
        }
        defer { looking.cancel() }
        let examining = Task { [keeper] in
            while (try? await Task.sleep(for: Self.examinationInterval)) != nil {
                guard lease.withLock({ $0 != nil }) else { continue }
                try? await DedicatedThread.run(name: "examination") { keeper.examineStore() }
            }
        }
        defer { examining.cancel() }
        try await cancelWhenGracefulShutdown {
            try await consumer.run {
                let held = lease.withLock { $0 }
                if let held, held.isHeld { return }
                let acquired = try await standBy(wasActive: held != nil)
                lease.withLock { $0 = acquired }
                if acquired != nil {
                    keeper.progress.set(.active)
                    activation.begin()
                }
            } subscribed: {
                meters.count(MatcherMetric.brokerConnections)
                keeper.progress.subscribed()
                logger.notice("storing", metadata: ["store": "\(configuration.store)"])
                return keeper.announcements()
            } ended: {
                keeper.progress.disconnected($0)
            }
        }
    }

    /// Waits until no other process is this matcher.
    ///
    /// - Returns: the lease; `nil` if this process must end first.
    /// - Throws: `MatcherDisplaced`: the other work of an active matcher ends only with the process.
    private func standBy(wasActive: Bool) async throws -> StoreLease? {
        var isSaid = false
        var backoff = Backoff(longest: .seconds(30))
        var generator = SystemRandomNumberGenerator()
        var complaint: (reason: String, time: ContinuousClock.Instant)?
        while !Task.isCancelled {
            do {
                if let lease = try StoreLease.acquire(configuration.store, .matcher(configuration.broker.clientID)) {
                    return lease
                }
                if wasActive { throw MatcherDisplaced(clientID: configuration.broker.clientID) }
                keeper.progress.set(.standby(clientID: configuration.broker.clientID))
                if !isSaid {
                    logger.notice(
                        "standby, another matcher with this client identifier is active",
                        metadata: ["client-id": "\(configuration.broker.clientID)"])
                }
                isSaid = true
                backoff.reset()
                try? await Task.sleep(for: Self.standbyInterval)
            } catch let error as MatcherDisplaced {
                throw error
            } catch {
                let reason = error.inOneLine
                keeper.progress.set(.starting(complaint: reason))
                if complaint.map({ $0.reason != reason || .now - $0.time >= Self.complaintInterval }) ?? true {
                    logger.error("lease query failed", metadata: ["because": "\(reason)"])
                    complaint = (reason, .now)
                }
                try? await Task.sleep(for: backoff.next(using: &generator))
            }
        }
        return nil
    }
}

/// Takeover by a standby while this process could not reach the database.
private struct MatcherDisplaced: OperatorError {
    var clientID: String

    var what: String {
        "another matcher with the client identifier \(clientID) took over while the store was unavailable"
    }
    var remedy: String? { "let its supervisor restart it: it then becomes the standby" }
    var exitStatus: ExitStatus { .unavailable }
}
