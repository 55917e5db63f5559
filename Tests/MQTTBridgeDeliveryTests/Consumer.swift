import RecordContract
import SyntheticRecords
import SystemIO
import TestSupport

/// Counts what `mosquitto_sub` receives, in a session that the broker keeps.
actor Consumer {
    private(set) var tally = DeliveryTally()
    private(set) var progress = StoredProgress(through: RecordPosition(boot: 1, sequence: 0))
    private var subscriber: TestSubscriber?
    private var reading: Task<Void, Never>?
    private let session: String
    /// Takes each beacon's records in their order only, and leaves what comes too early to be sent again.
    private let order: SyntheticRecords?
    private var accepted: Set<RecordPosition> = []

    /// - Parameter order: of which records the order counts; `nil`: every record is taken when it comes.
    init(session: String = "consumer", order: SyntheticRecords? = nil) {
        self.session = session
        self.order = order
    }

    /// Connects, once the broker has confirmed the subscription.
    func connect(port: UInt16) async throws {
        let subscriber = try await TestSubscriber(
            port: port, filter: SyntheticRecords.root + "/beacon/#", session: session)
        self.subscriber = subscriber
        reading = Task { for await line in subscriber.lines.messages { take(line) } }
    }

    private func take(_ line: String) {
        guard let position = tally.take(line) else { return }
        if let order {
            guard order.predecessor(of: position).map({ accepted.contains($0) }) ?? true else { return }
            accepted.insert(position)
        }
        progress.stored(position)
    }

    /// Goes away; the session stays.
    ///
    /// - Parameter isKilled: without a word, and with what it had received and not yet said.
    func disconnect(isKilled: Bool = false) async {
        if isKilled { await subscriber?.end() } else { await subscriber?.disconnect() }
        await reading?.value
        subscriber = nil
    }

    func has(_ positions: Set<RecordPosition>) -> Bool {
        positions.isSubset(of: order == nil ? tally.received : accepted)
    }
}
