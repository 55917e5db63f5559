package import BeaconModel

/// The failover list: selects the next broker to try, and the MQTT version to use. Pure.
///
/// MQTT 3.1.1 is used only if necessary, because a broker does not report which records it rejects in that version. A
/// broker that has spoken MQTT 5 is downgraded to 3.1.1 only if it says so itself.
package struct BrokerFailover: Sendable {
    private let endpoints: [BrokerEndpoint]
    private let choice: BrokerConfiguration.VersionChoice
    private var index = 0
    /// Versions that brokers are known to speak: MQTT 5, or only 3.1.1.
    package private(set) var memory: [KnownBroker]
    /// Brokers that are tried with 3.1.1 now, because MQTT 5 has just failed.
    private var falling: Set<BrokerEndpoint> = []
    /// Number of consecutive MQTT 5 connections that a broker closed without a reason.
    private var silentEnds: [BrokerEndpoint: Int] = [:]
    private var attempted: MQTTVersion = .five
    private var attemptedAt = Timestamp(microseconds: 0)
    /// Brokers with which 3.1.1 is used whatever they say of it, and the start of that time. They sent packets that are
    /// not MQTT 5, and libmosquitto leaks the properties that it has read of such packets (CMosquittoGuard).
    private var leaking: [BrokerEndpoint: Timestamp] = [:]

    /// Time after which MQTT 5 is tried again with a 3.1.1 broker, because it may have been upgraded.
    private static let remembered: Duration = .seconds(24 * 3600)
    /// Number of silent ends after which 3.1.1 is tried. A single one may only mean that the broker is being restarted.
    static let mostSilentEnds = 3

    package init(
        endpoints: [BrokerEndpoint], choice: BrokerConfiguration.VersionChoice, memory: [KnownBroker] = [],
        now: Timestamp
    ) {
        self.endpoints = endpoints.isEmpty ? [BrokerEndpoint(host: "localhost", port: 1883)] : endpoints
        self.choice = choice
        // An entry dated in the future was written by another clock.
        self.memory = memory.filter {
            $0.speaksFive || now - $0.notedAt < Self.remembered && $0.notedAt <= now
        }
    }

    package var endpoint: BrokerEndpoint { endpoints[index] }
    /// The first broker in the order of preference.
    package var preferred: BrokerEndpoint { endpoints[0] }
    package var isPreferred: Bool { index == 0 }

    /// Returns the version for the next attempt.
    package mutating func version(at now: Timestamp) -> MQTTVersion {
        attemptedAt = now
        switch choice {
        case .five: attempted = .five
        case .threeOneOne: attempted = .threeOneOne
        case .automatic:
            memory.removeAll { !$0.speaksFive && now - $0.notedAt >= Self.remembered }
            let isKnown = entry.map { !$0.speaksFive } ?? false
            attempted = isKnown || isLeaking(endpoint, at: now) || falling.contains(endpoint) ? .threeOneOne : .five
        }
        return attempted
    }

    /// Records that the broker has accepted the connection.
    ///
    /// - Returns: whether there is something new to remember.
    package mutating func connected(at now: Timestamp) -> Bool {
        guard choice == .automatic else { return false }
        silentEnds[endpoint] = nil
        falling.remove(endpoint)
        guard entry?.version != attempted else { return false }
        forget()
        memory.append(.init(broker: endpoint.description, notedAt: now, version: attempted))
        return true
    }

    /// Records a failed attempt or connection, and selects another version or another broker for the next attempt.
    ///
    /// - Returns: whether to wait before the next attempt: all brokers have been tried, the broker had accepted the
    ///   connection, or it sent packets that are not MQTT.
    package mutating func failed(_ error: MQTTError?, wasConnected: Bool) -> Bool {
        if choice == .automatic, attempted == .five, error?.isMalformed == true {
            leaking[endpoint] = attemptedAt
            return true
        }
        if choice == .automatic, !wasConnected, isFallDue(error) {
            falling.insert(endpoint)
            return false
        }
        falling.remove(endpoint)
        // A broker that was available may be available again.
        if wasConnected { return true }
        index = (index + 1) % endpoints.count
        return index == 0
    }

    /// Returns the version with which the preferred broker is tried while another is connected; `nil` if any version
    /// will do.
    package func probeVersion(at now: Timestamp) -> MQTTVersion? { isLeaking(preferred, at: now) ? .threeOneOne : nil }

    /// Whether 3.1.1 is used with a broker, whatever it says, because it sent packets that are not MQTT 5.
    private func isLeaking(_ endpoint: BrokerEndpoint, at now: Timestamp) -> Bool {
        leaking[endpoint].map { now - $0 < Self.remembered } ?? false
    }

    /// Records that an attempt to reach a broker with MQTT 5 has failed while another broker was connected.
    package mutating func probeFailed(_ endpoint: BrokerEndpoint, _ error: MQTTError, at now: Timestamp) {
        if choice == .automatic, error.isMalformed { leaking[endpoint] = now }
    }

    /// Returns to the most preferred broker.
    package mutating func prefer() { index = 0 }

    private var entry: KnownBroker? { memory.last { $0.broker == endpoint.description } }

    private mutating func forget() { memory.removeAll { [endpoint] in $0.broker == endpoint.description } }

    /// Whether 3.1.1 is tried next, after an attempt that the broker did not accept.
    private mutating func isFallDue(_ error: MQTTError?) -> Bool {
        let isRefusal = error?.isRefusalOfVersion ?? false
        guard attempted == .five else {
            // The broker was upgraded and accepts only MQTT 5.
            if isRefusal { forget() }
            return false
        }
        guard !isRefusal, error?.cause == .closed, entry?.speaksFive != true else {
            silentEnds[endpoint] = nil
            if isRefusal { forget() }
            return isRefusal
        }
        let count = (silentEnds[endpoint] ?? 0) + 1
        silentEnds[endpoint] = count < Self.mostSilentEnds ? count : nil
        return count >= Self.mostSilentEnds
    }
}

extension MQTTError {
    /// Whether the broker sent data that cannot be parsed.
    fileprivate var isMalformed: Bool { cause == .library(.malformedPacket) }
}
