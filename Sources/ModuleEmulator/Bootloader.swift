/// The bootloader: ABRD handshake and menu (2.1 to 2.4).
extension RS9116Emulator {
    mutating func receiveInBootloader(_ byte: UInt8, _ outputs: inout [Output]) {
        switch state {
        case .waitingForABRD, .waitingForU:
            if options.acceptedABRD.accepts(byte) {
                let isMeasured = Self.rates.contains(hostBaud) && hostBaud <= options.fastestBaud
                guard isMeasured || options.portVanishesOnReset else { return }
                baud = hostBaud
                state = .waitingForU
                send(answer(toABRD: byte), &outputs)
            } else if case .waitingForU = state, byte == UInt8(ascii: "U") {
                state = .menu
                send(menuText.utf8, &outputs)
            }
        case .menu:
            press(byte, &outputs)
        case .imageNumber(let key):
            choose(byte, for: key, &outputs)
        default:
            break
        }
    }

    mutating func finishLoading(_ outputs: inout [Output]) {
        guard case .loading(let image) = state else { return }
        guard let loaded = flash.images[image], loaded.isIntact else {
            // The successor's bootloader prints a similar text; the text of the RS9116 is unknown.
            state = .menu
            send((blankLines + "Invalid Firmware\r\n\r\nEnter Next Command\r\n").utf8, &outputs)
            return
        }
        if case .burnt(_, let image) = loaded { firmwareVersion = image.version }
        state = isBinaryModeChosen ? .binary : .unlatched([])
        if options.loadingIsAnnounced { send((blankLines + "Loading Done\r\n").utf8, &outputs) }
    }

    private func answer(toABRD byte: UInt8) -> [UInt8] {
        if options.bootloader == .siliconLabs, byte == 0x1C { return Array("Enter 'U'\r\n".utf8) }
        return [UInt8(ascii: "U")]
    }

    private var menuText: String {
        let warnings = options.bootWarnings.map { "\r\n" + $0.rawValue + "\r\n" }.joined()
        let (maker, version) =
            switch options.bootloader {
            case .redpine: ("REDPINE SIGNALS", "1.0")
            case .siliconLabs: ("SILICON LABS", "1.1")
            }
        let lines = [
            "", "WELCOME TO \(maker)", "BootLoader Version \(version)", "", "1 Load Default Wireless Firmware",
            "A Load Wireless Firmware (Image No : 0-f)", "B Burn Wireless Firmware (Image No : 0-f)",
            "5 Select Default Wireless Firmware (Image No : 0-f)",
            "K Check Wireless Firmware Integrity (Image No : 0-f)", "7 Enable GPIO Based Bypass Mode",
            "8 Disable GPIO Based Bypass Mode", "Q Update KEY", "Z JTAG Selection",
        ]
        return warnings + blankLines + lines.map { $0 + "\r\n" }.joined()
    }

    private mutating func press(_ key: UInt8, _ outputs: inout [Output]) {
        switch Character(UnicodeScalar(key)) {
        case "1": load(flash.defaultImage, echo: "1", &outputs)
        case "A": ask(.load, echo: "A", &outputs)
        case "B": ask(.burn, echo: "B", &outputs)
        case "5": ask(.selectDefault, echo: "5", &outputs)
        case "K": ask(.checkIntegrity, echo: "K", &outputs)
        case "U":
            isBinaryModeChosen = false
            answer("U", "Enter Next Command", &outputs)
        case "H":
            isBinaryModeChosen = true
            answer("H", "Enter Next Command", &outputs)
        case "7": answer("7", "Configuration Saved...", &outputs)
        case "8": answer("8", "Configuration Saved...", &outputs)
        case "Q", "Z":
            // The real continuation is unknown. A host that presses these keys must fail.
            state = .halted
            send([key, 0x0D, 0x0A], &outputs)
        default: send(invalidOption.utf8, &outputs)
        }
    }

    private mutating func choose(_ byte: UInt8, for key: MenuKey, _ outputs: inout [Output]) {
        state = .menu
        guard let image = hexadecimalDigit(byte) else {
            send(invalidOption.utf8, &outputs)
            return
        }
        let echo = String(UnicodeScalar(byte))
        switch key {
        case .load: load(image, echo: echo, &outputs)
        case .burn: startBurning(image: image, echo: echo, &outputs)
        case .selectDefault:
            flash.defaultImage = image
            answer(echo, "Configuration Saved...", &outputs)
        case .checkIntegrity:
            let verdict = flash.images[image]?.isIntact == true ? "Integrity Passed" : "Integrity Failed"
            let rest =
                switch options.textAfterIntegrityCheck {
                case .nothing: ""
                case .invitation: "\r\n\r\nEnter Next Command"
                case .menu: "\r\n" + menuText
                }
            answer(echo, verdict + rest, &outputs)
        }
    }

    private mutating func load(_ image: UInt8, echo: String, _ outputs: inout [Output]) {
        let noise = options.invalidOptionNoise ? invalidOption : ""
        state = .loading(image: image)
        send((noise + echo + "\r\n" + blankLines + "Loading...\r\n").utf8, &outputs)
        outputs.append(.schedule(timer(.loaded), after: options.loadingDelay))
    }

    private mutating func ask(_ key: MenuKey, echo: String, _ outputs: inout [Output]) {
        state = .imageNumber(key)
        answer(echo, "Enter Wireless Image No(0-f)", &outputs)
    }

    private mutating func answer(_ echo: String, _ text: String, _ outputs: inout [Output]) {
        send((echo + "\r\n" + blankLines + text + "\r\n").utf8, &outputs)
    }

    private var invalidOption: String { "\r\n\r\nInvalid Option\r\n\r\nWaiting for Correct Option...\r\n\r\n" }
}
