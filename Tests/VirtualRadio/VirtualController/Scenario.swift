import Glibc

/// What one advertiser sends.
struct Advertisement: Sendable {
    /// As the legacy advertising report numbers them (Vol 4, Part E, 7.7.65.2).
    enum Kind: Int {
        case connectable = 0
        case directed = 1
        case scannable = 2
        case nonconnectable = 3
        case scanResponse = 4
    }

    /// Longer data needs the extended advertising of Bluetooth 5.
    static let longestLegacyData = 31
    /// With all its fragments (Vol 6, Part B, 2.3.4.9).
    static let longestData = 1650

    var address: Address
    var kind: Kind
    /// In dBm; 127: not known.
    var rssi: Int8
    var data: [UInt8]

    var isExtended: Bool { data.count > Self.longestLegacyData }
}

struct Address: Hashable, Sendable {
    /// 0: public, 1: random.
    var type: UInt8
    /// The lowest first, the reverse of the written form.
    var bytes: [UInt8]

    init(type: UInt8, bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
    }

    /// From the written form, such as C0:11:22:33:44:01.
    init?(type: UInt8, text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.count == 2 && $0.allSatisfy(\.isHexDigit) ? UInt8($0, radix: 16) : nil }
        guard parts.count == 6, bytes.count == 6 else { return nil }
        self.type = type
        self.bytes = bytes.reversed()
    }
}

/// Which advertisement is on the air when, counted from the first time that the host starts to scan.
struct Scenario: Sendable {
    struct Transmission: Sendable {
        var milliseconds: Int
        var advertiser: Int
        /// As of an advertisement.
        var rssi: Int8
    }

    struct Failure: Error {
        var line: Int
        var message: String
    }

    private static let mostTransmissions = 1_000_000

    var advertisers: [Advertisement] = []
    /// In the order of time.
    var transmissions: [Transmission] = []

    /// Silence.
    init() {}

    /// How much later than its interval an advertisement comes at most (Vol 6, Part B, 4.4.2.2.1), in milliseconds.
    private static let longestDelay = 10

    /// Lines of "t_ms address addrtype eventtype rssi hexdata count period_ms [loss]"; # begins a comment.
    ///
    /// RSSI may vary: `RSSICourse`. A loss, such as 50%, is the probability that a repetition isn't heard; with one (be it
    /// 0%) each also comes up to 10 ms after its period, as advertisers send. Equal lines in equal places give the same.
    init(text: String) throws(Failure) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let fields = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            guard !fields.isEmpty else { continue }
            do throws(LineFailure) {
                try add(fields)
            } catch {
                throw Failure(line: index + 1, message: error.message)
            }
        }
        // Swift's sort keeps the order of the file among those of the same time.
        transmissions.sort { $0.milliseconds < $1.milliseconds }
    }

    private struct LineFailure: Error {
        var message: String
    }

    private mutating func add(_ fields: [Substring]) throws(LineFailure) {
        guard (8...9).contains(fields.count) else {
            throw LineFailure(
                message:
                    "expected 8 or 9 fields (t_ms address addrtype eventtype rssi hexdata count period_ms [loss]), "
                    + "found \(fields.count)")
        }
        let start = try Self.number(fields[0], of: "t_ms", in: 0...86_400_000)
        let addressType = try Self.number(fields[2], of: "addrtype", in: 0...1)
        guard let address = Address(type: UInt8(addressType), text: fields[1]) else {
            throw LineFailure(message: "\"\(fields[1])\" is no address; expected one such as C0:11:22:33:44:01")
        }
        let kindNumber = try Self.number(fields[3], of: "eventtype", in: 0...4)
        guard let kind = Advertisement.Kind(rawValue: kindNumber) else {
            throw LineFailure(message: "unknown eventtype \(kindNumber)")
        }
        guard let course = RSSICourse(fields[4]) else {
            throw LineFailure(message: "rssi is \"\(fields[4])\"; expected \(RSSICourse.form)")
        }
        let data = try Self.data(fields[5])
        guard kind != .directed || data.isEmpty else {
            throw LineFailure(message: "a directed advertisement (eventtype 1) has no data; write -")
        }
        let count = try Self.number(fields[6], of: "count", in: 1...Self.mostTransmissions)
        let period = try Self.number(fields[7], of: "period_ms", in: 0...86_400_000)
        guard transmissions.count + count <= Self.mostTransmissions else {
            throw LineFailure(message: "more than \(Self.mostTransmissions) reports in all")
        }

        let loss = try fields.count == 9 ? Self.loss(fields[8]) : nil

        let advertiser = advertisers.count
        var random = RandomNumbers(seed: UInt64(advertiser))
        advertisers.append(Advertisement(address: address, kind: kind, rssi: Int8(course.first), data: data))
        var milliseconds = start
        for repetition in 0..<count {
            let rssi = course.value(at: repetition, of: count, &random)
            let isHeard = loss.map { Int.random(in: 0..<100, using: &random) >= $0 } ?? true
            if isHeard {
                transmissions.append(Transmission(milliseconds: milliseconds, advertiser: advertiser, rssi: rssi))
            }
            milliseconds += period
            if loss != nil { milliseconds += Int.random(in: 0...Self.longestDelay, using: &random) }
        }
    }

    /// In percent.
    private static func loss(_ text: Substring) throws(LineFailure) -> Int {
        guard text.last == "%", let percent = Int(text.dropLast()), (0...99).contains(percent) else {
            throw LineFailure(message: "loss is \"\(text)\"; expected one from 0% to 99%")
        }
        return percent
    }

    private static func number(
        _ text: Substring, of name: String, in range: ClosedRange<Int>
    ) throws(LineFailure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw LineFailure(
                message: "\(name) is \"\(text)\"; expected a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func data(_ text: Substring) throws(LineFailure) -> [UInt8] {
        if text == "-" { return [] }
        guard let data = [UInt8](hexadecimal: text) else {
            throw LineFailure(message: "hexdata must be pairs of hexadecimal digits, or - for none")
        }
        guard data.count <= Advertisement.longestData else {
            throw LineFailure(message: "hexdata is longer than \(Advertisement.longestData) bytes")
        }
        return data
    }
}

/// The whole file, or nil with errno set.
func contents(ofFile path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(file, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
    }
}
