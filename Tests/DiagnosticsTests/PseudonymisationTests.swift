import Advertisement
import BeaconModel
import HCI
import TestValues
import Testing

@testable import Diagnostics

@Suite struct PseudonymisationTests {
    private static let key = PseudonymKey(secret: Array("a secret of the tests".utf8))

    private static let uuid: [UInt8] = Array(0xA0...0xAF)
    private static let address: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66]
    private static let name = Array("Alice's Phone".utf8)
    private static let payload: [UInt8] = Array(0xD1...0xDC)

    private static func iBeacon(_ uuid: [UInt8] = uuid, major: UInt8 = 0x7B, minor: UInt8 = 0x2D) -> [UInt8] {
        [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + uuid + [0x12, major, 0x34, minor, 0xC5]
    }

    private static func structure(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        [UInt8(value.count + 1), type] + value
    }

    /// One report with `data`.
    private static func legacy(
        _ data: [UInt8], address: [UInt8] = address, addressType: UInt8 = 1, rssi: UInt8 = 0xC0
    ) -> [UInt8] {
        [0x04, 0x3E, UInt8(data.count + 12), 0x02, 1, 0x03, addressType] + address + [UInt8(data.count)] + data + [rssi]
    }

    private static func extended(
        _ data: [UInt8], type: UInt8 = 0x00, address: [UInt8] = address, set: UInt8 = 5,
        direct: [UInt8] = [0, 0, 0, 0, 0, 0]
    ) -> [UInt8] {
        [0x04, 0x3E, UInt8(data.count + 26), 0x0D, 1, type, 0x00, 0x01] + address + [1, 2, set, 0x7F, 0xC0, 0, 0, 0x01]
            + direct + [UInt8(data.count)] + data
    }

    private func replaced(_ packet: [UInt8]) -> [UInt8] {
        var pseudonymisation = Pseudonymisation(key: Self.key)
        return replaced(packet, by: &pseudonymisation)
    }

    private func replaced(
        _ packet: [UInt8], by pseudonymisation: inout Pseudonymisation, at time: Timestamp = .epoch
    ) -> [UInt8] {
        var packet = packet
        pseudonymisation.apply(to: &packet, time: time, adapter: Adapter(index: 0))
        return packet
    }

    /// The data of the only report of a legacy packet.
    private func replacedData(_ data: [UInt8]) -> [UInt8] {
        Array(replaced(Self.legacy(data)).dropFirst(14).dropLast())
    }

    private func contains(_ bytes: [UInt8], _ part: some Collection<UInt8>) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    // MARK: - What must not come out

    /// The upper half of C19X's service UUIDs, little-endian, of which the lower half is what a phone likes.
    private static let c19x: [UInt8] = [0xDD, 0xDD, 0xEE, 0xEE, 0xFF, 0xFF, 0xFF, 0xFF]
    private static let code: [UInt8] = [0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8]

    /// AD structures with something to hide, and what that is.
    private static let secrets: [(data: [UInt8], secret: [UInt8])] = [
        (iBeacon(), uuid), (iBeacon(), [0x12, 0x7B]), (iBeacon(), [0x34, 0x2D]),
        (structure(0xFF, [0x18, 0x01, 0xBE, 0xAC] + uuid + [1, 2, 3, 4, 0xC5, 0x99]), uuid),
        (structure(0x16, [0x6F, 0xFD] + uuid + [0xE1, 0xE2, 0xE3, 0xE4]), uuid),
        (structure(0x16, [0x6F, 0xFD] + uuid + [0xE1, 0xE2, 0xE3, 0xE4]), [0xE1, 0xE2, 0xE3, 0xE4]),
        (structure(0x16, [0xAA, 0xFE, 0x00, 0xEE] + uuid + [0, 0]), Array(uuid.prefix(10))),
        (structure(0x16, [0xAA, 0xFE, 0x00, 0xEE] + uuid + [0, 0]), Array(uuid.dropFirst(10))),
        (structure(0x16, [0xAA, 0xFE, 0x10, 0xEE, 0x03] + Array("alice.example".utf8)), Array("alice".utf8)),
        (structure(0x16, [0xAA, 0xFE, 0x20, 0x00] + payload), payload),
        (structure(0x16, [0xAA, 0xFE, 0x30, 0xEE] + payload.prefix(8)), Array(payload.prefix(8))),
        (structure(0x16, [0xAA, 0xFE, 0x55] + payload), payload), (structure(0x16, [0x12, 0x34] + payload), payload),
        (structure(0x20, [1, 2, 3, 4] + payload), payload), (structure(0x21, uuid + payload), payload),
        (structure(0x08, name), name), (structure(0x09, name), name), (structure(0x30, name), name),
        (structure(0xFF, [0x18, 0x01] + payload), payload),
        (structure(0xFF, [0x4C, 0x00, 0x10, 0x0C] + payload), payload),
        (structure(0xFF, [0x4C, 0x00, 0x01] + uuid), uuid),
        (structure(0xFF, [0x4C, 0x00, 0x10, 0x60] + payload), payload),
        (structure(0xFF, [0x4C, 0x00, 0x02, 0x15] + payload), payload), (structure(0x77, payload), payload),
        (structure(0x17, payload), payload), (structure(0x01, [0x06] + payload), payload),
        (structure(0x0A, [0x06] + payload), payload), (structure(0x19, [0x06, 0x07] + payload), payload),
        (structure(0x03, [0x6F, 0xFD]) + structure(0x07, uuid), uuid),
        (structure(0x09, Array("further_app".utf8)) + structure(0x06, uuid), uuid), ([0x1F, 0x09] + name, name),
        (structure(0x07, code + c19x), code), (structure(0x03, [0x6F, 0xFD]) + structure(0x06, code + c19x), code),
        (structure(0x15, code + c19x), code), (structure(0x21, code + c19x + [7]), code),
        ([0x00] + payload, payload), (structure(0x02, [0xD1]) + [0x00] + payload, payload),
    ]

    @Test("Nothing that is to be hidden comes out, in either byte order", arguments: secrets.indices)
    func hidden(index: Int) {
        let (data, secret) = Self.secrets[index]
        for packet in [Self.legacy(data), Self.extended(data)] {
            #expect(contains(packet, secret))
            let packet = replaced(packet)
            for part in [secret, secret.reversed(), Self.address, Self.address.reversed()] {
                #expect(!contains(packet, part), "\(part) in \(packet)")
            }
        }
    }

    @Test("Neither the advertiser's nor the direct address comes out, nor bytes after the last report")
    func addresses() {
        let direct: [UInt8] = [0x71, 0x72, 0x73, 0x74, 0x75, 0x76]
        let trailer: [UInt8] = [0x81, 0x82, 0x83, 0x84, 0x85]
        let packet = replaced(Self.extended([], direct: direct) + trailer)
        for part in [Self.address, direct, trailer] {
            #expect(!contains(packet, part))
            #expect(!contains(packet, part.reversed()))
        }
    }

    @Test("At every length at which a packet may be cut off, nothing of what is hidden comes out")
    func cutOff() {
        for (data, secret) in Self.secrets where secret.count >= 8 {
            for packet in [Self.legacy(data), Self.extended(data)] {
                for length in 0...packet.count {
                    let result = replaced(Array(packet.prefix(length)))
                    // The first eight bytes of it are enough to tell.
                    #expect(!contains(result, secret.prefix(8)))
                    #expect(!contains(result, Self.address))
                    #expect(result.count == length)
                }
            }
        }
    }

    @Test("Data that goes on in another report is hidden where it goes on, wherever an AD structure was cut")
    func fragments() {
        let data = Self.structure(0x09, [0x02, 0x01, 0x0A] + Self.structure(0x03, Self.payload)) + Self.iBeacon()
        for cut in 1..<data.count {
            var pseudonymisation = Pseudonymisation(key: Self.key)
            let first = replaced(Self.extended(Array(data.prefix(cut)), type: 0x20), by: &pseudonymisation)
            let second = replaced(Self.extended(Array(data.dropFirst(cut))), by: &pseudonymisation)
            for packet in [first, second] {
                for part in [Self.payload.prefix(6), Self.payload.suffix(6), Self.uuid.prefix(8), Self.uuid.suffix(8)] {
                    #expect(!contains(packet, part), "cut at \(cut)")
                }
            }
            // The chain is over.
            let whole = replaced(Self.extended(Self.structure(0x03, Self.payload)), by: &pseudonymisation)
            #expect(contains(whole, Self.payload))
        }
    }

    @Test("With more unfinished data than can be remembered, all further data is taken for a continuation, for a while")
    func manyFragments() {
        var pseudonymisation = Pseudonymisation(key: Self.key)
        let services = Self.structure(0x03, Self.payload)
        for number in 0...UInt16(FragmentChains.capacity) {
            let address: [UInt8] = [UInt8(number >> 8), UInt8(number & 0xFF), 1, 1, 1, 1]
            _ = replaced(Self.extended([0x05], type: 0x20, address: address), by: &pseudonymisation)
        }
        let soon = replaced(Self.extended(services), by: &pseudonymisation, at: Timestamp(microseconds: 9_000_000))
        #expect(!contains(soon, Self.payload))
        let later = replaced(Self.extended(services), by: &pseudonymisation, at: Timestamp(microseconds: 11_000_000))
        #expect(contains(later, Self.payload))
    }

    // MARK: - What stays

    @Test("Flags, power, appearance, services, companies and the forms of iBeacon, AltBeacon, Eddystone and URL stay")
    func kept() {
        let kept: [[UInt8]] = [
            Self.structure(0x01, [0x06]), Self.structure(0x0A, [0xF4]), Self.structure(0x19, [0x40, 0x02]),
            Self.structure(0x03, [0x6F, 0xFD, 0xAA, 0xFE]), Self.structure(0x05, Self.payload),
            Self.structure(0x07, [0, 0, 0, 0, 0, 0, 0, 0] + Self.c19x),
            Self.structure(0x07, Self.uuid), Self.structure(0x09, Array("further_app".utf8)),
            Self.structure(0x08, Array("further_".utf8)), Self.structure(0xFF, [0x4C, 0x00, 0x01]), [0, 0, 0],
        ]
        for data in kept { #expect(replacedData(data) == data) }
        let beacon = replacedData(Self.iBeacon())
        #expect(beacon.prefix(6) == [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15])
        #expect(beacon.last == 0xC5)
        let url = replacedData(Self.structure(0x16, [0xAA, 0xFE, 0x10, 0xEE, 0x03] + Array("ab".utf8) + [0x07]))
        #expect(url.prefix(7) == [0x09, 0x16, 0xAA, 0xFE, 0x10, 0xEE, 0x03])
        #expect(url.last == 0x07)
        #expect(url[7..<9].allSatisfy { (0x61...0x7A).contains($0) })
    }

    @Test("A message of Apple's that isn't there whole becomes no beacon by chance")
    func noBeaconByChance() {
        for (type, length): (UInt8, UInt8) in [(0x02, 0x80), (0xBE, 0x80)] {
            for number in UInt16(0)..<2000 {
                let rest = [UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 0x11, count: 20)
                let data = Self.structure(0xFF, [0x4C, 0x00, type, length] + rest)
                let identity = AdvertisingData.decode(replacedData(data).span).identity
                let old = AdvertisingData.decode(data.span).identity
                #expect(identity?.kind == old?.kind, "\(data)")
            }
        }
    }

    @Test("A whole legacy PDU continues nothing, though its advertiser has more to say")
    func legacyPDU() {
        var pseudonymisation = Pseudonymisation(key: Self.key)
        let services = Self.structure(0x03, Self.payload)
        _ = replaced(Self.extended([0x05], type: 0x20), by: &pseudonymisation)
        #expect(contains(replaced(Self.extended(services, type: 0x13), by: &pseudonymisation), services))
        #expect(!contains(replaced(Self.extended(services), by: &pseudonymisation), services))
    }

    @Test("A name becomes as many letters")
    func names() {
        let data = replacedData(Self.structure(0x09, Self.name))
        #expect(data.prefix(2) == [UInt8(Self.name.count + 1), 0x09])
        #expect(data.dropFirst(2).allSatisfy { (0x61...0x7A).contains($0) })
    }

    @Test(
        "An address keeps its kind: random static, resolvable, non-resolvable",
        arguments: [(UInt8(0xC6), UInt8(0xC0)), (0x66, 0x40), (0x26, 0x00), (0x86, 0x80)])
    func randomAddress(last: UInt8, kind: UInt8) {
        for first in UInt8(0)..<32 {
            let packet = replaced(Self.legacy([], address: [first, 2, 3, 4, 5, last]))
            #expect(packet[12] & 0xC0 == kind)
        }
    }

    @Test("A public address becomes one that is locally administered, and the absent one stays absent")
    func publicAddress() {
        for type in [UInt8(0), 2] {
            for first in UInt8(0)..<32 {
                let packet = replaced(Self.legacy([], address: [first, 2, 3, 4, 5, 0x6C], addressType: type))
                #expect(packet[12] & 0x03 == 0x02)
                #expect(!contains(packet, [2, 3, 4, 5]))
            }
        }
        let anonymous = Self.legacy([], address: [0, 0, 0, 0, 0, 0], addressType: 0xFF)
        #expect(replaced(anonymous) == anonymous)
    }

    // MARK: - Consistency

    @Test("The same is replaced by the same, in an iBeacon and in an AltBeacon, and another by another")
    func consistent() {
        let beacon = replacedData(Self.iBeacon())
        let alt = replacedData(
            Self.structure(0xFF, [0x18, 0x01, 0xBE, 0xAC] + Self.uuid + [0x12, 0x7B, 0x34, 0x2D, 0xC5, 0x00]))
        #expect(beacon[6..<26] == alt[6..<26])
        #expect(replacedData(Self.iBeacon()) == beacon)
        let other = replacedData(Self.iBeacon(minor: 0x2E))
        #expect(other[6..<24] == beacon[6..<24])
        #expect(other[24..<26] != beacon[24..<26])
        #expect(replacedData(Self.iBeacon(Array(Self.uuid.reversed())))[6..<22] != beacon[6..<22])
    }

    @Test("Different majors and minors stay different")
    func permutation() {
        for domain in [PseudonymKey.Domain.major, .minor] {
            // One in 64 of the numbers; a mapping by chance would have many pairs among them.
            let substitutes = stride(from: UInt16(0), to: 65_472, by: 64).map {
                Self.key.permuted($0, in: Self.uuid, domain)
            }
            #expect(Set(substitutes).count == substitutes.count)
        }
        #expect(Set((0..<1000).map { Self.key.permuted($0, in: Self.uuid, .minor) }).count == 1000)
    }

    @Test("Another recording has other substitutes")
    func unlinkable() {
        var (one, other) = (Pseudonymisation(), Pseudonymisation())
        let packet = Self.legacy(Self.iBeacon())
        #expect(replaced(packet, by: &one) != replaced(packet, by: &other))
    }

    // MARK: - Behaviour

    @Test("Whatever comes, forms stay: kinds, defects, lengths, RSSI, event types")
    func sameBehaviour() {
        var generator = SeededGenerator("pseudonymised packets")
        for _ in 0..<3000 {
            var data: [UInt8] = []
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                data += Self.secrets.randomElement(using: &generator)?.data ?? []
            }
            var packet =
                Bool.random(using: &generator) ? Self.legacy(data.suffix(200)) : Self.extended(data.suffix(200))
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                packet[Int.random(in: 4..<packet.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if Int.random(in: 0..<4, using: &generator) == 0 {
                packet = Array(packet.prefix(Int.random(in: 4...packet.count, using: &generator)))
            }
            let (before, after) = (Meaning(packet), Meaning(replaced(packet)))
            #expect(before == after, "\(packet), \(generator.comment)")
        }
    }
}

/// What a packet is, without who is meant.
private struct Meaning: Equatable {
    var reports: [AdvertisingReport] = []
    var dataLengths: [Int] = []
    var kinds: [String] = []
    var defects: [String] = []

    init(_ packet: [UInt8]) {
        var batch = HCIPacketBatch()
        batch.append(packet, time: .epoch, adapter: Adapter(index: 0))
        var reports: [AdvertisingReport] = []
        var dataLengths: [Int] = []
        var kinds: [String] = []
        var defects: [String] = []
        let broken = batch.forEachReport { report, data in
            var report = report
            report.address = BluetoothAddress(bits: 0)
            reports.append(report)
            dataLengths.append(data.count)
            let decoded = AdvertisingData.decode(data)
            // The name of the case, whatever is in it.
            kinds.append(decoded.identity.map { String("\($0)".prefix { $0 != "(" }) } ?? "none")
            defects.append(decoded.defect?.rawValue ?? "none")
        }
        self.reports = reports
        self.dataLengths = dataLengths
        self.kinds = kinds
        self.defects = defects + broken.keys.map(\.rawValue)
    }
}
