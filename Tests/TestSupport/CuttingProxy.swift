package import BeaconModel
import Glibc
import SystemIO

/// A network between a client and a broker that fails on demand: a TCP proxy on the loopback interface.
package final class CuttingProxy: Sendable {
    package let port: UInt16
    private let listener: CInt
    private let wakeup: WakeupPipe
    private let state = LockedValue(ProxyState())

    /// - Parameter brokerPort: where its connections lead, on the loopback interface.
    package init(to brokerPort: UInt16) throws(SystemError) {
        let (listener, port) = try LoopbackSocket.listen()
        self.listener = listener
        self.port = port
        wakeup = try WakeupPipe()
        let (state, wakeup) = (state, wakeup)
        do {
            try DedicatedThread.start(name: "proxy") {
                var loop = ProxyLoop(listener: listener, brokerPort: brokerPort, state: state, wakeup: wakeup)
                loop.run()
            }
        } catch {
            Glibc.close(listener)
            throw error
        }
    }

    deinit { close() }

    /// Ends all connections and the proxy itself.
    package func close() { order { $0.isClosing = true } }

    /// What has happened so far.
    package var counts: ProxyCounts { state.withLock { $0.counts } }

    /// Breaks all connections now, as a cable does that is pulled out: the client gets a reset.
    package func cut() { order { $0.isCutting = true } }

    /// Breaks the connection once so many more bytes have gone by in one direction, perhaps in the midst of a packet.
    package func cut(afterFromClient bytes: Int) { order { $0.clientBudget = bytes } }

    /// The same for what comes back: the broker has the message, and the client doesn't know.
    package func cut(afterFromBroker bytes: Int) { order { $0.brokerBudget = bytes } }

    /// Lets so many PUBACKs of the broker vanish, and everything else go by: to be ordered while none is on its way.
    package func swallow(acknowledgements count: Int) { order { $0.acknowledgementsToSwallow = count } }

    /// Answers PUBLISH packets itself by a PUBACK with a reason of MQTT 5, and keeps them from the broker.
    ///
    /// - Parameter reason: for a topic, and what follows it in the packet; `nil`: the packet goes by.
    package func refuse(_ reason: @escaping @Sendable (_ topic: String, _ rest: [UInt8]) -> UInt8?) {
        order { state in
            state.refusal = reason
            // Answers are put between whole packets of the broker.
            state.acknowledgementsToSwallow = state.acknowledgementsToSwallow ?? 0
        }
    }

    /// Closes the connection of whoever publishes on one of these topics, as brokers of MQTT 3.1.1 do it, and keeps the
    /// message from the broker.
    package func close(over topics: @escaping @Sendable (String) -> Bool) { order { $0.forbidden = topics } }

    package func set(_ mode: ProxyMode) { order { $0.mode = mode } }

    /// How clients of MQTT 5 are treated from now on.
    ///
    /// - Parameter times: so many of them; all if none is given.
    package func set(_ treatment: VersionFiveTreatment, times: Int? = nil) {
        order { ($0.versionFive, $0.versionFiveTimes) = (treatment, times) }
    }

    private func order(_ change: (inout ProxyState) -> Void) {
        state.withLock(change)
        wakeup.wake()
    }
}

package enum ProxyMode: Sendable {
    case passing
    /// Connections are accepted, and nothing moves any more.
    case silent
    /// Connections are broken, and new ones refused.
    case refusing
}

/// What a broker does to a client that speaks MQTT 5.
package enum VersionFiveTreatment: Sendable {
    case passed
    /// CONNACK "unacceptable protocol version" in the form of 3.1.1, as NATS does it.
    case refused
    /// Closed without a word, as RabbitMQ 3.10 does it.
    case closed
}

package struct ProxyCounts: Equatable, Sendable {
    package var connections = 0
    package var cuts = 0
    package var bytesFromClient = 0
    package var bytesFromBroker = 0
    /// CONNECT packets of MQTT 5 that weren't let through.
    package var versionsRefused = 0
    /// Protocol levels of all CONNECT packets: 4 is MQTT 3.1.1.
    package var levels: [UInt8] = []
    /// PUBACKs that the client didn't get.
    package var swallowed = 0
    /// PUBLISH packets that the proxy answered.
    package var refused = 0
    /// Topics over which connections were closed, in the order in which they were.
    package var closedOver: [String] = []
}

/// What the proxy's thread and those who steer it share.
struct ProxyState: Sendable {
    var mode = ProxyMode.passing
    var versionFive = VersionFiveTreatment.passed
    var versionFiveTimes: Int?
    var refusal: (@Sendable (String, [UInt8]) -> UInt8?)?
    var forbidden: (@Sendable (String) -> Bool)?
    var clientBudget: Int?
    var brokerBudget: Int?
    /// Since this was ordered, whole packets are told apart.
    var acknowledgementsToSwallow: Int?
    var isCutting = false
    var isClosing = false
    var counts = ProxyCounts()
}
