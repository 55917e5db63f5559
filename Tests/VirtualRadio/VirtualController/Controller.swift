/// A controller that observes and connects: it answers what a host asks while it sets the controller up, and scans.
///
/// Without `extended` it is one of Bluetooth 4.2, with it one of Bluetooth 5.0 with extended scanning. It holds the
/// host to the specification where a real controller may be lenient: see `answer(to:)` and `hears(_:)`.
struct Controller {
    /// From the addresses reserved for documentation (RFC 7042, 2.1.1): 00:00:5E:00:53:01.
    static let defaultAddress: [UInt8] = [0x01, 0x53, 0x00, 0x5E, 0x00, 0x00]

    /// Vol 4, Part E, 3.1.1: until the next reset a host may use the commands of one kind only.
    private enum Family: String {
        case legacy
        case extended
    }

    private struct ScanParameters {
        var active = false
        var ownAddressType: UInt8 = 0
        /// Only who is on the filter accept list is heard.
        var accepts = false
    }

    private struct Scan {
        var filtersDuplicates: Bool
        var heard: Set<Address> = []
    }

    let extended: Bool
    /// The lowest byte first.
    let publicAddress: [UInt8]
    /// How often the host has enabled scanning.
    private(set) var scans = 0
    private(set) var reported = 0
    private(set) var withheld = 0

    private var eventMask: UInt64 = 0
    private var leEventMask: UInt64 = 0
    private var family: Family?
    private var randomAddress: [UInt8]?
    private var parameters = ScanParameters()
    private var scan: Scan?
    private(set) var acceptList: Set<Address> = []
    private var connections = Connections()

    private static let acceptListSize = 8

    init(extended: Bool, publicAddress: [UInt8] = Self.defaultAddress) {
        self.extended = extended
        self.publicAddress = publicAddress
        reset()
    }

    var isScanning: Bool { scan != nil }

    /// Whether the host scans and lets the reports through.
    var reportsAnything: Bool { scan != nil && canReport }

    var filtersDuplicates: Bool { scan?.filtersDuplicates == true }

    /// Counts reports that were made without asking `hears(_:)`.
    mutating func report(_ count: Int) { reported += count }

    /// Counts duplicates that were found without asking `hears(_:)`.
    mutating func withhold(_ count: Int) { withheld += count }

    /// As it is when power comes.
    mutating func powerOn() { reset() }

    /// The event packet that answers the command.
    mutating func answer(to command: Command) -> [UInt8] {
        let (status, values) = carryOut(command)
        if status != .success {
            log(
                "refused command \(hexadecimal(command.opCode, digits: 4)): \(status) "
                    + hexadecimal(status.rawValue, digits: 2))
        }
        if OpCode.pending.contains(command.opCode) {
            // Command Status (7.7.15).
            return [PacketType.event, 0x0F, 4, status.rawValue, 1] + Array(littleEndian: command.opCode)
        }
        // Command Complete (7.7.14): one more command may be sent, for which command, with what result.
        let parameters = [1] + Array(littleEndian: command.opCode) + [status.rawValue] + values
        return [PacketType.event, 0x0E, UInt8(parameters.count)] + parameters
    }

    /// Whether the host is to be told of the advertisement.
    mutating func hears(_ advertisement: Advertisement) -> Bool {
        guard reportsAnything else { return false }
        // An older receiver does not understand the long ones.
        guard extended || !advertisement.isExtended else { return false }
        // Nobody sends a scan response to somebody who only listens.
        guard advertisement.kind != .scanResponse || parameters.active else { return false }
        guard !parameters.accepts || acceptList.contains(advertisement.address) else { return false }
        if scan?.filtersDuplicates == true, scan?.heard.insert(advertisement.address).inserted == false {
            withheld += 1
            return false
        }
        reported += 1
        return true
    }

    /// Takes an advertisement for whom the host wants to be connected to.
    mutating func offer(_ advertisement: Advertisement) {
        connections.hear(advertisement, acceptList: acceptList, isEnhanced: tellsEnhancedConnections)
    }

    /// Takes ACL data from the host.
    mutating func receive(data packet: [UInt8]) { connections.receive(packet) }

    /// What goes to the host besides answers and reports.
    mutating func takeOutgoing() -> [[UInt8]] { connections.takeOutgoing() }

    /// Of the two events that say that there is a connection, the host may allow both.
    private var tellsEnhancedConnections: Bool { leEventMask & 1 << 9 != 0 }

    /// Both masks must allow it: LE Meta events at all (7.3.1), and this one among them (7.8.1).
    private var canReport: Bool {
        let report: UInt64 = extended ? 1 << 12 : 1 << 1
        return eventMask & (1 << 61) != 0 && leEventMask & report != 0
    }

    private mutating func reset() {
        if scan != nil { log("scan off (reset)") }
        // The defaults of 7.3.1 and 7.8.1.
        eventMask = 0x1FFF_FFFF_FFFF
        leEventMask = 0x1F
        family = nil
        randomAddress = nil
        parameters = ScanParameters()
        scan = nil
        acceptList = []
        connections = Connections()
    }

