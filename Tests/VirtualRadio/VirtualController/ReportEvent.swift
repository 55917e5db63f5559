/// Advertising reports as the host receives them, several in one event if wanted.
struct ReportEvent {
    /// LE Meta event (Vol 4, Part E, 7.7.65).
    private static let metaEvent: UInt8 = 0x3E
    /// An event's parameters have at most 255 bytes; the subevent's code and the number of reports are two.
    private static let space = 253
    private static let fixedPartOfExtendedReport = 24
    private static let unknownPower: UInt8 = 127

    /// Before the first report: packet type, event code, length, subevent code, number of reports.
    static let headerLength = 5

    let extended: Bool
    private(set) var count = 0
    private var reports: [UInt8] = []

    init(extended: Bool) {
        self.extended = extended
    }

    /// The most reports that one event may hold (7.7.65.2 and 7.7.65.13).
    static func mostReports(extended: Bool) -> Int { extended ? 10 : 25 }

    /// Where the address begins in a report.
    static func addressOffset(extended: Bool) -> Int { extended ? 3 : 2 }

    /// Where the advertising data begins in a report.
    static func dataOffset(extended: Bool) -> Int { extended ? fixedPartOfExtendedReport : 9 }

    /// The advertisement's report; more than one when its data does not fit.
    static func reports(of advertisement: Advertisement, extended: Bool) -> [[UInt8]] {
        guard extended else { return [legacyReport(of: advertisement)] }
        let longest = space - fixedPartOfExtendedReport
        var fragments: [[UInt8]] = []
        var rest = advertisement.data[...]
        repeat {
            let data = rest.prefix(longest)
            rest = rest.dropFirst(longest)
            fragments.append(extendedReport(of: advertisement, data: Array(data), isLast: rest.isEmpty))
        } while !rest.isEmpty
        return fragments
    }

    func hasRoom(for report: [UInt8]) -> Bool {
        reports.count + report.count <= Self.space && count < Self.mostReports(extended: extended)
    }

    mutating func append(_ report: [UInt8]) {
        reports += report
        count += 1
    }

    var packet: [UInt8] {
        let subevent: UInt8 = extended ? 0x0D : 0x02
        let parameters = [subevent, UInt8(count)] + reports
        return [PacketType.event, Self.metaEvent, UInt8(parameters.count)] + parameters
    }

    /// 7.7.65.2
    private static func legacyReport(of advertisement: Advertisement) -> [UInt8] {
        [UInt8(advertisement.kind.rawValue), advertisement.address.type]
            + advertisement.address.bytes
            + [UInt8(advertisement.data.count)]
            + advertisement.data
            + [UInt8(bitPattern: advertisement.rssi)]
    }

    /// 7.7.65.13
    private static func extendedReport(of advertisement: Advertisement, data: [UInt8], isLast: Bool) -> [UInt8] {
        let lowEnergy1M: UInt8 = 1
        // What is sent by legacy advertising is on no second channel and in no advertising set.
        let secondaryLayer: UInt8 = advertisement.isExtended ? lowEnergy1M : 0
        let advertisingSet: UInt8 = advertisement.isExtended ? 0 : 0xFF
        let noPeriodicAdvertising: [UInt8] = [0, 0]
        let noDirectAddress = [UInt8](repeating: 0, count: 7)
        return Array(littleEndian: extendedType(of: advertisement, isLast: isLast))
            + [advertisement.address.type]
            + advertisement.address.bytes
            + [lowEnergy1M, secondaryLayer, advertisingSet, unknownPower, UInt8(bitPattern: advertisement.rssi)]
            + noPeriodicAdvertising
            + noDirectAddress
            + [UInt8(data.count)]
            + data
    }

    private static func extendedType(of advertisement: Advertisement, isLast: Bool) -> UInt16 {
        let connectable: UInt16 = 1 << 0
        let scannable: UInt16 = 1 << 1
        let directed: UInt16 = 1 << 2
        let scanResponse: UInt16 = 1 << 3
        let legacy: UInt16 = 1 << 4
        let moreToCome: UInt16 = 1 << 5

        if advertisement.isExtended {
            let continued = isLast ? 0 : moreToCome
            return switch advertisement.kind {
            // Extended advertising cannot be connectable and scannable at once.
            case .connectable: connectable | continued
            case .directed: connectable | directed | continued
            case .scannable: scannable | continued
            case .nonconnectable: continued
            case .scanResponse: scanResponse | scannable | continued
            }
        }
        return switch advertisement.kind {
        case .connectable: legacy | connectable | scannable
        case .directed: legacy | directed | connectable
        case .scannable: legacy | scannable
        case .nonconnectable: legacy
        case .scanResponse: legacy | scanResponse | connectable | scannable
        }
    }
}
