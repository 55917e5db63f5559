/// An assumption of the driver about the RS9116 that was never observed on a real module, or on which modules differ.
///
/// Each assumption is used at one place in the driver, which has a fallback there. `module probe` settles the
/// assumptions for the connected module and writes them into a profile, which the driver then follows.
public enum RS9116Assumption: String, CaseIterable, Codable, Sendable {
    /// The boot loader answers the handshake byte 0x7C. Fallback: 0x1C.
    case handshakeWith7C = "handshake-0x7c"
    /// Non-connectable advertising (type 131) is accepted. Fallback: connectable (128).
    case nonConnectable = "non-connectable"
    /// `bt_loaded` is sent after opermode. Fallback: continue after a while.
    case bluetoothAnnounced = "bluetooth-announced"
    /// Stopping takes all nine parameters. Fallback: a reset.
    case stopTakesAllParameters = "stop-takes-all-parameters"
    /// `getlocalname` returns the name that was set, in whatever form. Fallback: the applied configuration is treated
    /// as unknown and applied again.
    case nameReadable = "name-readable"
    /// `at+rsi_reset` resets. Fallback: DTR and RTS, then a person.
    case softReset = "soft-reset"
    /// Starting while already advertising is refused with 4E0C, which shows whether the module had stopped. Fallback:
    /// it is started again, which may be unnecessary.
    case doubleStartRefused = "double-start-refused"
    /// DTR and RTS are wired to the module's reset. Fallback: a person presses RESET.
    case controlLinesReset = "control-lines-reset"
    /// The boot loader waits for its handshake after a reset. Fallback, for its bypass mode: the driver queries the
    /// firmware first, because a handshake byte would spoil the first command that the firmware receives.
    case bootLoaderWaits = "boot-loader-waits"
    /// `Loading Done` is sent when the firmware runs. Fallback: after a while the driver queries whether it does.
    case loadingAnnounced = "loading-announced"
    /// Errors of commands other than Bluetooth's are a space and four digits. Fallback: the two bytes of the code.
    case commonErrorsInASCII = "common-errors-in-ascii"
    /// `at+rsi_opermode` takes a transmit power. Fallback: a command of its own.
    case powerInOperatingMode = "power-in-operating-mode"
    /// A module scans and advertises at once. CONFIRMED for the vendor's host library, LIKELY in AT mode. Fallback,
    /// detected at the first scan or set by the profile: the module listens for a few seconds of each minute, in which
    /// it does not advertise.
    case scanBesideAdvertising = "scan-beside-advertising"
    /// Starting a scan while one is on is refused with 4E0C, which shows whether it had stopped. UNKNOWN; detected at
    /// the first scan. Fallback: the driver queries the module's state; where that is inconclusive, only received
    /// advertisements prove that the module listens.
    case secondScanRefused = "second-scan-refused"

    /// The assumptions that `module probe` tests. The probe never makes the module scan.
    public static let probed = allCases.filter { $0 != .scanBesideAdvertising && $0 != .secondScanRefused }

    /// The assumption as text.
    public var statement: String {
        switch self {
        case .handshakeWith7C: "the boot loader answers to 0x7C"
        case .nonConnectable: "non-connectable advertising (type 131) is accepted"
        case .bluetoothAnnounced: "bt_loaded is sent after at+rsi_opermode"
        case .stopTakesAllParameters: "at+rsibt_advertise=0 is accepted with all nine parameters"
        case .nameReadable: "at+rsibt_getlocalname? returns the name that was set"
        case .softReset: "at+rsi_reset resets the module"
        case .doubleStartRefused: "at+rsibt_advertise=1 while advertising is refused with 4E0C"
        case .controlLinesReset: "DTR and RTS reset the module"
        case .bootLoaderWaits: "the boot loader waits for its handshake after a reset"
        case .loadingAnnounced: "the boot loader sends Loading Done"
        case .commonErrorsInASCII: "errors of at+rsi_ commands are four digits"
        case .powerInOperatingMode: "at+rsi_opermode takes a transmit power"
        case .scanBesideAdvertising: "the module scans and advertises at once"
        case .secondScanRefused: "at+rsibt_scan=1 while scanning is refused with 4E0C"
        }
    }