    private mutating func carryOut(_ command: Command) -> (Status, [UInt8]) {
        let given = command.parameters
        switch command.opCode {
        case OpCode.reset:
            reset()
            return (.success, [])
        case OpCode.setEventMask, OpCode.leSetEventMask:
            guard given.count == 8 else { return (.invalidParameters, []) }
            let mask = given.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if command.opCode == OpCode.setEventMask { eventMask = mask } else { leEventMask = mask }
            return (.success, [])
        case OpCode.leSetRandomAddress:
            guard given.count == 6 else { return (.invalidParameters, []) }
            guard scan == nil else { return (.commandDisallowed, []) }
            randomAddress = given
            return (.success, [])
        case OpCode.leClearFilterAcceptList, OpCode.leAddToFilterAcceptList, OpCode.leRemoveFromFilterAcceptList:
            return (changeAcceptList(command), [])
        case OpCode.leCreateConnection:
            return (use(.legacy) ?? connections.create(given), [])
        case OpCode.leExtendedCreateConnection where extended:
            return (use(.extended) ?? connections.createExtended(given), [])
        case OpCode.leCreateConnectionCancel:
            return (connections.cancel(isEnhanced: tellsEnhancedConnections), [])
        case OpCode.leReadRemoteFeatures:
            return (connections.readRemoteFeatures(given), [])
        case OpCode.disconnect:
            return (connections.disconnect(given), [])
        case OpCode.writeLocalName:
            return (.success, [])
        case OpCode.leSetScanParameters:
            return (use(.legacy) ?? setScanParameters(given), [])
        case OpCode.leSetScanEnable:
            return (use(.legacy) ?? setScanEnable(given), [])
        case OpCode.leSetExtendedScanParameters where extended:
            return (use(.extended) ?? setExtendedScanParameters(given), [])
        case OpCode.leSetExtendedScanEnable where extended:
            return (use(.extended) ?? setExtendedScanEnable(given), [])
        case OpCode.leReadNumberOfSupportedAdvertisingSets where extended:
            if let refusal = use(.extended) { return (refusal, []) }
            return (.success, [1])
        default:
            guard let values = description(command.opCode) else { return (.unknownCommand, []) }
            return (.success, values)
        }
    }

    /// What the controller says of itself.
    private func description(_ opCode: UInt16) -> [UInt8]? {
        switch opCode {
        case OpCode.readLocalVersion:
            // Versions of both sides of the interface; the Linux Foundation's number; no revisions.
            let version: UInt8 = extended ? 0x09 : 0x08
            return [version, 0, 0, version, 0xF1, 0x05, 0, 0]
        case OpCode.readLocalSupportedCommands: return supportedCommands
        case OpCode.readLocalSupportedFeatures:
            // No classic Bluetooth (bit 37), but Low Energy (bit 38).
            return Array(littleEndian: UInt64(1) << 37 | 1 << 38)
        case OpCode.readBufferSize: return [251, 0, 0, 8, 0, 0, 0]
        case OpCode.readAddress: return publicAddress
        case OpCode.readLocalName:
            // Always 248 bytes, with zeros at the end (7.3.12).
            let name = Array("Virtual controller".utf8)
            return name + [UInt8](repeating: 0, count: 248 - name.count)
        case OpCode.leReadBufferSize: return [251, 0, 8]
        case OpCode.leReadLocalSupportedFeatures:
            // Extended advertising is bit 12.
            return Array(littleEndian: extended ? UInt64(1) << 12 : 0)
        case OpCode.leReadFilterAcceptListSize: return [UInt8(Self.acceptListSize)]
        case OpCode.leReadSupportedStates:
            // Passive (bit 4) and active (bit 5) scanning, connecting (bit 6) and being connected as central (bit 7).
            return Array(littleEndian: UInt64(0b1111) << 4)
        default: return nil
        }
    }

    /// A bit for each command (6.27).
    private var supportedCommands: [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        octets[0] = 1 << 5  // Disconnect
        octets[5] = 1 << 6 | 1 << 7  // Set Event Mask, Reset
        octets[14] = 1 << 3 | 1 << 5 | 1 << 7  // Read Local Version, Supported Features, Buffer Size
        octets[15] = 1 << 1  // Read BD_ADDR
        octets[25] = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4  // LE Event Mask, Buffer Size, Features, Random Address
        octets[26] = 1 << 2 | 1 << 3 | 1 << 6 | 1 << 7  // LE Scan Parameters, Scan Enable, Accept List Size, Clear
        octets[26] |= 1 << 4 | 1 << 5  // LE Create Connection, its Cancel
        octets[27] = 1 << 0 | 1 << 1 | 1 << 5  // LE Add and Remove Device from the Accept List, Read Remote Features
        octets[28] = 1 << 3  // LE Read Supported States
        if extended {
            octets[36] = 1 << 7  // LE Read Number of Supported Advertising Sets
            octets[37] = 1 << 5 | 1 << 6 | 1 << 7  // LE Extended Scan Parameters, Scan Enable, Create Connection
        }
        return octets
    }

