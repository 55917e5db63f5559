import BeaconModel
package import ModuleDialogues
import SystemIO

/// A `HearingQueue` between the thread of a link, which never waits, and its consumer.
package final class HearingMailbox: Sendable {
    /// Signals that items have arrived since the last `take`.
    package let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let queue = LockedValue(HearingQueue())

    package init() { (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func take() -> HearingQueue.Batch { queue.withLock { $0.take() } }

    /// Ends the arrivals. Remaining items can still be taken.
    package func finish() { arrived.finish() }

    package func add(_ what: HearingQueue.Item.What) {
        let time = WallClock.now()
        queue.withLock { $0.add(what, at: time) }
        arrived.yield()
    }
}
