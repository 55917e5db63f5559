import BeaconModel
import GatewayCore
import RecordContract
import ServiceLifecycle
import SystemIO

/// Subscribes to the topics of remote receivers and passes their messages on.
struct RemoteReceiverService: Service {
    var receivers: [RemoteReceiverConfiguration]
    /// Returns the messages on a topic filter, across all reconnects.
    var subscribe: @Sendable (String) async -> AsyncStream<MQTTMessage>
    /// Returns whether there is a connection to the broker now.
    var isConnected: @Sendable () async -> Bool
    var inbox: RadioInbox

    private let start = ContinuousClock.now

    init(
        receivers: [RemoteReceiverConfiguration], inbox: RadioInbox, isConnected: @escaping @Sendable () async -> Bool,
        subscribe: @escaping @Sendable (String) async -> AsyncStream<MQTTMessage>
    ) {
        self.receivers = receivers
        self.inbox = inbox
        self.isConnected = isConnected
        self.subscribe = subscribe
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for (index, receiver) in receivers.enumerated() {
                    let topics: [(RemoteReceiverTopic, String?)] = [
                        (.status, receiver.statusTopic), (.telemetry, receiver.telemetryTopic),
                        (.devices, receiver.devicesTopic),
                    ]
                    for (topic, filter) in topics {
                        guard let filter else { continue }
                        group.addTask { await follow(filter, topic, of: index) }
                    }
                }
                group.addTask { await tellTime() }
            }
        }
    }

    private func follow(_ filter: String, _ topic: RemoteReceiverTopic, of receiver: Int) async {
        var intake = RemoteReceiverIntake(topic, of: receivers[receiver].kind)
        for await message in await subscribe(filter) {
            let packet = intake.take(message, receiver: receiver, at: WallClock.now(), now: ContinuousClock.now - start)
            if let packet { await inbox.send(.remote(packet)) }
        }
    }

    /// Tells the time shortly after each full second. A second in which a receiver has heard its last subject ends with
    /// the next time that is known, and is published then.
    private func tellTime() async {
        while (try? await Task.sleep(for: Self.untilNextSecond(WallClock.now()))) != nil {
            await inbox.send(.remoteClock(isConnected: await isConnected(), at: WallClock.now()))
        }
    }

    /// Returns the time until the next full second has just begun.
    static func untilNextSecond(_ now: Timestamp) -> Duration {
        .microseconds(1_000_000 - now.microseconds % 1_000_000) + .milliseconds(20)
    }
}
