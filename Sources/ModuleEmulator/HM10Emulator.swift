/// An HM-10 or HM-11 (TI CC2541) with JNHuaMao's firmware HMSoft V5xx on its serial line, as a state machine without
/// I/O and without a clock.
///
/// From the manufacturer's data sheet: commands in upper case without a line end, the replies `OK+Set:` and `OK+Get:`,
/// the tables of `AT+BAUD`, `AT+ADVI`, `AT+ADTY` and `AT+POWE`, the factory settings, `OK+LOST` for `AT` while
/// connected.
///
/// Assumed: settings are stored at once but take effect, including the rate, only after a reset or a loss of power.
/// `AT+RENEW` changes settings like other commands. Unknown input gets no reply at all. Hexadecimal digits are upper
/// case. After a connection the module advertises again by itself. While a central is connected, everything except `AT`
/// goes to the central. Without iBeacon, the module advertises the flags and service FFE0. Sleep (`AT+SLEEP`,
/// `AT+DELO`, `AT+PWRM`) and the central role are not emulated.
package struct HM10Emulator: EmulatedFirmware {
    package typealias Output = ModuleOutput
    package typealias Timer = ModuleTimer

    /// Maximum length of a command in bytes. The module discards longer input up to the next silence.
    private static let longestCommand = 128

    package let options: Options
    /// Settings stored in flash memory.
    package var stored: HM10Settings
    /// Settings in effect since the last reset.
    private var active: HM10Settings
    private var isConnected: Bool
    private var isRebooting = false
    package private(set) var resetCount = 0
    package var hostBaud = 9600
    private var line: SerialOutput
    private var input: [UInt8] = []
    /// Number of bytes received, to detect the silence that ends a command.
    private var receivedBytes = 0
    private var receivedBytesAtCheck = 0
    private var isGapAwaited = false
    /// Delayed replies, oldest first.
    private var delayedReplies: [[UInt8]] = []

    package init(options: Options = .init()) {
        self.options = options
        stored = HM10Settings()
        stored.baudIndex = UInt8(clamping: HM10Settings.rates.firstIndex(of: options.baud) ?? 0)
        active = stored
        isConnected = options.centralIsConnected
        line = SerialOutput(
            isMute: options.isMute, oneBytePerChunk: options.oneBytePerChunk,
            corruptedBytePeriod: options.corruptedBytePeriod, droppedBytePeriod: options.droppedBytePeriod)
    }

    package var usualBaud: Int { 9600 }

    /// Transmit power in dBm.
    package var transmitPower: Int { [-23, -6, 0, 6][Int(active.power & 3)] }

    package var air: OnAir {
        isConnected || isRebooting ? .silent(address: options.address) : active.air(address: options.address)
    }

    /// Processes bytes from the host, in chunks of any size.
    ///
    /// - Parameter baud: the host's rate in bit/s, which becomes `hostBaud`.
    package mutating func receive(_ bytes: some Sequence<UInt8>, baud: Int = 9600) -> [Output] {
        hostBaud = baud
        var outputs: [Output] = []
        for byte in bytes where !isRebooting { receive(hostBaud == active.baud ? byte : garbled(byte), &outputs) }
        return outputs
    }

    package mutating func receive(_ bytes: [UInt8], baud: Int) -> [Output] { receive(bytes[...], baud: baud) }

    package mutating func fire(_ timer: Timer) -> [Output] {
        var outputs: [Output] = []
        guard timer.generation == resetCount else { return outputs }
        switch timer.event {
        case .commandGap: checkGap(&outputs)
        case .reply: if !delayedReplies.isEmpty { transmit(delayedReplies.removeFirst(), &outputs) }
        case .reset: reset()
        default: break
        }
        return outputs
    }

    /// Resets the module, as by a short loss of power.
    package mutating func reset() {
        resetCount &+= 1
        active = stored
        isConnected = false
        isRebooting = false
        isGapAwaited = false
        input = []
        delayedReplies = []
    }

    package mutating func centralConnects() -> [Output] {
        guard !isConnected, !isRebooting, active.isConnectable else { return [] }
        isConnected = true
        var outputs: [Output] = []
        if options.announcesConnections { reply("OK+CONN", lineEnd: false, &outputs) }
        return outputs
    }

    package mutating func centralDisconnects() -> [Output] {
        guard isConnected else { return [] }
        isConnected = false
        var outputs: [Output] = []
        if options.announcesConnections { reply("OK+LOST", lineEnd: false, &outputs) }
        return outputs
    }

    private mutating func receive(_ byte: UInt8, _ outputs: inout [Output]) {
        // One more byte than the limit marks input as too long.
        if input.count <= Self.longestCommand { input.append(byte) }
        guard !options.needsLineEnd else {
            if byte == 0x0A { execute(&outputs) }
            return
        }
        receivedBytes &+= 1
        if !isGapAwaited { awaitGap(&outputs) }
    }

    private mutating func awaitGap(_ outputs: inout [Output]) {
        isGapAwaited = true
        receivedBytesAtCheck = receivedBytes
        outputs.append(.schedule(timer(.commandGap), after: options.commandGap))
    }

    private mutating func checkGap(_ outputs: inout [Output]) {
        isGapAwaited = false
        guard receivedBytes == receivedBytesAtCheck else { return awaitGap(&outputs) }
        execute(&outputs)
    }

    private mutating func execute(_ outputs: inout [Output]) {
        defer { input = [] }
        guard input.count <= Self.longestCommand else { return }
        var text = input[...]
        let hasLineEnd = text.suffix(2).elementsEqual([0x0D, 0x0A])
        if options.needsLineEnd || options.acceptsAnyStyle, hasLineEnd { text = text.dropLast(2) }
        if options.needsLineEnd, !hasLineEnd { return }
        if options.acceptsAnyStyle { text = uppercasedCommand(text) }
        guard let answer = answer(to: text) else { return }
        reply(answer.text, lineEnd: hasLineEnd, &outputs)
        guard answer.reboots else { return }
        isRebooting = true
        outputs.append(.schedule(timer(.reset), after: options.rebootDelay + options.responseDelay))
    }

    private mutating func answer(to text: ArraySlice<UInt8>) -> (text: String, reboots: Bool)? {
        if isConnected {
            guard text.elementsEqual("AT".utf8) else { return nil }
            isConnected = false
            return ("OK+LOST", false)
        }
        if text.elementsEqual("AT".utf8) { return ("OK", false) }
        if text.elementsEqual("AT+RESET".utf8) { return ("OK+RESET", true) }
        return command(text).map { ($0, false) }
    }

    private mutating func reply(_ text: String, lineEnd: Bool, _ outputs: inout [Output]) {
        let ends = options.needsLineEnd || options.repliesWithLineEnd || (options.acceptsAnyStyle && lineEnd)
        let bytes = Array((text + (ends ? "\r\n" : "")).utf8)
        guard options.responseDelay > .zero else { return transmit(bytes, &outputs) }
        guard delayedReplies.count < 1024 else { return }
        delayedReplies.append(bytes)
        outputs.append(.schedule(timer(.reply), after: options.responseDelay))
    }

    private mutating func transmit(_ bytes: [UInt8], _ outputs: inout [Output]) {
        let differ = hostBaud != active.baud
        outputs += line.chunks(of: bytes.map { differ ? garbled($0) : $0 }).map(Output.send)
    }

    private func timer(_ event: Timer.Event) -> Timer { Timer(event: event, generation: resetCount) }
}

/// Converts a command to upper case, except a name, which keeps its case.
private func uppercasedCommand(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func uppercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xDF : $0 }
    }
    let whole = uppercased(text)
    guard whole.starts(with: "AT+NAME".utf8) else {
        // The x of 0x stays in lower case.
        guard let index = whole.indices.dropFirst().first(where: { whole[$0] == 0x58 && whole[$0 - 1] == 0x30 }) else {
            return whole[...]
        }
        var command = whole
        command[index] = UInt8(ascii: "x")
        return command[...]
    }
    return whole.prefix(7) + text.dropFirst(7)
}
