/// What the driver takes an RS9116 to do although nobody has seen a real one do it, or because modules differ.
///
/// Each has one place in the driver, and a fallback there. `module probe` settles them for the module before it and
/// writes them into a profile, by which the driver then goes.
public enum RS9116Assumption: String, CaseIterable, Codable, Sendable {
    /// The boot loader answers the handshake byte 0x7C. Fallback: 0x1C.
    case handshakeWith7C = "handshake-0x7c"
    /// Non-connectable advertising (type 131) is accepted. Fallback: connectable (128).
    case nonConnectable = "non-connectable"
    /// `bt_loaded` is said after opermode. Fallback: go on after a while.
    case bluetoothAnnounced = "bluetooth-announced"
    /// Stopping takes all nine parameters. Fallback: a reset.
    case stopTakesAllParameters = "stop-takes-all-parameters"
    /// `getlocalname` gives the name that was set, in whatever form. Fallback: nothing is known of what was applied,
    /// and it is applied again.
    case nameReadable = "name-readable"
    /// `at+rsi_reset` leads to the boot loader. Fallback: DTR and RTS, then a person.
    case softReset = "soft-reset"
    /// Starting what advertises already is refused with 4E0C, which tells whether it had stopped.
    /// Fallback: it is started again for nothing.
    case doubleStartRefused = "double-start-refused"

    /// What was assumed, in words.
    public var statement: String {
        switch self {
        case .handshakeWith7C: "the boot loader answers to 0x7C"
        case .nonConnectable: "non-connectable advertising (type 131) is accepted"
        case .bluetoothAnnounced: "bt_loaded is said after at+rsi_opermode"
        case .stopTakesAllParameters: "at+rsibt_advertise=0 is accepted with all nine parameters"
        case .nameReadable: "at+rsibt_getlocalname? gives the name that was set"
        case .softReset: "at+rsi_reset leads back to the boot loader"
        case .doubleStartRefused: "at+rsibt_advertise=1 while advertising is refused with 4E0C"
        }
    }
}

/// What is known of one module, or one kind of board: which assumptions hold.
public struct RS9116Profile: Equatable, Sendable {
    private var settled: [RS9116Assumption: Bool]

    public init(_ settled: [RS9116Assumption: Bool] = [:]) { self.settled = settled }

    /// `nil` as long as nobody has tried it.
    public subscript(_ assumption: RS9116Assumption) -> Bool? {
        get { settled[assumption] }
        set { settled[assumption] = newValue }
    }

    /// What the driver goes by: an assumption holds until it is known not to.
    func assumes(_ assumption: RS9116Assumption) -> Bool { settled[assumption] ?? true }
}
