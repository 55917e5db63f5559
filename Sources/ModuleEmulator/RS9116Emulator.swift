/// An RS9116W module behind its serial line, as a state machine without I/O and without a clock
/// (rs9116-at-protocol.md, section 13).
///
/// Its owner passes bytes and expired timers in and carries out the outputs, in order. Any input is legal.
public struct RS9116Emulator: Sendable {
    public enum Output: Equatable, Sendable {
        /// Bytes to the host, one chunk.
        case send([UInt8])
        /// Pass the timer to `fire` after this time.
        case schedule(Timer, after: Duration)
    }

    /// Belongs to one life of the module: after a reset it does nothing.
    public struct Timer: Hashable, Sendable {
        let event: Event
        let generation: UInt64

        enum Event: Hashable, Sendable {
            case loaded, bluetoothLoaded, reset
        }
    }

    let options: Options
    var state: State
    var flash: Flash
    /// The host mode that the key `H` chose in this life.
    var isBinaryModeChosen = false
    private var generation: UInt64 = 0
    private var line: SerialOutput
    private var answeredCommands = 0

    public init(options: Options) {
        self.options = options
        flash = Flash(images: options.imageIsMissing ? [] : [0], defaultImage: 0)
        line = SerialOutput(options: options)
        state =
            switch options.initialState {
            case .waitingForABRD: Self.stateAfterReset(options)
            case .menu: .menu
            case .firmwareLoaded: .unlatched([])
            case .atMode(let opermodeDone): .at(Firmware(opermodeDone: opermodeDone, address: options.address))
            case .binaryMode: .binary
            }
    }

    /// What the module transmits now.
    public var air: OnAir {
        guard case .at(let firmware) = state, let stack = firmware.runningStack else {
            return .silent(address: options.address)
        }
        return stack.air
    }

    /// Bytes from the host, in pieces of any size.
    public mutating func receive(_ bytes: some Sequence<UInt8>) -> [Output] {
        var outputs: [Output] = []
        for byte in bytes { receive(byte, &outputs) }
        return outputs
    }

    /// A scheduled time has come.
    public mutating func fire(_ timer: Timer) -> [Output] {
        var outputs: [Output] = []
        guard timer.generation == generation else { return outputs }
        switch timer.event {
        case .loaded: finishLoading(&outputs)
        case .bluetoothLoaded: finishLoadingBluetooth(&outputs)
        case .reset: reset()
        }
        return outputs
    }

    /// The RESET button: silent, and everything but the flash is lost (6).
    public mutating func reset() {
        generation &+= 1
        isBinaryModeChosen = false
        state = Self.stateAfterReset(options)
    }

    private mutating func receive(_ byte: UInt8, _ outputs: inout [Output]) {
        switch state {
        case .waitingForABRD, .waitingForU, .menu, .imageNumber:
            receiveInBootloader(byte, &outputs)
        case .unlatched(var first):
            first.append(byte)
            guard first.count >= 4 else {
                state = .unlatched(first)
                return
            }
            guard lowercased(first) == Array("at+r".utf8) else {
                state = .binary
                return
            }
            var firmware = Firmware(address: options.address)
            for byte in first { _ = firmware.input.append(byte) }
            state = .at(firmware)
        case .at(var firmware):
            let input = firmware.input.append(byte)
            state = .at(firmware)
            if let input { execute(input, &outputs) }
        case .loading, .binary, .halted, .resetting:
            break
        }
    }

    private static func stateAfterReset(_ options: Options) -> State {
        options.bypassesBootloader ? .unlatched([]) : .waitingForABRD
    }

    func timer(_ event: Timer.Event) -> Timer { Timer(event: event, generation: generation) }

    /// Sends a text of the bootloader, or a line of the firmware, through the serial line with all its faults.
    mutating func send(_ bytes: some Sequence<UInt8>, _ outputs: inout [Output]) {
        outputs += line.chunks(of: bytes).map(Output.send)
    }

    /// An AT command was answered; maybe it was the last one of this life.
    mutating func countAnsweredCommand() {
        guard let limit = options.silentResetAfterCommands, answeredCommands < limit else { return }
        answeredCommands += 1
        if answeredCommands == limit { reset() }
    }

    var blankLines: String { String(repeating: "\r\n", count: min(max(options.extraBlankLines, 0), 8)) }
}

extension RS9116Emulator {
    enum State: Sendable {
        case waitingForABRD
        case waitingForU
        case menu
        /// The key that asked for an image number.
        case imageNumber(MenuKey)
        case loading(image: UInt8)
        /// The first bytes of the first command, fewer than four.
        case unlatched([UInt8])
        case binary
        case at(Firmware)
        /// `at+rsi_reset` was answered.
        case resetting
        /// Somebody pressed a key that must never be pressed.
        case halted
    }

    /// What survives a reset (6).
    struct Flash: Sendable {
        var images: Set<UInt8>
        var defaultImage: UInt8
    }

    enum MenuKey: Sendable {
        case load, burn, selectDefault, checkIntegrity
    }
}
