package import BeaconModel

/// Which broker is tried next, and with which version of MQTT. Pure.
///
/// MQTT 3.1.1 is spoken only where it has to be, since by it a broker doesn't tell which records it refuses. A broker that
/// has spoken MQTT 5 is given up to 3.1.1 only when it says so itself.
package struct BrokerLadder: Sendable {
    private let endpoints: [BrokerEndpoint]
    private let choice: BrokerConfiguration.VersionChoice
    private var index = 0
    /// What is known of brokers: that they speak MQTT 5, or 3.1.1 only.
    package private(set) var memory: [KnownBroker]
    /// Brokers that are tried with 3.1.1 now, because MQTT 5 didn't work a moment ago.
    private var falling: Set<BrokerEndpoint> = []
    /// How often a broker has closed a connection of MQTT 5 without a word, in a row.
    private var silentEnds: [BrokerEndpoint: Int] = [:]
    private var attempted: MQTTVersion = .five
    private var attemptedAt = Timestamp(microseconds: 0)
    /// Since when brokers are spoken to by 3.1.1 whatever they say of it: they sent what is no MQTT 5, and of properties
    /// libmosquitto loses what it has read (CMosquittoGuard).
    private var leaking: [BrokerEndpoint: Timestamp] = [:]

    /// A broker of 3.1.1 may have been upgraded: after this it is asked again.
    private static let remembered: Duration = .seconds(24 * 3600)
    /// The number of silent ends after which 3.1.1 is tried. A single one may only mean that the broker is being restarted.
    static let mostSilentEnds = 3

    package init(
        endpoints: [BrokerEndpoint], choice: BrokerConfiguration.VersionChoice, memory: [KnownBroker] = [],
        now: Timestamp
    ) {
        self.endpoints = endpoints.isEmpty ? [BrokerEndpoint(host: "localhost", port: 1883)] : endpoints
        self.choice = choice
        // What was noted in the future was noted by another clock.
        self.memory = memory.filter {
            $0.speaksFive || now - $0.notedAt < Self.remembered && $0.notedAt <= now
        }
    }

    package var endpoint: BrokerEndpoint { endpoints[index] }
    /// The first of all, in the order of preference.
    package var preferred: BrokerEndpoint { endpoints[0] }
    package var isPreferred: Bool { index == 0 }

    /// The version for the next attempt.
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

    /// The broker has accepted.
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

    /// An attempt or a connection has failed; the next attempt is for another version, or another broker.
    ///
    /// - Returns: whether to wait before it: all brokers have been tried.
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
        // A broker that was there may be there again.
        if wasConnected { return true }
        index = (index + 1) % endpoints.count
        return index == 0
    }

    /// The version by which the preferred broker is tried while another is connected; `nil` when any will do.
    package func probeVersion(at now: Timestamp) -> MQTTVersion? { isLeaking(preferred, at: now) ? .threeOneOne : nil }

    /// Whether a broker is spoken to by 3.1.1, whatever it says, because it sent what is no MQTT 5.
    private func isLeaking(_ endpoint: BrokerEndpoint, at now: Timestamp) -> Bool {
        leaking[endpoint].map { now - $0 < Self.remembered } ?? false
    }

    /// Notes that trying a broker by MQTT 5 has failed, while another was connected.
    package mutating func probeFailed(_ endpoint: BrokerEndpoint, _ error: MQTTError, at now: Timestamp) {
        if choice == .automatic, error.isMalformed { leaking[endpoint] = now }
    }

    /// Begins with the most preferred broker again.
    package mutating func prefer() { index = 0 }

    private var entry: KnownBroker? { memory.last { $0.broker == endpoint.description } }

    private mutating func forget() { memory.removeAll { [endpoint] in $0.broker == endpoint.description } }

    /// Whether 3.1.1 is tried next, after an attempt that the broker didn't accept.
    private mutating func isFallDue(_ error: MQTTError?) -> Bool {
        let isRefusal = error?.isRefusalOfVersion ?? false
        guard attempted == .five else {
            // It was upgraded, and takes MQTT 5 alone.
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
    /// Whether what the broker sent can't be read.
    fileprivate var isMalformed: Bool { cause == .library(.malformedPacket) }
}
