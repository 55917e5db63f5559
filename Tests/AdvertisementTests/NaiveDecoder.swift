import Advertisement
import BeaconModel

/// The same rules as `AdvertisingData.decode`, written in the plainest way: first cut into structures, then look.
struct NaiveDecoder {
    private var candidates: [(rank: Int, identity: AdvertisedIdentity)] = []
    private var defects: [AdvertisingData.Defect] = []
    private var companies: [Int] = []
    private var services: [Int] = []
    private var strangers: [ArraySlice<UInt8>] = []
    private var isNamedFurther = false
    private var hasExposureNotificationData = false

    static func decode(_ data: [UInt8]) -> AdvertisingData.Decoded {
        var decoder = NaiveDecoder()
        var rest = Array(data)
        while let length = rest.first.map(Int.init) {
            if length == 0 {
                if rest.contains(where: { $0 != 0 }) { decoder.defects.append(.dataAfterEnd) }
                break
            }
            if rest.count < length + 1 {
                decoder.defects.append(.truncatedStructure)
                break
            }
            decoder.look(at: Array(rest[2..<(length + 1)]), type: Int(rest[1]))
            rest = Array(rest.dropFirst(length + 1))
        }
        return decoder.conclusion
    }

    private var conclusion: AdvertisingData.Decoded {
        let best = candidates.map(\.rank).max() ?? 0
        let isNamed = isNamedFurther && (services.contains(0xFD6F) || hasExposureNotificationData)
        let looksLikeFurther = services.contains(0xFD6F) && !hasExposureNotificationData && !strangers.isEmpty
        if best < 6, isNamed || looksLikeFurther {
            let user = strangers.first.map { UInt64(Self.number(Array($0.prefix(8)))) }
            return .init(
                identity: user.map { .contactUser(.further, $0) } ?? .contactApp(.further), defect: defects.first)
        }
        if let identity = candidates.first(where: { $0.rank == best })?.identity {
            return .init(identity: identity, defect: defects.first)
        }
        let company: AdvertisingData.Company? =
            switch companies.first {
            case nil: nil
            case 0x004C: .apple
            case 0x0006: .microsoft
            default: .other
            }
        return .init(defect: defects.first, company: company)
    }

    private mutating func look(at value: [UInt8], type: Int) {
        switch type {
        case 0xFF: lookAtManufacturer(value)
        case 0x16: lookAtService(value)
        case 0x20: if value.count < 4 { defects.append(.truncatedServiceData) }
        case 0x21:
            value.count < 16 ? defects.append(.truncatedServiceData) : lookAtUUID(value.prefix(16), listed: false)
        case 0x02, 0x03:
            if value.count % 2 == 1 { defects.append(.truncatedServiceList) }
            for index in stride(from: 0, to: value.count - 1, by: 2) {
                let service = Int(value[index]) + 256 * Int(value[index + 1])
                services.append(service)
                if service == 0xFCF6 { add(4, .contactApp(.herald)) }
            }
        case 0x06, 0x07:
            if value.count % 16 != 0 { defects.append(.truncatedServiceList) }
            for index in stride(from: 0, to: value.count - 15, by: 16) {
                lookAtUUID(value[index..<(index + 16)], listed: true)
            }
        case 0x08, 0x09:
            if value.count > 248 { defects.append(.overLongName) }
            if value.count >= 8, "further_app".utf8.starts(with: value) { isNamedFurther = true }
        default: break
        }
    }

    private mutating func lookAtManufacturer(_ value: [UInt8]) {
        guard value.count >= 2 else { return defects.append(.truncatedManufacturerData) }
        let isApple = value.starts(with: [0x4C, 0x00])
        if isApple, value.dropFirst(2).starts(with: [0x02, 0x15]) {
            guard value.count >= 25 else { return defects.append(.truncatedIBeacon) }
            guard value.count == 25 else { return defects.append(.overLongIBeacon) }
            return add(7, .iBeacon(beacon(value), measuredPower: signed(value[24])))
        }
        if isApple, value.count > 2, value[2] == 0x01 {
            guard value.count == 19 else { return defects.append(.wrongOverflowLength) }
            return add(2, .appleOverflow(AppleOverflow(bits: Self.number(Array(value[3...])))))
        }
        if value.dropFirst(2).starts(with: [0xBE, 0xAC]) {
            guard value.count >= 26 else { return defects.append(.truncatedAltBeacon) }
            guard value.count == 26 else { return defects.append(.overLongAltBeacon) }
            let company = UInt16(value[0]) + 256 * UInt16(value[1])
            return add(6, .altBeacon(beacon(value), manufacturer: company, referenceRSSI: signed(value[24])))
        }
        if isApple, value.count > 2, value[2] != 0xBE { return add(1, .appleDevice(type: value[2])) }
        companies.append(Int(value[0]) + 256 * Int(value[1]))
    }

