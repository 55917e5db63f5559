import BeaconModel
import CBluetooth
import Glibc
import SystemIO

/// One controller, through two raw HCI sockets: one hears advertising events and nothing else, the other sends
/// commands and hears their completion, so that a flood of the former can't hide the latter.
struct HCIController: ~Copyable {
    let adapter: Adapter
    /// Readable when advertising events have come.
    let events: CInt
    private let commands: CInt

    /// Room for what comes while this process is busy: the kernel drops silently when it is full.
    private static let receiveBuffer: CInt = 4 * 1024 * 1024
    /// The kernel gives up on a mute controller after 2 s.
    private static let commandTimeout: Duration = .seconds(3)

    /// Opens `adapter` and brings it up if it is down.
    init(adapter: Adapter) throws(ScannerError) {
        let events = try Self.open(adapter)
        do throws(ScannerError) {
            try Self.bringUp(adapter, through: events)
            try Self.hear([UInt8(EVT_LE_META_EVENT)], on: events, of: adapter)
            var size = Self.receiveBuffer
            let length = socklen_t(MemoryLayout<CInt>.size)
            if setsockopt(events, SOL_SOCKET, SO_RCVBUFFORCE, &size, length) != 0 {
                _ = setsockopt(events, SOL_SOCKET, SO_RCVBUF, &size, length)
            }
            var on: CInt = 1
            _ = setsockopt(events, SOL_HCI, HCI_TIME_STAMP, &on, length)
            let commands = try Self.open(adapter)
            do throws(ScannerError) {
                try Self.hear([UInt8(EVT_CMD_COMPLETE), UInt8(EVT_CMD_STATUS)], on: commands, of: adapter)
            } catch {
                close(commands)
                throw error
            }
            self.commands = commands
        } catch {
            close(events)
            throw error
        }
        self.adapter = adapter
        self.events = events
    }

    deinit {
        close(events)
        close(commands)
    }

    /// Passive scanning on all the time, every advertisement reported, duplicates included.
    func startScanning() throws(ScannerError) -> ScanMode {
        let mode: ScanMode = try supportsExtendedScanning() ? .extended : .legacy
        // Parameters can't be set while somebody scans.
        _ = try command(mode.disable)
        let status = try command(mode.parameters)
        // Another program's discovery keeps its own parameters; enabling still ends its duplicate filter.
        guard status == 0 || status == HCIStatus.commandDisallowed else {
            throw .refused(adapter, command: mode.parameters.name, status: status)
        }
        let enabled = try command(mode.enable)
        guard enabled == 0 else { throw .refused(adapter, command: mode.enable.name, status: enabled) }
        return mode
    }

    func stopScanning(_ mode: ScanMode) throws(ScannerError) {
        let status = try command(mode.disable)
        // Somebody else may have switched it off before.
        guard status == 0 || status == HCIStatus.commandDisallowed else {
            throw .refused(adapter, command: mode.disable.name, status: status)
        }
    }

    /// Takes what has come, at most `limit` packets, without waiting.
    func receive(limit: Int) throws(ScannerError) -> HCIPacketBatch {
        var batch = HCIPacketBatch()
        var buffer: [1024 of UInt8] = .init(repeating: 0)
        while batch.count < limit {
            var receivedAt: Int64 = -1
            let length = withUnsafeMutableBytes(of: &buffer) {
                cbluetooth_receive(events, $0.baseAddress, $0.count, &receivedAt)
            }
            if length < 0 {
                if errno == EAGAIN { break }
                if errno == EINTR { continue }
                throw ScannerError(adapter, "receive", errorNumber: errno)
            }
            guard length > 0 else { throw .removed(adapter) }
            let time = receivedAt >= 0 ? Timestamp(microseconds: receivedAt) : WallClock.now()
            withUnsafeBytes(of: &buffer) { batch.append($0.prefix(length), time: time, adapter: adapter) }
        }
        return batch
    }

    /// Whether the controller has both commands of extended scanning
    /// (Bluetooth Core Specification 5.4, Vol 4, Part E, 6.27: octet 37, bits 5 and 6).
    private func supportsExtendedScanning() throws(ScannerError) -> Bool {
        let answer = try exchange(.readLocalSupportedCommands)
        return answer.count > 38 && answer[0] == 0 && answer[1 + 37] & 0x60 == 0x60
    }

    /// Sends a command and gives its status.
    private func command(_ command: HCICommand) throws(ScannerError) -> UInt8 {
        try exchange(command).first ?? HCIStatus.unspecifiedError
    }

    /// Sends a command and gives its return parameters, of which the first is the status.
    private func exchange(_ command: HCICommand) throws(ScannerError) -> [UInt8] {
        var parameters = command.parameters
        var buffer = [UInt8](repeating: 0, count: 260)
        // What answered other programs' commands in the meantime.
        while recv(commands, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
        guard hci_send_cmd(commands, command.group, command.number, UInt8(parameters.count), &parameters) == 0 else {
            throw ScannerError(adapter, command.name, errorNumber: errno)
        }
        let deadline = ContinuousClock.now + Self.commandTimeout
        while true {
            let (readiness, _) = try ScannerError.wrap(adapter) { () throws(SystemError) in
                try waitUntilReady(
                    commands, for: .readable, wakeup: nil, timeout: deadline - ContinuousClock.now)
            }
            if readiness.isEmpty { throw .notAnswering(adapter, command: command.name) }
            let length = read(commands, &buffer, buffer.count)
            if length < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw ScannerError(adapter, command.name, errorNumber: errno)
            }
            if let answer = command.answer(in: buffer[0..<length]) { return answer }
        }
    }

    private static func open(_ adapter: Adapter) throws(ScannerError) -> CInt {
        let descriptor = hci_open_dev(CInt(adapter.index))
        guard descriptor >= 0 else { throw ScannerError(adapter, "open", errorNumber: errno) }
        return descriptor
    }

    private static func bringUp(_ adapter: Adapter, through descriptor: CInt) throws(ScannerError) {
        var information = hci_dev_info()
        information.dev_id = adapter.index
        guard ioctl(descriptor, CBLUETOOTH_HCIGETDEVINFO, &information) == 0 else {
            throw ScannerError(adapter, "read its state", errorNumber: errno)
        }
        if cbluetooth_is_up(&information) != 0 { return }
        guard ioctl(descriptor, CBLUETOOTH_HCIDEVUP, CInt(adapter.index)) == 0 || errno == EALREADY else {
            throw ScannerError(adapter, "switch it on", errorNumber: errno)
        }
    }

    private static func hear(_ codes: [UInt8], on descriptor: CInt, of adapter: Adapter) throws(ScannerError) {
        var filter = hci_filter()
        hci_filter_clear(&filter)
        hci_filter_set_ptype(CInt(HCI_EVENT_PKT), &filter)
        for code in codes { hci_filter_set_event(CInt(code), &filter) }
        guard setsockopt(descriptor, SOL_HCI, HCI_FILTER, &filter, socklen_t(MemoryLayout<hci_filter>.size)) == 0 else {
            throw ScannerError(adapter, "set the event filter", errorNumber: errno)
        }
    }
}
