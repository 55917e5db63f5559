import BeaconModel
import BlueZScanner
package import GatewayCore
package import HCI
package import Logging
import ServiceLifecycle
import SystemIO

/// Connects to phones of contact apps that the radio hears, and learns their codes.
///
/// Nothing waits for it: sightings that come faster than it can think about them are lost, the oldest first, and what it
/// learns lies ready until it is fetched.
package actor ExchangeService: Service {
    /// What this makes of one attempt: `ExchangeLink`, or a substitute.
    package typealias Attempt =
        @Sendable (ExchangeAttempt, _ ownCode: UInt64?, _ stop: ExchangeStop) async -> Result<
            ExchangeReading, ExchangeError
        >

    private static let mostWaiting = 256
    /// What nobody fetches for so long isn't worth keeping.
    private static let mostLearned = 256

    private let ownCode: UInt64?
    private let attempt: Attempt
    private let logger: Logger
    private var scheduler: ExchangeScheduler
    private let stop = ExchangeStop()

    private nonisolated let sightings: AsyncStream<ExchangeSighting>
    private nonisolated let inbox: AsyncStream<ExchangeSighting>.Continuation
    private nonisolated let outbox = LockedValue<[LearnedCode]>([])

    /// - Parameters:
    ///   - ownCode: what phones are given; `nil`: nothing.
    ///   - attempt: connects once.
    package init(
        rules: ExchangeRules, ownCode: UInt64?, logger: Logger, attempt: @escaping Attempt = ExchangeService.connect
    ) {
        self.ownCode = ownCode
        self.attempt = attempt
        self.logger = logger
        scheduler = ExchangeScheduler(rules: rules)
        (sightings, inbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    }

    /// What became of the attempts so far.
    package var counts: ExchangeScheduler.Counts { scheduler.counts }

    /// Says whom the radio has heard.
    package nonisolated func hear(_ heard: [ExchangeSighting]) {
        for sighting in heard { inbox.yield(sighting) }
    }

    /// What was learnt since it was last asked, in the order in which it was learnt.
    package nonisolated func takeLearned() -> [LearnedCode] {
        outbox.withLock { learned in
            defer { learned.removeAll() }
            return learned
        }
    }

    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await sighting in sightings {
                    guard scheduler.hear(sighting), let next = scheduler.start(at: sighting.time) else { continue }
                    group.addTask { await self.perform(next) }
                }
            }
        } onGracefulShutdown: { [inbox, stop] in
            inbox.finish()
            stop.pull()
        }
    }

    private func perform(_ next: ExchangeAttempt) async {
        let result = await attempt(next, ownCode, stop)
        let now = WallClock.now()
        scheduler.finish(next.peer, result, at: now)
        // Neither addresses nor codes: they are of persons.
        switch result {
        case .success(let reading):
            outbox.withLock { learned in
                if learned.count == Self.mostLearned { learned.removeFirst() }
                learned.append(LearnedCode(peer: next.peer, code: reading.code, time: now))
            }
            logger.debug("a phone has given its code", metadata: ["app": "\(next.peer.app.rawValue)"])
        case .failure(let error):
            // What an operator has to change is told; that a phone walks away is nobody's fault.
            let level: Logger.Level = error.remedy == nil && error.meaning == nil ? .debug : .warning
            logger.log(
                level: level, "a phone hasn't given its code",
                metadata: ["app": "\(next.peer.app.rawValue)", "error": "\(error.what)"])
        }
    }

    private static let connect: Attempt = { next, ownCode, stop in
        do throws(SystemError) {
            let link = try ExchangeLink(adapter: next.adapter)
            let number = stop.onPull { link.cancel() }
            defer { stop.forget(number) }
            return await link.exchange(with: next.peer, ownCode: ownCode)
        } catch {
            return .failure(.system(error))
        }
    }
}

/// Ends what is under way, from any thread.
package struct ExchangeStop: Sendable {
    private struct State: Sendable {
        var isPulled = false
        var next = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = LockedValue(State())

    /// Runs every action, and each one that comes later at once.
    package func pull() {
        let actions = state.withLock { state in
            state.isPulled = true
            defer { state.actions.removeAll() }
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    /// - Returns: a number for `forget`.
    package func onPull(_ action: @escaping @Sendable () -> Void) -> Int {
        let (number, isPulled) = state.withLock { state in
            state.next += 1
            if !state.isPulled { state.actions[state.next] = action }
            return (state.next, state.isPulled)
        }
        if isPulled { action() }
        return number
    }

    package func forget(_ number: Int) { state.withLock { $0.actions[number] = nil } }
}