    /// The refusal, when the host has used the other kind before.
    private mutating func use(_ family: Family) -> Status? {
        if let used = self.family, used != family {
            log("the host mixes \(used.rawValue) and \(family.rawValue) commands")
            return .commandDisallowed
        }
        self.family = family
        return nil
    }

    /// 7.8.15 to 7.8.17: not while the list is in use.
    private mutating func changeAcceptList(_ command: Command) -> Status {
        let given = command.parameters
        guard !(scan != nil && parameters.accepts), !connections.isInitiating else { return .commandDisallowed }
        if command.opCode == OpCode.leClearFilterAcceptList {
            acceptList = []
            return .success
        }
        guard given.count == 7, given[0] <= 1 else { return .invalidParameters }
        let address = Address(type: given[0], bytes: Array(given[1...]))
        if command.opCode == OpCode.leRemoveFromFilterAcceptList {
            acceptList.remove(address)
            return .success
        }
        guard acceptList.count < Self.acceptListSize else { return .memoryExceeded }
        acceptList.insert(address)
        return .success
    }

    private mutating func setScanParameters(_ given: [UInt8]) -> Status {
        guard given.count == 7 else { return .invalidParameters }
        return setScanParameters(
            type: given[0], interval: given.littleEndian16(at: 1), window: given.littleEndian16(at: 3),
            longest: 0x4000, ownAddressType: given[5], filterPolicy: given[6])
    }

    private mutating func setExtendedScanParameters(_ given: [UInt8]) -> Status {
        guard given.count >= 3 else { return .invalidParameters }
        let physicalLayers = given[2]
        guard physicalLayers != 0, given.count == 3 + 5 * physicalLayers.nonzeroBitCount else {
            return .invalidParameters
        }
        // There is only LE 1M.
        guard physicalLayers == 1 else { return .unsupportedParameter }
        return setScanParameters(
            type: given[3], interval: given.littleEndian16(at: 4), window: given.littleEndian16(at: 6),
            longest: 0xFFFF, ownAddressType: given[0], filterPolicy: given[1])
    }

    private mutating func setScanParameters(
        type: UInt8, interval: Int, window: Int, longest: Int, ownAddressType: UInt8, filterPolicy: UInt8
    ) -> Status {
        guard scan == nil else { return .commandDisallowed }
        guard type <= 1, interval <= longest, 4...max(4, interval) ~= window, ownAddressType <= 3 else {
            return .invalidParameters
        }
        guard filterPolicy <= 1 else { return .unsupportedParameter }
        parameters = ScanParameters(active: type == 1, ownAddressType: ownAddressType, accepts: filterPolicy == 1)
        log(
            "scan parameters: \(type == 1 ? "active" : "passive"), interval \(milliseconds(interval)) ms, "
                + "window \(milliseconds(window)) ms, \(family?.rawValue ?? "")"
                + (filterPolicy == 1 ? ", only of \(acceptList.count) accepted" : ""))
        return .success
    }

    /// Of units of 0.625 ms.
    private func milliseconds(_ units: Int) -> Double { Double(units * 625) / 1000 }

    private mutating func setScanEnable(_ given: [UInt8]) -> Status {
        guard given.count == 2, given[0] <= 1, given[1] <= 1 else { return .invalidParameters }
        return given[0] == 1 ? scanOn(filtersDuplicates: given[1] == 1) : scanOff()
    }

    private mutating func setExtendedScanEnable(_ given: [UInt8]) -> Status {
        guard given.count == 6, given[0] <= 1, given[1] <= 2 else { return .invalidParameters }
        guard given[0] == 1 else { return scanOff() }
        // Duration and period: it scans until told otherwise or not at all.
        guard given.littleEndian16(at: 2) == 0, given.littleEndian16(at: 4) == 0 else { return .unsupportedParameter }
        guard given[1] <= 1 else { return .invalidParameters }
        return scanOn(filtersDuplicates: given[1] == 1)
    }

    private mutating func scanOn(filtersDuplicates: Bool) -> Status {
        // 7.8.11: with a random address of one's own there must be one.
        if parameters.ownAddressType & 1 == 1, randomAddress == nil { return .invalidParameters }
        scan = Scan(filtersDuplicates: filtersDuplicates)
        scans += 1
        log(
            "scan on: duplicate filter \(filtersDuplicates ? "on" : "off"), "
                + "\(parameters.active ? "active" : "passive"), \(family?.rawValue ?? "")")
        if !canReport { log("the host's event masks keep all reports back") }
        return .success
    }

    private mutating func scanOff() -> Status {
        log(scan == nil ? "scan off (it was off)" : "scan off: \(reported) reported, \(withheld) duplicates withheld")
        scan = nil
        return .success
    }
}
