/// The behaviour of a module on its serial line, as a state machine without I/O and without a clock.
///
/// Its owner passes in bytes, expired timers and radio events, and carries out the outputs in order. Any input is valid
/// at any time.
package protocol EmulatedFirmware: Sendable {
    /// Data that the module currently transmits.
    var air: OnAir { get }

    /// Rate in bit/s that hosts usually use with this kind of module.
    var usualBaud: Int { get }

    /// The host's latest known rate in bit/s. If it differs from the module's rate, both sides receive garbage.
    var hostBaud: Int { get set }

    /// Number of resets, including those that the module has performed by itself.
    var resetCount: Int { get }

    /// Time for which the port is absent after each reset; `nil` when it stays.
    var portAbsenceAfterReset: Duration? { get }

    /// Processes bytes from the host, in chunks of any size.
    ///
    /// - Parameter baud: the host's rate in bit/s, which becomes `hostBaud`.
    mutating func receive(_ bytes: [UInt8], baud: Int) -> [ModuleOutput]

    /// Processes an expired timer.
    mutating func fire(_ timer: ModuleTimer) -> [ModuleOutput]

    /// Resets the module, as by a short loss of power or its RESET button.
    mutating func reset()

    /// Connects a phone, if the module is connectable.
    mutating func centralConnects() -> [ModuleOutput]

    /// Disconnects the phone, if one is connected.
    mutating func centralDisconnects() -> [ModuleOutput]

    /// Delivers an advertisement to the radio.
    ///
    /// - Parameter rssi: the signal strength in dBm.
    mutating func hear(_ air: OnAir, rssi: Int8) -> [ModuleOutput]

    /// Returns the bytes of a firmware image written by the host, or `nil` when there is none with that number.
    func flashImage(_ number: Int) -> [UInt8]?
}

extension EmulatedFirmware {
    package var portAbsenceAfterReset: Duration? { nil }
    package mutating func hear(_ air: OnAir, rssi: Int8) -> [ModuleOutput] { [] }
    package func flashImage(_ number: Int) -> [UInt8]? { nil }
}

/// An action that the owner of an emulated module must take.
package enum ModuleOutput: Equatable, Sendable {
    /// Send these bytes to the host as one chunk.
    case send([UInt8])
    /// Pass the timer to `fire` after this time.
    case schedule(ModuleTimer, after: Duration)
}

/// A timer. It belongs to the period between two resets of a module, and has no effect after a reset.
package struct ModuleTimer: Hashable, Sendable {
    package let event: Event
    package let generation: Int

    package enum Event: Hashable, Sendable {
        case reset
        /// A delayed reply is due.
        case reply
        case loaded, bluetoothLoaded, upgrade
        /// The line has transmitted a piece of the output.
        case piece
        case transferCheck(Int)
        /// The silence that ends a command may have elapsed.
        case commandGap
        /// A simulated device is received, in the scan with this number.
        case report(scan: Int)
        /// The scan with this number ends by itself.
        case scanEnds(scan: Int)
    }
}
