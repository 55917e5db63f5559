import AsyncAlgorithms
import BlueZScanner
package import GatewayCore
package import HCI

/// The inbox through which the adapters and other services pass inputs to `RadioService`. Inputs are processed one
/// after the other, so all records of a gateway are created and numbered in one place.
///
/// A sender waits until its input is taken. Once the service has ended, inputs are dropped.
package struct RadioInbox: Sendable {
    let channel = AsyncChannel<Message>()

    enum Message: Sendable {
        case input(RadioInput)
        /// A `rescan` input whose sender waits for the outcome.
        case rescan(AdapterSelector?, AsyncStream<CommandOutcome>.Continuation)
    }

    package init() {}

    package func send(_ input: RadioInput) async { await channel.send(.input(input)) }

    /// Restarts scanning and returns the outcome.
    package func rescan(_ adapter: AdapterSelector?) async -> CommandOutcome {
        let (outcomes, continuation) = AsyncStream<CommandOutcome>.makeStream()
        await channel.send(.rescan(adapter, continuation))
        for await outcome in outcomes { return outcome }
        return .stopping
    }
}

extension RadioInput {
    /// An event of the adapter with the given index.
    init(_ event: AdapterScanner.Event, of source: Int) {
        self =
            switch event {
            case .state(let state): .state(state, source: source)
            case .packets(let batch): .packets(batch, source: source)
            case .silence(let now, let heardUntil): .silence(source: source, at: now, heardUntil: heardUntil)
            }
    }
}