    private mutating func lookAtService(_ value: [UInt8]) {
        guard value.count >= 2 else { return defects.append(.truncatedServiceData) }
        switch Int(value[0]) + 256 * Int(value[1]) {
        case 0xFD6F:
            hasExposureNotificationData = true
            guard value.count == 22 else { return defects.append(.wrongExposureNotificationLength) }
            let identifier = RollingProximityIdentifier(bits: Self.number(Array(value[2..<18])))
            add(5, .exposureNotification(identifier, encryptedMetadata: UInt32(Self.number(Array(value[18...])))))
        case 0xFCF6: add(4, .contactApp(.herald))
        case 0xFEAA: lookAtEddystone(Array(value.dropFirst(2)))
        default: break
        }
    }

    private mutating func lookAtEddystone(_ frame: [UInt8]) {
        let lengths: [UInt8: [Int]] = [0x00: [18, 20], 0x10: Array(3...20), 0x20: [14, 18], 0x30: [10]]
        guard let type = frame.first else { return defects.append(.wrongEddystoneLength) }
        guard let known = lengths[type] else { return }
        // A version of telemetry that isn't known may have any length.
        if type == 0x20, frame.count >= 2, frame[1] > 1 { return }
        guard known.contains(frame.count) else { return defects.append(.wrongEddystoneLength) }
        switch type {
        case 0x00:
            add(3, .eddystoneUID(EddystoneUID(bits: Self.number(Array(frame[2..<18]))), txPower: signed(frame[1])))
        case 0x10:
            let isValid = frame[2] < 4 && frame[3...].allSatisfy { $0 < 14 || (33...126).contains($0) }
            let link = EddystoneURL(txPower: signed(frame[1]), scheme: frame[2], encoded: Array(frame[3...]).span)
            guard isValid, let link else { return defects.append(.invalidEddystoneURL) }
            add(3, .eddystoneURL(link))
        case 0x20:
            guard (frame.count == 14) == (frame[1] == 0) else { return defects.append(.wrongEddystoneLength) }
            let plain = EddystoneTelemetry.Plain(
                battery: UInt16(Self.number(Array(frame[2..<4]))),
                temperature: Int16(truncatingIfNeeded: Int(Self.number(Array(frame[4..<6])))),
                advertisements: UInt32(Self.number(Array(frame[6..<10]))),
                deciseconds: UInt32(Self.number(Array(frame[10..<14]))))
            add(3, .eddystoneTLM(frame[1] == 0 ? .plain(plain) : .encrypted))
        default: add(3, .eddystoneEID(UInt64(Self.number(Array(frame[2...]))), txPower: signed(frame[1])))
        }
    }

    private mutating func lookAtUUID(_ bytes: ArraySlice<UInt8>, listed: Bool) {
        let text = ProximityUUID(bits: Self.number(bytes.reversed())).description
        if text == "8e99298e-65d6-4af7-9074-731c66e01af9" {
            add(4, .contactApp(.bleProximity))
        } else if text == "428132af-4746-42d3-801e-4572d65bfd9b" {
            add(4, .contactApp(.herald))
        } else if text.hasPrefix("ffffffff-eeee-dddd-") {
            add(4, .contactApp(.c19x))
        } else if listed {
            strangers.append(ArraySlice(bytes.reversed()))
        }
    }

    private mutating func add(_ rank: Int, _ identity: AdvertisedIdentity) {
        let single: Set<AdvertisedIdentity.Kind> = [
            .iBeacon, .altBeacon, .exposureNotification, .eddystoneUID, .eddystoneEID,
        ]
        // Compared with the one that counts so far, and only when nothing better came between.
        let best = candidates.map(\.rank).max()
        if best == rank, let first = candidates.first(where: { $0.rank == rank })?.identity,
            first.kind == identity.kind,
            single.contains(first.kind), "\(essence(first))" != "\(essence(identity))"
        {
            defects.append(.contradictoryIdentities)
        }
        candidates.append((rank, identity))
    }

    /// What mustn't differ.
    private func essence(_ identity: AdvertisedIdentity) -> Any {
        switch identity {
        case .eddystoneUID(let uid, _): uid
        case .eddystoneEID(let identifier, _): identifier
        default: identity.subject(address: nil) as Any
        }
    }

    private func beacon(_ value: [UInt8]) -> BeaconID {
        BeaconID(
            uuid: ProximityUUID(bits: Self.number(Array(value[4..<20]))),
            major: UInt16(Self.number(Array(value[20..<22]))), minor: UInt16(Self.number(Array(value[22..<24]))))
    }

    private func signed(_ byte: UInt8) -> Int8 { Int8(truncatingIfNeeded: Int(byte)) }

    private static func number(_ bytes: [UInt8]) -> UInt128 { bytes.reduce(0) { $0 * 256 + UInt128($1) } }
}
