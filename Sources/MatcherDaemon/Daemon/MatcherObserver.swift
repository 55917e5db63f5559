import MQTTBridge
import Watching

/// Looks at the matcher's work: receiving and storing, and the connection that publishes results.
actor MatcherObserver {
    private let progress: MatcherProgress
    private let publisher: MQTTPublisher
    private var wasConnected = false

    init(progress: MatcherProgress, publisher: MQTTPublisher) {
        self.progress = progress
        self.publisher = publisher
    }

    func observe() async -> MatcherObservation {
        let isConnected = await publisher.isConnected
        wasConnected = wasConnected || isConnected
        return progress.observation(
            isConnected ? .connected : wasConnected ? .lost : .connecting, now: .now)
    }
}