    /// Returns, as text, what the driver does when the assumption holds or does not.
    public func consequence(holds: Bool) -> String {
        switch (self, holds) {
        case (.handshakeWith7C, true): "sends 0x7C first"
        case (.handshakeWith7C, false): "sends 0x1C first"
        case (.nonConnectable, true): "advertises non-connectably (131)"
        case (.nonConnectable, false): "advertises connectably (128), disconnects centrals"
        case (.bluetoothAnnounced, true): "waits for bt_loaded, up to 10 s"
        case (.bluetoothAnnounced, false): "waits 2 s for Bluetooth"
        case (.stopTakesAllParameters, true): "stops with nine parameters"
        case (.stopTakesAllParameters, false): "resets instead of stopping"
        case (.nameReadable, true): "stores the configuration mark in its name"
        case (.nameReadable, false): "provisions again at each start"
        case (.softReset, true): "resets with at+rsi_reset"
        case (.softReset, false): "resets with DTR and RTS, if they are wired"
        case (.doubleStartRefused, true): "takes OK to a start as proof of having stopped"
        case (.doubleStartRefused, false): "starts again without effect"
        case (.controlLinesReset, true): "pulses them for a module that is stuck"
        case (.controlLinesReset, false): "leaves them alone; RESET is pressed by hand"
        case (.bootLoaderWaits, true): "sends the handshake at once after a reset"
        case (.bootLoaderWaits, false): "queries the firmware before the handshake"
        case (.loadingAnnounced, true): "waits for Loading Done, up to 10 s"
        case (.loadingAnnounced, false): "queries the firmware after 3 s"
        case (.commonErrorsInASCII, true): "reads four digits"
        case (.commonErrorsInASCII, false): "reads two bytes"
        case (.powerInOperatingMode, true): "sets the transmit power by at+rsi_opermode"
        case (.powerInOperatingMode, false): "sets it by at+rsibt_setantennatxpowerlevel"
        case (.scanBesideAdvertising, true): "listens all the time, if configured to listen"
        case (.scanBesideAdvertising, false): "listens for 5 s of each minute, without advertising"
        case (.secondScanRefused, true): "starts the scan again to see that it is on"
        case (.secondScanRefused, false): "queries the state to see that the scan is on"
        }
    }
}

/// The assumptions known to hold or fail for one module or one kind of board.
public struct RS9116Profile: Equatable, Sendable {
    private var settled: [RS9116Assumption: Bool]
    /// The speed to request at a module's next reset, in baud: one of `RS9116Profile.baudRates`; `nil` for 115,200.
    ///
    /// That the boot loader measures the speed at the first byte is CONFIRMED. Above 115,200 the manufacturer asks for
    /// RTS/CTS. Whether a board has them wired is UNKNOWN, so no higher speed is the default. No command is known that
    /// changes the speed of running firmware.
    public var baudRate: Int?

    /// The speeds that can be requested, in baud.
    public static let baudRates = [115_200, 230_400, 460_800, 921_600]

    /// Creates a profile of settled assumptions; all others stay open.
    public init(_ settled: [RS9116Assumption: Bool] = [:]) { self.settled = settled }

    /// Whether an assumption holds; `nil` while it is untested.
    public subscript(_ assumption: RS9116Assumption) -> Bool? {
        get { settled[assumption] }
        set { settled[assumption] = newValue }
    }

    /// Returns whether the driver relies on an assumption: it holds until it is known not to.
    func assumes(_ assumption: RS9116Assumption) -> Bool { settled[assumption] ?? true }
}
