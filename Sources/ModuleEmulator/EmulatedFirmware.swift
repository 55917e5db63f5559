/// What a module does behind its serial line, as a state machine without I/O and without a clock.
///
/// Its owner passes bytes, expired timers and events of the radio in, and carries out the outputs, in order. Any
/// input is legal at any time.
package protocol EmulatedFirmware: Sendable {
    /// What the module transmits now.
    var air: OnAir { get }

    /// The rate at which hosts usually talk to such a module, in bit/s.
    var usualBaud: Int { get }

    /// The host's rate in bit/s, as last seen. At another rate than the module's own, both read garbage.
    var hostBaud: Int { get set }

    /// How often the module was reset or has reset itself.
    var resetCount: Int { get }

    /// For how long the port is away after each reset; `nil` when it stays.
    var portAbsenceAfterReset: Duration? { get }

    /// Bytes from the host, in pieces of any size.
    ///
    /// - Parameter baud: the host's rate in bit/s, which becomes `hostBaud`.
    mutating func receive(_ bytes: [UInt8], baud: Int) -> [ModuleOutput]

    /// A scheduled time has come.
    mutating func fire(_ timer: ModuleTimer) -> [ModuleOutput]

    /// The module loses its power for a moment, or somebody presses its RESET button.
    mutating func reset()

    /// A phone connects, if the module is connectable.
    mutating func centralConnects() -> [ModuleOutput]

    /// The phone, if there is one, ends its connection.
    mutating func centralDisconnects() -> [ModuleOutput]

    /// The radio receives somebody's advertisement.
    ///
    /// - Parameter rssi: in dBm.
    mutating func hear(_ air: OnAir, rssi: Int8) -> [ModuleOutput]

    /// The bytes of a firmware image that was burnt; `nil` when there is none of that number.
    func flashImage(_ number: Int) -> [UInt8]?
}

extension EmulatedFirmware {
    package var portAbsenceAfterReset: Duration? { nil }
    package mutating func hear(_ air: OnAir, rssi: Int8) -> [ModuleOutput] { [] }
    package func flashImage(_ number: Int) -> [UInt8]? { nil }
}

/// What the owner of an emulated module has to do for it.
package enum ModuleOutput: Equatable, Sendable {
    /// Bytes to the host, one chunk.
    case send([UInt8])
    /// Pass the timer to `fire` after this time.
    case schedule(ModuleTimer, after: Duration)
}

/// Belongs to one life of a module: after a reset it does nothing.
package struct ModuleTimer: Hashable, Sendable {
    package let event: Event
    package let generation: Int

    package enum Event: Hashable, Sendable {
        case reset
        /// A reply that the firmware took its time for.
        case reply
        case loaded, bluetoothLoaded, upgrade
        /// The line has carried a piece of the output.
        case piece
        case transferCheck(Int)
        /// Maybe the silence that ends a command.
        case commandGap
        /// A device of the crowd is heard, in the scan of this number.
        case report(scan: Int)
        /// The scan of this number ends by itself.
        case scanEnds(scan: Int)
    }
}
