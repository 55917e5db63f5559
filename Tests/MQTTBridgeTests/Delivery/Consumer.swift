import MQTTBridge
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

    init(session: String = "consumer") { self.session = session }

    /// Connects, once the broker has confirmed the subscription.
    func connect(port: UInt16) async throws {
        let subscriber = try await TestSubscriber(
            port: port, filter: SyntheticRecords.root + "/beacon/#", session: session)
        self.subscriber = subscriber
        reading = Task { for await line in subscriber.lines.messages { take(line) } }
    }

    private func take(_ line: String) {
        if let position = tally.take(line) { progress.stored(position) }
    }

    /// Goes away; the session stays.
    ///
    /// - Parameter isKilled: without a word, and with what it had received and not yet said.
    func disconnect(isKilled: Bool = false) async {
        if isKilled { await subscriber?.end() } else { await subscriber?.disconnect() }
        await reading?.value
        subscriber = nil
    }

    func has(_ positions: Set<RecordPosition>) -> Bool { positions.isSubset(of: tally.received) }
}
