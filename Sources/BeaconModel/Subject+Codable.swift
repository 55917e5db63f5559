/// Coding as text: `beacon/<uuid>/<major>/<minor>`, `exposure-notification/<32 hexadecimal digits>`,
/// `<app>/address/<address>` or `<app>/code/<number>`.
extension Subject: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let subject = Subject(text: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no subject: \(text.prefix(100))"))
        }
        self = subject
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    var text: String {
        switch self {
        case .beacon(let beacon): "beacon/\(beacon)"
        case .exposureNotification(let identifier): "exposure-notification/\(identifier)"
        case .contactApp(let app, let address): "\(app.rawValue)/address/\(address)"
        case .contactUser(let app, let code): "\(app.rawValue)/code/\(code)"
        }
    }

    init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let kind = parts.first else { return nil }
        switch (kind, parts.count) {
        case ("beacon", 4):
            guard let uuid = ProximityUUID(parts[1]), let major = UInt16(parts[2]), let minor = UInt16(parts[3]) else {
                return nil
            }
            self = .beacon(BeaconID(uuid: uuid, major: major, minor: minor))
        case ("exposure-notification", 2):
            guard parts[1].utf8.count == 32, let bits = UInt128(parts[1], radix: 16) else { return nil }
            self = .exposureNotification(RollingProximityIdentifier(bits: bits))
        case (_, 3):
            guard let app = ContactApp(rawValue: String(kind)) else { return nil }
            switch parts[1] {
            case "address":
                guard let address = BluetoothAddress(parts[2]) else { return nil }
                self = .contactApp(app, address)
            case "code":
                guard let code = UInt64(parts[2]) else { return nil }
                self = .contactUser(app, code)
            default: return nil
            }
        default: return nil
        }
    }
}
