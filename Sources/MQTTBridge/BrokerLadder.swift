import BeaconModel

/// Which broker is tried next, and with which version of MQTT. Pure.
struct BrokerLadder: Sendable {
    private let endpoints: [BrokerEndpoint]
    private let choice: BrokerConfiguration.VersionChoice
    private var index = 0
    /// Brokers of which it is known that they speak 3.1.1 only.
    private(set) var memory: [BrokerMemory.Entry]
    /// Brokers that are tried with 3.1.1 now, because MQTT 5 didn't work a moment ago.
    private var falling: Set<BrokerEndpoint> = []
    private var attempted: MQTTVersion = .five

    /// A broker may have been upgraded: after this it is asked again.
    private static let remembered: Duration = .seconds(24 * 3600)

    init(
        endpoints: [BrokerEndpoint], choice: BrokerConfiguration.VersionChoice, memory: [BrokerMemory.Entry] = [],
        now: Timestamp
    ) {
        self.endpoints = endpoints.isEmpty ? [BrokerEndpoint(host: "localhost", port: 1883)] : endpoints
        self.choice = choice
        // What was noted in the future was noted by another clock.
        self.memory = memory.filter { now - $0.notedAt < Self.remembered && $0.notedAt <= now }
    }

    var endpoint: BrokerEndpoint { endpoints[index] }
    /// The first of all, in the order of preference.
    var preferred: BrokerEndpoint { endpoints[0] }
    var isPreferred: Bool { index == 0 }

    /// The version for the next attempt.
    mutating func version(at now: Timestamp) -> MQTTVersion {
        switch choice {
        case .five: attempted = .five
        case .threeOneOne: attempted = .threeOneOne
        case .automatic:
            memory.removeAll { now - $0.notedAt >= Self.remembered }
            let isKnown = memory.contains { $0.broker == endpoint.description }
            attempted = isKnown || falling.contains(endpoint) ? .threeOneOne : .five
        }
        return attempted
    }

    /// The broker has accepted.
    ///
    /// - Returns: whether there is something new to remember.
    mutating func connected(at now: Timestamp) -> Bool {
        guard choice == .automatic, falling.remove(endpoint) != nil, attempted == .threeOneOne else { return false }
        memory.append(.init(broker: endpoint.description, notedAt: now))
        return true
    }

    /// An attempt or a connection has failed; the next attempt is for another version, or another broker.
    ///
    /// - Returns: whether to wait before it: all brokers have been tried.
    mutating func failed(_ error: MQTTError?, wasConnected: Bool) -> Bool {
        if choice == .automatic, !wasConnected, attempted == .five, error?.suggestsOlderVersion == true {
            falling.insert(endpoint)
            return false
        }
        falling.remove(endpoint)
        // A broker that was there may be there again.
        if wasConnected { return true }
        index = (index + 1) % endpoints.count
        return index == 0
    }

    /// Begins with the most preferred broker again.
    mutating func prefer() { index = 0 }
}
