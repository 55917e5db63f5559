package import BeaconModel
package import HCI
package import ModuleDialogues
package import RecordContract

/// An input of `RadioCore`. A `source` is the index of an adapter in the configuration.
package enum RadioInput: Sendable {
    /// The gateway begins: it resumes from the persisted presence of the previous run, if there is any, and listens for
    /// the modules of the configured inventory. This is the first input, and a replay has none.
    case started(PersistedPresence?)
    /// The state of an adapter, which comes whenever it changes.
    case state(RadioState, source: Int)
    case packets(HCIPacketBatch, source: Int)
    /// An adapter has received nothing for a second.
    ///
    /// - `heardUntil`: the time until which the silence is known to be radio silence; `nil` when it is not known.
    case silence(source: Int, at: Timestamp, heardUntil: Timestamp?)
    /// A message of a remote receiver.
    case remote(RemoteReceiverPacket)
    /// A tick of the remote receivers' clock, every second.
    case remoteClock(isConnected: Bool, at: Timestamp)
    /// Reports of a listening module.
    case heardByModule(ModuleHearing)
    /// The inventory has changed: other modules, or modules that advertise something else or listen elsewhere.
    case inventory(Inventory)
    /// Whether signals are published from now on.
    case signals(Bool)
    /// The state of one of our own modules, which comes whenever it changes.
    case module(ModuleStatus)
    /// A module has failed or recovered.
    case moduleEvent(ModuleEvent)
    /// A phone has given its code.
    case learned(LearnedCode)
    /// Scanning is to be restarted with one adapter; `nil`: with all.
    case rescan(AdapterSelector?)
    /// The gateway ends. This is the last input.
    case stopped
    /// A capture that is replayed ends: the interactions end at the time of its last report. This is the last input.
    case captureEnded
}
