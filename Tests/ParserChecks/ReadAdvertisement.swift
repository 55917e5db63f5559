import BeaconModel
import HCI

/// An advertising report with a copy of its data.
struct ReadAdvertisement: Equatable {
    var report: AdvertisingReport
    var data: [UInt8]

    init(_ report: AdvertisingReport, _ data: Span<UInt8>) {
        self.report = report
        self.data = data.withUnsafeBufferPointer { Array($0) }
    }
}

/// All that a batch gave.
struct ReadBatch: Equatable {
    var advertisements: [ReadAdvertisement] = []
    var defects: [AdvertisingEvent.Defect: Int] = [:]

    init() {}

    /// Each report as it came.
    init(reportsIn batch: HCIPacketBatch) {
        var read: [ReadAdvertisement] = []
        defects = batch.forEachReport { read.append(ReadAdvertisement($0, $1)) }
        advertisements = read
    }

    /// Adds what `reader` makes of a batch.
    mutating func add(_ batch: HCIPacketBatch, readBy reader: inout ReportReader) {
        var read: [ReadAdvertisement] = []
        let found = reader.forEachAdvertisement(in: batch) { read.append(ReadAdvertisement($0, $1)) }
        advertisements += read
        defects.merge(found, uniquingKeysWith: +)
    }
}
