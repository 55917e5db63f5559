package import AsyncAlgorithms
package import BeaconModel
package import BlueZScanner
package import GatewayCore
package import HCI
package import ModuleDialogues
package import RecordContract

/// What `RadioService` takes in, one after the other: so all records of a gateway are made in one place, and get their
/// numbers there.
package enum RadioInput: Sendable {
    case radio(source: Int, AdapterScanner.Event)
    case ear(RemoteEarPacket)
    /// Every second.
    case earClock(isConnected: Bool, at: Timestamp)
    case heardByModule(ModuleHearing)
    /// Which modules listen has changed, or where they hang.
    case listeners(Inventory)
    case module(ModuleEvent)
    case rescan(AdapterSelector?, AsyncStream<CommandOutcome>.Continuation)
}

/// Where other services put what `RadioService` has to know. Who puts something in waits until it is taken out; once the
/// service has ended it is dropped.
package struct RadioInbox: Sendable {
    package let channel = AsyncChannel<RadioInput>()

    package func send(_ input: RadioInput) async { await channel.send(input) }

    /// Has scanning switched on anew; gives what was done.
    package func rescan(_ adapter: AdapterSelector?) async -> CommandOutcome {
        let (outcomes, continuation) = AsyncStream<CommandOutcome>.makeStream()
        await send(.rescan(adapter, continuation))
        for await outcome in outcomes { return outcome }
        return .stopping
    }
}
