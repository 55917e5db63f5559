import BeaconModel
import BlueZScanner
package import GatewayCore
package import HCI
package import Logging
import ServiceLifecycle
import SystemIO

/// A service that connects to phones of contact apps heard by the radio, and learns their codes.
///
/// Nothing waits for the service. Sightings that arrive faster than they are processed are dropped, oldest first.
/// Each code that is learned is passed on at once.
package actor ExchangeService: Service {
    /// Performs one attempt: `ExchangeLink`, or a substitute.
    package typealias Attempt =
        @Sendable (ExchangeAttempt, _ ownCode: UInt64?, _ stop: ExchangeStop) async -> Result<
            ExchangeReading, ExchangeError
        >

    private static let mostWaiting = 256

    private let ownCode: UInt64?
    private let attempt: Attempt
    private let learned: @Sendable (LearnedCode) async -> Void
    private let logger: Logger
    private var scheduler: ExchangeScheduler
    private let stop = ExchangeStop()

    private nonisolated let sightings: AsyncStream<ExchangeSighting>
    private nonisolated let inbox: AsyncStream<ExchangeSighting>.Continuation

    /// - Parameters:
    ///   - ownCode: the code given to phones; `nil`: none.
    ///   - attempt: connects once.
    ///   - learned: takes a phone's code.
    package init(
        rules: ExchangeRules, ownCode: UInt64?, logger: Logger, attempt: @escaping Attempt = ExchangeService.connect,
        learned: @escaping @Sendable (LearnedCode) async -> Void
    ) {
        self.ownCode = ownCode
        self.attempt = attempt
        self.learned = learned
        self.logger = logger
        scheduler = ExchangeScheduler(rules: rules)
        (sightings, inbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    }

    /// Counts of the attempts so far, by outcome.
    package var counts: ExchangeScheduler.Counts { scheduler.counts }

    /// Passes on the sightings of the radio.
    package nonisolated func hear(_ heard: [ExchangeSighting]) {
        for sighting in heard { inbox.yield(sighting) }
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
        // Neither addresses nor codes are logged: they are personal data.
        switch result {
        case .success(let reading):
            await learned(LearnedCode(peer: next.peer, code: reading.code, time: now))
            logger.debug("code received from a phone", metadata: ["app": "\(next.peer.app.rawValue)"])
        case .failure(let error):
            // Errors that an operator has to fix are warnings. A phone that moves out of range is not an error.
            let level: Logger.Level = error.remedy == nil && error.meaning == nil ? .debug : .warning
            logger.log(
                level: level, "phone did not provide its code",
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

/// Cancellation of the attempts in progress, from any thread.
package struct ExchangeStop: Sendable {
    private struct State: Sendable {
        var isPulled = false
        var next = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = LockedValue(State())

    /// Runs every action. Actions registered later run at once.
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
