import BeaconModel
import CommandSupport
import MQTTBridge
import OperatorText
import Publishing
import ServiceLifecycle
import SystemIO

/// Subscriber that runs until it is stopped, and reconnects as often as necessary.
struct TailService: Service {
    var broker: BrokerConfiguration
    var filter: String
    var screen: TailScreen

    /// Time limit for connecting and for the confirmation of the subscription.
    private static let patience: Duration = .seconds(15)

    private enum Part {
        case subscriber, patience
    }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var current = broker
            var backoff = Backoff()
            var generator = SystemRandomNumberGenerator()
            while !Task.isCancelled {
                let isSubscribed = LockedValue(false)
                var reason = "it closed the connection"
                do {
                    try await receive(from: current, isSubscribed)
                } catch {
                    if Task.isCancelled { return }
                    // An error before the first subscription is permanent, but for a refused client identifier.
                    guard await screen.wasSubscribed else {
                        guard let renamed = current.namedAsUser(after: error) else { throw error }
                        current = renamed
                        continue
                    }
                    reason = error.inOneLine
                }
                if let failure = await screen.failure { throw failure }
                if Task.isCancelled { return }
                if isSubscribed.withLock({ $0 }) { backoff.reset() }
                let wait = backoff.next(using: &generator)
                Terminal.note("no connection to \(broker.preferred): \(reason); retrying in \(wait.shown)")
                try? await Task.sleep(for: wait)
            }
        }
    }

    private func receive(from broker: BrokerConfiguration, _ isSubscribed: LockedValue<Bool>) async throws {
        let subscriber = try MQTTSubscriber(configuration: broker, filter: filter)
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                try await subscriber.run {
                    isSubscribed.withLock { $0 = true }
                    await screen.subscribed()
                } _: { message in
                    await screen.show(message)
                }
                return .subscriber
            }
            group.addTask {
                try await Task.sleep(for: Self.patience)
                guard isSubscribed.withLock({ $0 }) else { throw MuteBroker(broker: "\(broker.preferred)") }
                return .patience
            }
            while let part = try await group.next() {
                if part == .subscriber { group.cancelAll() }
            }
        }
    }
}

extension Duration {
    /// Duration in seconds, with one decimal.
    fileprivate var shown: String { Format.fixed(inSeconds, 1) + " s" }
}

private struct MuteBroker: OperatorError {
    var broker: String

    var what: String { "\(broker) does not answer like an MQTT broker" }
    var remedy: String? { "specify the broker's port with --port; a TLS port requires --ca-file" }
    var exitStatus: ExitStatus { .unavailable }
}
