package import BeaconModel

/// Radio events around a module (4.5 and 4.7).
extension RS9116Emulator {
    /// Address of the phone in the reference's examples.
    package static let central = BluetoothAddress(bits: 0x6B63_FEFE_3DFD)

    /// Connects a phone, if the module advertises as connectable. This ends advertising.
    package mutating func centralConnects() -> [Output] {
        var outputs: [Output] = []
        guard case .at(var firmware) = state,
            let own = firmware.withRunningStack({ $0.connect(Self.central) }).flatMap({ $0 })
        else { return outputs }
        state = .at(firmware)
        let event = "AT+RSIBT_LE_DEVICE_ENHANCE_CONNECTED=1,\(hyphenated(Self.central)),0,\(hyphenated(own)),"
        send((event + "00-00-00-00-00-00\r\n").utf8, &outputs)
        return outputs
    }

    /// Disconnects the phone, if one is connected. The module transmits nothing until it is instructed to advertise
    /// again.
    package mutating func centralDisconnects() -> [Output] {
        var outputs: [Output] = []
        guard case .at(var firmware) = state, firmware.withRunningStack({ $0.disconnect() }) == true else {
            return outputs
        }
        state = .at(firmware)
        // Reason: remote user terminated connection (7).
        send("AT+RSIBT_LE_DISCONNECTED \(hyphenated(Self.central)),4E13\r\n".utf8, &outputs)
        return outputs
    }

    /// Produces a scan report while `at+rsibt_scan` is active, and otherwise nothing.
    ///
    /// - Parameter rssi: the signal strength in dBm.
    package mutating func hear(_ air: OnAir, rssi: Int8) -> [Output] {
        var outputs: [Output] = []
        guard isScanning, air.advertising, let type = air.packetType else { return outputs }
        let address = (type: air.usesRandomAddress ? "1" : "0", text: hyphenated(air.address))
        sendReport(report(of: address, rssi: rssi, type: type, air.data), &outputs)
        return outputs
    }

    package var isScanning: Bool {
        if case .at(let firmware) = state { firmware.runningStack?.isScanning == true } else { false }
    }

    /// Schedules the events of a scan that was started.
    mutating func beginScan(_ outputs: inout [Output]) {
        scanCount &+= 1
        if let time = options.scanEndsAfter {
            outputs.append(.schedule(timer(.scanEnds(scan: scanCount)), after: time))
        }
        scheduleCrowd(&outputs)
    }

    /// Ends the scan with this number by itself.
    mutating func endScan(_ scan: Int) {
        guard scan == scanCount, case .at(var firmware) = state else { return }
        firmware.withRunningStack { $0.endScan() }
        state = .at(firmware)
    }

    /// Reports one of the simulated devices and schedules the next one.
    mutating func hearCrowd(_ scan: Int, _ outputs: inout [Output]) {
        guard scan == scanCount, isScanning else { return }
        let number = reportCount &+ 1
        let isAnonymous = options.anonymousReportPeriod > 0 && number % options.anonymousReportPeriod == 0
        // Random static addresses: the two upper bits are set.
        let address = BluetoothAddress(bits: 0xC000_0000_0000 | UInt64(number & 0xFFFF_FFFF))
        let data = [2, 0x01, 0x06, 0x1A, 0xFF, 0x06, 0x00] + (0..<23).map { UInt8(truncatingIfNeeded: number &+ $0) }
        // Address type 0xFF means no address (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.13).
        let from = isAnonymous ? ("FF", "00-00-00-00-00-00") : ("1", hyphenated(address))
        sendReport(report(of: from, rssi: Int8(-50 - number % 45), type: 3, data), &outputs)
        scheduleCrowd(&outputs)
    }

    private func scheduleCrowd(_ outputs: inout [Output]) {
        let crowd = min(options.crowd, 5000)
        guard crowd > 0 else { return }
        outputs.append(.schedule(timer(.report(scan: scanCount)), after: .microseconds(1_000_000 / crowd)))
    }

    private func report(
        of address: (type: String, text: String), rssi: Int8, type: Int, _ data: [UInt8]
    ) -> [UInt8] {
        let data = data.prefix(31)
        let isMalformed = Self.falls(reportCount &+ 1, on: options.malformedReportPeriod)
        let fields = [
            "AT+RSIBT_ADVRTISE", "addr_type:\(address.type)", "addr:\(address.text)", "RSSI:\(rssi)", "Type:\(type)",
            "adv_data_len:\(hexadecimal(isMalformed ? data.count + 1 : data.count))",
            "adv_data:" + data.map { hexadecimal(Int($0)) }.joined(separator: ","),
        ]
        return Array((fields.joined(separator: ",") + "\r\n").utf8)
    }

    private mutating func sendReport(_ report: [UInt8], _ outputs: inout [Output]) {
        reportCount &+= 1
        // Output that exceeds the capacity of the line is lost: a real module has hardly any buffer.
        guard pieces.count * max(1, options.pacedPiece) < Self.longestQueue else { return }
        let isTruncated = Self.falls(reportCount, on: options.truncatedReportPeriod)
        send(isTruncated ? report.prefix(10 + reportCount % (report.count - 12)) : report[...], &outputs)
    }

    /// Approximate maximum number of bytes that wait for the line.
    private static let longestQueue = 4096

    private static func falls(_ count: Int, on period: Int) -> Bool { period > 0 && count % period == 0 }

    /// Sends a reply. During a scan, inserts a report into it if the options request it.
    mutating func sendReply(_ reply: [UInt8], _ outputs: inout [Output]) {
        guard options.reportsWithinReplies, isScanning, reply.count > 2 else { return send(reply, &outputs) }
        // Cut at a different position of each reply.
        let cut = 1 + answeredCommands % (reply.count - 2)
        send(reply[..<cut] + Array(Self.scanReport.utf8) + reply[cut...], &outputs)
    }
}

extension OnAir {
    /// Type in a scan report (4.5) for a type of `at+rsibt_advertise` (4.4).
    fileprivate var packetType: Int? {
        switch type {
        case 128: 0
        case 129, 132: 1
        case 130: 2
        case 131: 3
        default: nil
        }
    }
}
