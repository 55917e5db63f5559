/// The serial line: its rate and the module's output.
extension RS9116Emulator {
    /// Rates in bit/s that the bootloader can measure (1).
    package static let rates: Set = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]

    /// Whether the rates of host and module differ. Native USB has no rate (1).
    var ratesDiffer: Bool {
        guard !options.portVanishesOnReset, let baud else { return false }
        return baud != hostBaud
    }

    /// Returns the rate after a reset. Bypass skips the ABRD byte; 115200 bit/s is the reference's assumption (2.4).
    static func baudAfterReset(_ options: Options) -> Int? { options.bypassesBootloader ? 115_200 : nil }

    /// Sends a text of the bootloader, or a line of the firmware, after the delay of a reply.
    package mutating func send(_ bytes: some Sequence<UInt8>, _ outputs: inout [Output]) {
        guard options.responseDelay > .zero || delaysOneByOne else { return transmit(bytes, &outputs) }
        guard delayedReplies.count < Self.delayedRepliesLimit else { return }
        delayedReplies.append(Array(bytes))
        guard delaysOneByOne else {
            outputs.append(.schedule(timer(.reply), after: options.responseDelay))
            return
        }
        if delayedReplies.count == 1 { scheduleReply(&outputs) }
    }

    mutating func sendDelayedReply(_ outputs: inout [Output]) {
        guard !delayedReplies.isEmpty else { return }
        transmit(delayedReplies.removeFirst(), &outputs)
        if delaysOneByOne, !delayedReplies.isEmpty { scheduleReply(&outputs) }
    }

    private var delaysOneByOne: Bool {
        if case .at = state { !options.responseDelays.isEmpty } else { false }
    }

    private mutating func scheduleReply(_ outputs: inout [Output]) {
        let delays = options.responseDelays
        guard !delays.isEmpty else { return }
        outputs.append(.schedule(timer(.reply), after: delays[scheduledReplies % delays.count]))
        scheduledReplies &+= 1
    }

    private static let delayedRepliesLimit = 1024

    /// Transmits bytes over the serial line with all its simulated faults.
    package mutating func transmit(_ bytes: some Sequence<UInt8>, _ outputs: inout [Output]) {
        let differ = ratesDiffer
        let isLossy = options.droppedBytePeriodWhenFast > 0 && (baud ?? 0) > 115_200 && !options.portVanishesOnReset
        let chunks = line.chunks(
            of: bytes.map { differ ? garbled($0) : $0 },
            droppedBytePeriod: isLossy ? options.droppedBytePeriodWhenFast : 0)
        guard options.pacedPiece > 0 else {
            outputs += chunks.map(Output.send)
            return
        }
        let isLineFree = pieces.isEmpty
        for chunk in chunks {
            var rest = chunk[...]
            while !rest.isEmpty {
                pieces.append(Array(rest.prefix(options.pacedPiece)))
                rest = rest.dropFirst(options.pacedPiece)
            }
        }
        if isLineFree { schedulePiece(&outputs) }
    }

    mutating func sendPiece(_ outputs: inout [Output]) {
        guard !pieces.isEmpty else { return }
        outputs.append(.send(pieces.removeFirst()))
        schedulePiece(&outputs)
    }

    /// Schedules the next piece. A byte takes ten bits on the line.
    private func schedulePiece(_ outputs: inout [Output]) {
        guard let next = pieces.first else { return }
        let bits = next.count * 10
        outputs.append(.schedule(timer(.piece), after: .microseconds(bits * 1_000_000 / max(1, baud ?? 115_200))))
    }
}
