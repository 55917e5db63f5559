/// An RS9116W module behind its serial line, as a state machine without I/O and without a clock
/// (rs9116-at-protocol.md, section 13).
///
/// Its owner passes bytes and expired timers in and carries out the outputs, in order. Any input is legal.
package struct RS9116Emulator: EmulatedFirmware {
    package typealias Output = ModuleOutput
    package typealias Timer = ModuleTimer

    package let options: Options
    package var state: State
    var flash: Flash
    /// Of the firmware that was loaded last.
    package var firmwareVersion: String
    /// While the state is `burning`; apart from it, because a copy would cost much.
    package var transfer: Transfer?
    var transferCount = 0
    /// The host mode that the key `H` chose in this life.
    var isBinaryModeChosen = false
    package private(set) var resetCount = 0
    package var hostBaud = 115_200
    /// The rate of the serial line in bit/s, measured at the ABRD byte; `nil` until then.
    package var baud: Int?
    package var line: SerialOutput
    private(set) var answeredCommands = 0
    /// The rest of what is being sent in pieces.
    package var pieces: [[UInt8]] = []
    private var noise: NoiseGenerator
    /// Replies that wait for their time, the oldest first.
    var delayedReplies: [[UInt8]] = []
    /// Scans since the module was found, and reports of them.
    var scanCount = 0
    package var reportCount = 0
    /// Replies that were given one of `responseDelays`.
    var scheduledReplies = 0

    package init(options: Options) {
        self.options = options
        flash = Flash(images: options.imageIsMissing ? [:] : [0: .factory], defaultImage: 0)
        firmwareVersion = options.firmwareVersion
        noise = NoiseGenerator(seed: options.seed, share: options.damagedInput)
        line = SerialOutput(
            isMute: options.isMute, oneBytePerChunk: options.oneBytePerChunk,
            corruptedBytePeriod: options.corruptedBytePeriod, droppedBytePeriod: options.droppedBytePeriod)
        state =
            switch options.initialState {
            case .waitingForABRD: Self.stateAfterReset(options)
            case .menu: .menu
            case .firmwareLoaded: .unlatched([])
            case .atMode(let opermodeDone): .at(Firmware(opermodeDone: opermodeDone, options))
            case .binaryMode: .binary
            }
        if case .waitingForABRD = options.initialState {
            baud = Self.baudAfterReset(options)
        } else {
            baud = options.baud
        }
    }

    package var usualBaud: Int { 115_200 }

    package var portAbsenceAfterReset: Duration? { options.portVanishesOnReset ? options.portAbsence : nil }

    /// What the module transmits now.
    package var air: OnAir {
        guard case .at(let firmware) = state, let stack = firmware.runningStack else {
            return .silent(address: options.address)
        }
        return stack.air
    }

    package func flashImage(_ number: Int) -> [UInt8]? {
        guard let number = UInt8(exactly: number), case .burnt(let file, _) = flash.images[number] else { return nil }
        return file
    }

    /// Bytes from the host, in pieces of any size.
    ///
    /// - Parameter baud: the host's rate in bit/s, which becomes `hostBaud`.
    package mutating func receive(_ bytes: some Sequence<UInt8>, baud: Int = 115_200) -> [Output] {
        hostBaud = baud
        var outputs: [Output] = []
        for byte in bytes { receive(noise.damaged(ratesDiffer ? garbled(byte) : byte), &outputs) }
        return outputs
    }

    package mutating func receive(_ bytes: [UInt8], baud: Int) -> [Output] { receive(bytes[...], baud: baud) }

    /// A scheduled time has come.
    package mutating func fire(_ timer: Timer) -> [Output] {
        var outputs: [Output] = []
        guard timer.generation == resetCount else { return outputs }
        switch timer.event {
        case .loaded: finishLoading(&outputs)
        case .bluetoothLoaded: finishLoadingBluetooth(&outputs)
        case .reset: reset()
        case .transferCheck(let number): checkTransfer(number, &outputs)
        case .upgrade: upgrade(&outputs)
        case .commandGap: break
        case .reply: sendDelayedReply(&outputs)
        case .piece: sendPiece(&outputs)
        case .report(let scan): hearCrowd(scan, &outputs)
        case .scanEnds(let scan): endScan(scan)
        }
        return outputs
    }

    /// The RESET button: silent, and everything but the flash is lost (6).
    package mutating func reset() {
        resetCount &+= 1
        isBinaryModeChosen = false
        delayedReplies = []
        pieces = []
        transfer = nil
        state = Self.stateAfterReset(options)
        baud = Self.baudAfterReset(options)
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
            var firmware = Firmware(options)
            for byte in first { _ = firmware.input.append(byte) }
            state = .at(firmware)
        case .at(var firmware):
            let input = firmware.input.append(byte)
            state = .at(firmware)
            if let input { execute(input, &outputs) }
        case .burning:
            receiveFirmware(byte, &outputs)
        case .loading, .binary, .halted, .resetting:
            break
        }
    }

    private static func stateAfterReset(_ options: Options) -> State {
        options.bypassesBootloader ? .unlatched([]) : .waitingForABRD
    }

    package func timer(_ event: Timer.Event) -> Timer { Timer(event: event, generation: resetCount) }

    /// Whether the reply to the command that is being executed gets lost.
    var isReplyLost: Bool { options.lostReplies.contains(answeredCommands &+ 1) }

    /// An AT command was answered; maybe it was the last one of this life.
    mutating func countAnsweredCommand(_ outputs: inout [Output]) {
        answeredCommands &+= 1
        guard answeredCommands == options.silentResetAfterCommands || options.silentResets.contains(answeredCommands)
        else { return }
        guard options.responseDelay > .zero else { return reset() }
        // Once the reply is out.
        state = .resetting
        outputs.append(.schedule(timer(.reset), after: options.responseDelay))
    }

    package var blankLines: String { String(repeating: "\r\n", count: min(max(options.extraBlankLines, 0), 8)) }
}

extension RS9116Emulator {
    package enum State: Sendable {
        case waitingForABRD
        case waitingForU
        case menu
        /// The key that asked for an image number.
        case imageNumber(MenuKey)
        case burning(image: UInt8)
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
        var images: [UInt8: FlashImage]
        var defaultImage: UInt8
    }

    enum FlashImage: Sendable {
        /// Came with the module; its bytes don't matter.
        case factory
        case burnt([UInt8], EmulatedImage)

        var isIntact: Bool {
            switch self {
            case .factory: true
            case .burnt(_, let image): image.isIntact
            }
        }
    }

    package enum MenuKey: Sendable {
        case load, burn, selectDefault, checkIntegrity
    }
}
