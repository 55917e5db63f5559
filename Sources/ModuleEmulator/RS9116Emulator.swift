/// An RS9116W module on its serial line, as a state machine without I/O and without a clock (rs9116-at-protocol.md,
/// section 13).
///
/// Its owner passes in bytes and expired timers, and carries out the outputs in order. Any input is valid.
package struct RS9116Emulator: EmulatedFirmware {
    package typealias Output = ModuleOutput
    package typealias Timer = ModuleTimer

    package let options: Options
    package var state: State
    var flash: Flash
    /// Version of the firmware that was loaded last.
    package var firmwareVersion: String
    /// Transfer in progress while the state is `burning`. Stored separately, because copying it would be expensive.
    package var transfer: Transfer?
    var transferCount = 0
    /// Whether the key `H` has selected the binary host mode since the last reset.
    var isBinaryModeChosen = false
    package private(set) var resetCount = 0
    package var hostBaud = 115_200
    /// Rate of the serial line in bit/s, measured at the ABRD byte; `nil` until then.
    package var baud: Int?
    package var line: SerialOutput
    private(set) var answeredCommands = 0
    /// Remaining output that is being sent in pieces.
    package var pieces: [[UInt8]] = []
    private var noise: NoiseGenerator
    /// Delayed replies, oldest first.
    var delayedReplies: [[UInt8]] = []
    /// Numbers of scans and of scan reports since the start.
    var scanCount = 0
    package var reportCount = 0
    /// Number of replies that have been assigned one of `responseDelays`.
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

    /// Data that the module currently transmits.
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

    /// Processes bytes from the host, in chunks of any size.
    ///
    /// - Parameter baud: the host's rate in bit/s, which becomes `hostBaud`.
    package mutating func receive(_ bytes: some Sequence<UInt8>, baud: Int = 115_200) -> [Output] {
        hostBaud = baud
        var outputs: [Output] = []
        for byte in bytes { receive(noise.damaged(ratesDiffer ? garbled(byte) : byte), &outputs) }
        return outputs
    }

    package mutating func receive(_ bytes: [UInt8], baud: Int) -> [Output] { receive(bytes[...], baud: baud) }

    /// Processes an expired timer.
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

    /// Resets the module, as the RESET button does: without output, and everything but the flash memory is lost (6).
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

    /// Whether the reply to the current command is lost.
    var isReplyLost: Bool { options.lostReplies.contains(answeredCommands &+ 1) }

    /// Counts an answered AT command, and resets the module if the options request it after this command.
    mutating func countAnsweredCommand(_ outputs: inout [Output]) {
        answeredCommands &+= 1
        guard answeredCommands == options.silentResetAfterCommands || options.silentResets.contains(answeredCommands)
        else { return }
        guard options.responseDelay > .zero else { return reset() }
        // Reset once the reply has been sent.
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
        /// The bootloader waits for the image number for this key.
        case imageNumber(MenuKey)
        case burning(image: UInt8)
        case loading(image: UInt8)
        /// The firmware waits for its first command and has received fewer than four bytes of it.
        case unlatched([UInt8])
        case binary
        case at(Firmware)
        /// The module is about to reset after answering `at+rsi_reset`.
        case resetting
        /// The host pressed a key that must never be pressed.
        case halted
    }

    /// Content that survives a reset (6).
    struct Flash: Sendable {
        var images: [UInt8: FlashImage]
        var defaultImage: UInt8
    }

    enum FlashImage: Sendable {
        /// The factory image; its bytes do not matter.
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
