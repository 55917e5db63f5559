import Advertisement
import BeaconModel
import HCI
import IngestC

/// The same corpus through the decoder of this project and through that in C.
struct Decoders {
    private let batch: HCIPacketBatch
    private let bytes: [UInt8]
    private let packets: [ingest_packet]
    private let data: [UInt8]
    /// Where the data of each report begins, and where the last one ends.
    private let starts: [Int]

    init(_ corpus: Corpus) {
        batch = corpus.batch
        bytes = corpus.packets.flatMap(\.bytes)
        data = corpus.data.flatMap(\.self)
        starts = corpus.data.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
        var start = 0
        packets = corpus.packets.map { packet in
            defer { start += packet.bytes.count }
            return ingest_packet(
                microseconds: packet.time.microseconds, start: start, count: packet.bytes.count,
                adapter: Corpus.adapter.index)
        }
    }

    /// Whether both give the same.
    var agree: Bool {
        packetsInSwift().agrees(with: packetsInC()) && dataInSwift().agrees(with: dataInC())
    }

    func packetsInSwift() -> ingest_sums {
        var sums = ingest_sums()
        let defects = batch.forEachReport { report, data in
            sums.reports &+= 1
            sums.sum &+= UInt64(bitPattern: report.time.microseconds) &+ report.address.bits
            sums.sum &+= UInt64(report.adapter.index)
            if let rssi = report.rssi { sums.sum &+= UInt64(bitPattern: Int64(rssi.dBm)) }
            let flags: UInt64 = (report.isConnectable ? 1 : 0) | (report.isScanResponse ? 2 : 0)
            sums.sum &+= report.addressKind.number &+ flags &+ report.dataStatus.number
            if report.isExtended { sums.sum &+= 16 }
            if let set = report.advertisingSet { sums.sum &+= UInt64(set) }
            sums.add(AdvertisingData.decode(data))
        }
        for count in defects.values { sums.defects &+= UInt64(count) }
        return sums
    }

    func packetsInC() -> ingest_sums {
        var sums = ingest_sums()
        ingest_decode_packets(bytes, bytes.count, packets, packets.count, &sums)
        return sums
    }

    func dataInSwift() -> ingest_sums {
        var sums = ingest_sums()
        let span = data.span
        for index in 0..<(starts.count - 1) {
            let decoded = AdvertisingData.decode(span.extracting(starts[index]..<starts[index + 1]))
            sums.reports &+= 1
            sums.add(decoded)
        }
        return sums
    }

    func dataInC() -> ingest_sums {
        var sums = ingest_sums()
        ingest_decode_data(data, data.count, starts, starts.count - 1, &sums)
        return sums
    }
}

extension ingest_sums {
    func agrees(with other: ingest_sums) -> Bool {
        reports == other.reports && defects == other.defects && identities == other.identities && sum == other.sum
    }

    mutating func add(_ decoded: AdvertisingData.Decoded) {
        if decoded.defect != nil { defects &+= 1 }
        guard let identity = decoded.identity else {
            sum &+= decoded.company.map(\.number) ?? 0
            return
        }
        identities &+= 1
        switch identity {
        case .altBeacon(let beacon, let manufacturer, let power):
            add(beacon, power)
            sum &+= UInt64(manufacturer)
        case .iBeacon(let beacon, let power): add(beacon, power)
        case .eddystoneUID(let identifier, let power):
            sum &+= folded(identifier.bits) &+ UInt64(UInt8(bitPattern: power))
        case .eddystoneURL(let link): sum &+= UInt64(UInt8(bitPattern: link.txPower))
        case .eddystoneTLM(.plain(let telemetry)):
            sum &+= UInt64(telemetry.batteryMillivolts ?? 0) &+ UInt64(telemetry.advertisements)
        case .eddystoneTLM(.encrypted): break
        case .eddystoneEID(let identifier, let power): sum &+= identifier &+ UInt64(UInt8(bitPattern: power))
        case .exposureNotification(let identifier, let metadata):
            sum &+= folded(identifier.bits) &+ UInt64(metadata)
        case .contactApp(let app): sum &+= app.number
        case .contactUser(let app, let code): sum &+= code &+ app.number
        case .appleOverflow(let overflow): sum &+= folded(overflow.bits)
        case .appleDevice(let type): sum &+= UInt64(type)
        }
    }

    private mutating func add(_ beacon: BeaconID, _ power: Int8) {
        sum &+= folded(beacon.uuid.bits)
        sum &+= UInt64(beacon.major) << 32 | UInt64(beacon.minor) << 16 | UInt64(UInt8(bitPattern: power))
    }

    private func folded(_ bits: UInt128) -> UInt64 {
        UInt64(truncatingIfNeeded: bits >> 64) ^ UInt64(truncatingIfNeeded: bits)
    }
}

extension AdvertisingData.Company {
    var number: UInt64 {
        switch self {
        case .apple: 1
        case .microsoft: 2
        case .other: 3
        }
    }
}

extension ContactApp {
    var number: UInt64 {
        switch self {
        case .bleProximity: 1
        case .further: 2
        case .c19x: 3
        case .herald: 4
        }
    }
}

extension AdvertisingReport.DataStatus {
    var number: UInt64 {
        switch self {
        case .complete: 0
        case .moreToCome: 4
        case .truncated: 8
        }
    }
}

extension AdvertisingReport.AddressKind {
    var number: UInt64 {
        switch self {
        case .public: 0
        case .random: 1
        case .anonymous: 2
        }
    }
}
