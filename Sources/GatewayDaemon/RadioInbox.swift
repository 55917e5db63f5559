package import AsyncAlgorithms
package import BeaconModel
package import BlueZScanner
package import GatewayCore
package import HCI
package import ModuleDialogues
package import RecordContract

/// An input of `RadioService`. Inputs are processed one after the other, so all records of a gateway are created and
/// numbered in one place.
package enum RadioInput: Sendable {
    case radio(source: Int, AdapterScanner.Event)
    case ear(RemoteEarPacket)
    /// A tick of the remote receivers' clock, every second.
    case earClock(isConnected: Bool, at: Timestamp)
    case heardByModule(ModuleHearing)
    /// A change in which modules listen, or where they are.
    case listeners(Inventory)
    case module(ModuleEvent)
    case rescan(AdapterSelector?, AsyncStream<CommandOutcome>.Continuation)
}

/// The inbox through which other services pass inputs to `RadioService`. A sender waits until its input is taken. Once
/// the service has ended, inputs are dropped.
package struct RadioInbox: Sendable {
    package let channel = AsyncChannel<RadioInput>()

    package func send(_ input: RadioInput) async { await channel.send(input) }

    /// Restarts scanning and returns the outcome.
    package func rescan(_ adapter: AdapterSelector?) async -> CommandOutcome {
        let (outcomes, continuation) = AsyncStream<CommandOutcome>.makeStream()
        await send(.rescan(adapter, continuation))
        for await outcome in outcomes { return outcome }
        return .stopping
    }
}
