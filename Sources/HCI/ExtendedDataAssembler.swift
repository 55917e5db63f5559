import BeaconModel

/// Reassembles extended advertising data that a controller reports in several parts (Bluetooth Core Specification 5.4,
/// Vol 4, Part E, 7.7.65.13, "Data_Status"). Pure.
///
/// At most `capacity` advertisements are assembled at once, each with at most `longest` bytes and for at most
/// `patience`. When the table is full, a new advertisement evicts the oldest. The parts of an advertisement follow each
/// other closely, so a flood of first parts does not block genuine ones. The remaining parts of an evicted
/// advertisement cannot be distinguished from a complete one and are read as such.
struct ExtendedDataAssembler: Sendable {
    /// Maximum number of advertisements being assembled at once.
    static let capacity = 64
    /// Maximum length of extended advertising data in bytes (Vol 4, Part E, 7.8.57).
    static let longest = 1650
    /// Time limit for the last part. The parts of an advertisement arrive within milliseconds; one that is still
    /// incomplete after this time is lost.
    static let patience = Duration.seconds(1)

    package enum Outcome: Equatable, Sendable {
        /// The report's own data is complete.
        case itself
        /// The reassembled data.
        case whole([UInt8])
        /// No data: more parts follow, or the advertisement was dropped.
        case nothing
    }

    private struct Key: Equatable {
        var adapter: Adapter
        var address: BluetoothAddress
        var addressKind: AdvertisingReport.AddressKind
        var set: UInt8?
        var isScanResponse: Bool

        init(_ report: AdvertisingReport) {
            adapter = report.adapter
            address = report.address
            addressKind = report.addressKind
            set = report.advertisingSet
            isScanResponse = report.isScanResponse
        }
    }

    private struct Chain {
        var key: Key
        var begunAt: Timestamp
        var data: [UInt8]
        /// Whether the advertisement is too long and its remaining parts are skipped.
        var isDropped = false
    }

    private var chains: [Chain] = []

    /// Whether no advertisement is being assembled. A complete report then cannot be a last part.
    var isEmpty: Bool { chains.isEmpty }

    /// Processes the next extended advertising report, in the order of reception.
    ///
    /// - Parameter drop: called for each advertisement that is dropped or incomplete.
    mutating func take(
        _ report: AdvertisingReport, _ data: Span<UInt8>, drop: (AdvertisingEvent.Defect) -> Void
    ) -> Outcome {
        abandonOld(at: report.time, drop)
        let key = Key(report)
        let index = chains.firstIndex { $0.key == key }
        switch report.dataStatus {
        case .moreToCome:
            if let index { append(data, to: index, drop) } else { begin(key, at: report.time, with: data, drop) }
            return .nothing
        case .complete, .truncated:
            if report.dataStatus == .truncated { drop(.fragmentTruncated) }
            guard let index else { return .itself }
            append(data, to: index, drop)
            let chain = chains.remove(at: index)
            return chain.isDropped ? .nothing : .whole(chain.data)
        }
    }

    private mutating func begin(
        _ key: Key, at time: Timestamp, with data: Span<UInt8>, _ drop: (AdvertisingEvent.Defect) -> Void
    ) {
        if chains.count >= Self.capacity {
            // Advertisements are stored in the order in which they began.
            if !chains.removeFirst().isDropped { drop(.fragmentTableFull) }
        }
        chains.append(Chain(key: key, begunAt: time, data: []))
        append(data, to: chains.count - 1, drop)
    }

    private mutating func append(_ data: Span<UInt8>, to index: Int, _ drop: (AdvertisingEvent.Defect) -> Void) {
        guard !chains[index].isDropped else { return }
        guard chains[index].data.count + data.count <= Self.longest else {
            chains[index].isDropped = true
            chains[index].data = []
            return drop(.fragmentTooLong)
        }
        for position in data.indices { chains[index].data.append(data[position]) }
    }

    /// Drops advertisements that are older than `patience`. Also drops those that began more than `patience` in the
    /// future, after the clock was set back.
    mutating func abandonOld(at time: Timestamp, _ drop: (AdvertisingEvent.Defect) -> Void) {
        var index = 0
        while index < chains.count {
            let age = time - chains[index].begunAt
            if age > Self.patience || age < .zero - Self.patience {
                if !chains[index].isDropped { drop(.fragmentAbandoned) }
                chains.remove(at: index)
            } else {
                index += 1
            }
        }
    }
}
