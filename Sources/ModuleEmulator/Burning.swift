/// Firmware upgrade over the serial line (8): the key `B`, a Kermit transfer and its result.
extension RS9116Emulator {
    /// Maximum size of a firmware file in bytes.
    private static let imageLimit = 4 * 1024 * 1024

    mutating func startBurning(image: UInt8, echo: String, _ outputs: inout [Output]) {
        state = .burning(image: image)
        transferCount &+= 1
        transfer = Transfer(
            receiver: KermitReceiver(
                limit: Self.imageLimit, prefixing: options.kermitPrefixing,
                stall: transferCount == 1 ? options.firstTransferStall : nil))
        send((echo + "\r\n" + blankLines + "Send NWP firmware(*.rps)         \r\n").utf8, &outputs)
        outputs.append(.schedule(timer(.transferCheck(transferCount)), after: transferCheckInterval))
    }

    mutating func receiveFirmware(_ byte: UInt8, _ outputs: inout [Output]) {
        guard let answer = transfer?.receiver.receive(byte) else { return }
        if !answer.bytes.isEmpty { send(answer.bytes, &outputs) }
        guard let outcome = answer.outcome else { return }
        transfer?.outcome = outcome
        outputs.append(.schedule(timer(.upgrade), after: options.upgradeDelay + options.responseDelay))
    }

    /// Aborts a transfer in which no packet has arrived for a while.
    mutating func checkTransfer(_ number: Int, _ outputs: inout [Output]) {
        guard number == transferCount, case .burning = state, let transfer, transfer.outcome == nil else { return }
        let count = transfer.receiver.packetCount
        let idleChecks = count == transfer.checkedPackets ? transfer.idleChecks + 1 : 0
        self.transfer?.checkedPackets = count
        self.transfer?.idleChecks = idleChecks
        guard idleChecks < Self.checksPerTimeout else { return failUpgrade(&outputs) }
        outputs.append(.schedule(timer(.transferCheck(transferCount)), after: transferCheckInterval))
    }

    /// Announces the upgrade once the host's Kermit program has had time to exit, and reports the result after the same
    /// delay.
    package mutating func upgrade(_ outputs: inout [Output]) {
        guard case .burning = state, let transfer else { return }
        guard case .file = transfer.outcome else { return failUpgrade(&outputs) }
        guard transfer.isUpgrading else {
            self.transfer?.isUpgrading = true
            send((blankLines + "\r\nSafe Upgrade in Progress ...\r\n").utf8, &outputs)
            outputs.append(.schedule(timer(.upgrade), after: options.upgradeDelay))
            return
        }
        finishUpgrade(&outputs)
    }

    private mutating func finishUpgrade(_ outputs: inout [Output]) {
        guard case .burning(let number) = state, case .file(let file) = transfer?.outcome else { return }
        guard let image = EmulatedImage(file), image.family == options.siliconFamily else {
            // The header is checked before anything is written.
            return failUpgrade(&outputs)
        }
        flash.images[number] = .burnt(file, image)
        guard image.isIntact else { return failUpgrade(&outputs) }
        transfer = nil
        state = .menu
        send("\r\nUpgradation Successful\r\n\r\nEnter Next Command\r\n".utf8, &outputs)
    }

    private mutating func failUpgrade(_ outputs: inout [Output]) {
        transfer = nil
        state = .menu
        send("\r\nUpgradation Failed\r\n\r\nEnter Next Command\r\n".utf8, &outputs)
    }

    private static let checksPerTimeout = 3

    private var transferCheckInterval: Duration {
        min(max(options.transferTimeout, .zero), .seconds(3600)) / Self.checksPerTimeout
    }

    /// A firmware transfer in progress.
    package struct Transfer: Sendable {
        package var receiver: KermitReceiver
        package var outcome: KermitReceiver.Outcome?
        var isUpgrading = false
        /// Packet count of the receiver at the last check.
        var checkedPackets = 0
        /// Number of consecutive checks without a new packet.
        var idleChecks = 0
    }
}
