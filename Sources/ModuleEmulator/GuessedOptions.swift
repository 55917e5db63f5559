import BeaconModel

extension RS9116Emulator.Options {
    /// Creates the options with which the emulator best matches the module of a recorded session. Options that the
    /// session does not reveal keep their defaults.
    package init(guessedFrom entries: [EmulatorReplay.Entry]) {
        self.init()
        let turns = EmulatorReplay.turns(of: entries)
        let all = turns.flatMap(\.recorded)
        isMute = all.isEmpty && !turns.isEmpty
        if all.contains("SILICON LABS") { bootloader = .siliconLabs }
        bootWarnings = [.configurationNotSaved, .checksumFailed].filter { all.contains($0.rawValue) }
        portVanishesOnReset = entries.contains { $0.event == .portVanished }
        guessHandshake(turns)
        guessTimes(entries)
        // Only the first answer to a command shows the module in its original state.
        var isNameKnown = false
        for turn in turns { guess(turn, &isNameKnown) }
        guessInitialState(turns)
    }

    private mutating func guessHandshake(_ turns: [EmulatorReplay.Turn]) {
        var answered: Set<UInt8> = []
        var ignored: Set<UInt8> = []
        for turn in turns {
            let handshakes = turn.sent.filter { $0 == 0x7C || $0 == 0x1C }
            guard let last = handshakes.last, turn.sent.last == last else { continue }
            if turn.recorded.contains(UInt8(ascii: "U")) {
                answered.insert(last)
                // A bootloader that is merely not yet running would not ignore the byte several times.
                for byte in [UInt8(0x7C), 0x1C] where byte != last && handshakes.count(where: { $0 == byte }) >= 3 {
                    ignored.insert(byte)
                }
            }
        }
        if answered == [0x1C], ignored.contains(0x7C) { acceptedABRD = .fileSeparator }
        if answered == [0x7C], ignored.contains(0x1C) { acceptedABRD = .verticalBar }
    }

    private mutating func guessTimes(_ entries: [EmulatorReplay.Entry]) {
        var sentAt: Duration = .zero
        var sent: [UInt8] = []
        var heard: [UInt8] = []
        var mode: (at: Duration, isOver: Bool)?
        var hasLoaded = false
        var wasAnnounced = false
        for entry in entries {
            switch entry.event {
            case .toModule(let bytes):
                if sent.contains("at+rsi_opermode"), heard.contains("OK"), mode == nil { mode = (sentAt, false) }
                // The driver has waited for `bt_loaded` in vain.
                if mode?.isOver == false, bytes.contains("at+rsibt_") {
                    mode?.isOver = true
                    bluetoothStart = .unannounced
                }
                if bytes == [UInt8(ascii: "1")] { hasLoaded = true }
                sentAt = entry.time
                sent = bytes
                heard = []
            case .fromModule(let bytes):
                heard = heard.suffix(1024) + bytes
                if sent == [UInt8(ascii: "1")], heard.contains("Loading Done") {
                    loadingDelay = entry.time - sentAt
                    wasAnnounced = true
                }
                if sent.contains("at+rsi_opermode"), heard.contains("bt_loaded"), mode == nil {
                    bluetoothLoadingDelay = entry.time - sentAt
                    mode = (sentAt, true)
                }
            case .baudRate, .portVanished, .portReopened: break
            }
        }
        loadingIsAnnounced = wasAnnounced || !hasLoaded
    }

    private mutating func guess(_ turn: EmulatorReplay.Turn, _ isNameKnown: inout Bool) {
        let (sent, answer) = (turn.sent, turn.recorded)
        let error = answer.errorCode
        if let error, error.isBinary { commonErrors = .binary }
        if sent.contains("at+rsi_fwversion?"), let text = answer.okText {
            nulInVersionReply = answer.contains(0)
            firmwareVersion = text
        }
        if sent.contains("at+rsibt_getlocalbdaddr?"), let address = answer.okText.flatMap({ BluetoothAddress($0) }) {
            self.address = address
            // The first answer is not used: the rest of `Loading Done` may precede it.
            extraBlankLines = min(8, answer.prefix { $0 == 0x0D || $0 == 0x0A }.count / 2)
        }
        if sent.contains("at+rsibt_setlocalname=") {
            isNameKnown = true
            if let error { refusesLocalName = error.code }
        }
        if sent.contains("at+rsibt_getlocalname?") {
            if let text = answer.okText {
                let parts = text.split(separator: ",", maxSplits: 1)
                localNameReply = parts.count == 2 ? .lengthAndName : .nameOnly
                if !isNameKnown, let name = parts.last { localName = String(name.prefix(16)) }
                isNameKnown = true
            } else if error != nil {
                localNameReply = .refused
            }
        }
        if sent.contains("at+rsibt_advertise=1,131,"), let error, error.code != 0x4E0C {
            nonConnectableRejection = error.code
        }
        if sent.contains("at+rsi_opermode="), let error, error.code != 0x0021 { powerInOpermodeRejection = error.code }
        if sent.contains("at+rsi_reset\r\n") {
            softReset = error != nil ? .refused : answer.contains("OK") ? .works : .worksSilently
        }
        if sent.contains("at+rsibt_advertise=0,"), error?.code == 0x4E0C { stopWhileStoppedIsDisallowed = true }
    }

    private mutating func guessInitialState(_ turns: [EmulatorReplay.Turn]) {
        guard let first = turns.first(where: { !$0.recorded.isEmpty }) else { return }
        if first.recorded.contains("Correct Option") {
            initialState = .menu
        } else if first.sent.contains("at+rsi_fwversion?"), first.recorded.contains("OK") {
            let next = turns.drop { $0 != first }.dropFirst().first { $0.sent.contains("at+rsibt_") }
            initialState = .atMode(opermodeDone: next?.recorded.contains("OK") == true)
        }
    }
}

extension [UInt8] {
    /// Whether the bytes contain `text`.
    fileprivate func contains(_ text: String) -> Bool { index(of: text) != nil }

    private func index(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return nil }
        return (0...(count - wanted.count)).first { self[$0] == first && self[$0...].starts(with: wanted) }
    }

    /// Text after `OK` on its line.
    fileprivate var okText: String? {
        guard let index = index(of: "OK") else { return nil }
        let text = self[(index + 2)...].prefix { $0 != 0x0D && $0 != 0x0A }.filter { $0 != 0 }
        return String(decoding: text.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    fileprivate var errorCode: (code: UInt16, isBinary: Bool)? {
        guard let index = index(of: "ERROR") else { return nil }
        let rest = self[(index + 5)...]
        if rest.first == UInt8(ascii: " ") {
            return UInt16(String(decoding: rest.dropFirst().prefix(4), as: UTF8.self), radix: 16).map { ($0, false) }
        }
        let bytes = Array(rest.prefix(2))
        return bytes.count == 2 ? (UInt16(bytes[0]) | UInt16(bytes[1]) << 8, true) : nil
    }
}
