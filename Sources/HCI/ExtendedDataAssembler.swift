import BeaconModel

/// Puts extended advertising data together that a controller reports in several parts
/// (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.13, "Data_Status"). Pure.
///
/// Whatever is sent, at most `capacity` advertisements are under way, each with at most `longest` bytes and for at
/// most `patience`. When the table is full, a new advertisement takes the place of the oldest, so that a flood of beginnings
/// keeps nobody out: the parts of an advertisement follow each other closely. The rest of the one that was given up can't be
/// told from a whole one, and is read as such.
struct ExtendedDataAssembler: Sendable {
    /// Advertisements under way at once.
    static let capacity = 64
    /// The most bytes that extended advertising data have (Vol 4, Part E, 7.8.57).
    static let longest = 1650
    /// The parts of an advertisement arrive within milliseconds; one whose end is longer away than this is lost.
    static let patience = Duration.seconds(1)

    package enum Outcome: Equatable, Sendable {
        /// The data are all that came with the report itself.
        case itself
        /// The data are those that were put together.
        case whole([UInt8])
        /// More is to come, or the advertisement was dropped.
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
        /// Too long: what is still to come is passed over.
        var isDropped = false
    }

    private var chains: [Chain] = []

    /// Nothing is under way, so that a complete report can't be the end of anything.
    var isEmpty: Bool { chains.isEmpty }

    /// Takes the next report of extended advertising, in the order of reception.
    ///
    /// - Parameter drop: is called for each advertisement that is dropped or not whole.
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
            // In the order in which they began.
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

    /// Also those from a time that hasn't come yet: the clock was set back.
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
