public import BeaconModel

/// Reads complete advertisements from batches of packets. Parts of extended advertising data are reassembled, also
/// across batches.
public struct ReportReader: Sendable {
    private var assembler = ExtendedDataAssembler()

    /// Creates a reader without incomplete advertisements.
    public init() {}

    /// Passes every advertisement to `body` with its data, in the order in which the advertisements became complete.
    ///
    /// Data that the controller cut off is passed on as far as it was received, with the status `truncated`. No report
    /// has the status `moreToCome`. A report that arrived in parts has the time, strength and type of its last part.
    ///
    /// - Returns: the number of malformed or incomplete advertisements, by reason.
    public mutating func forEachAdvertisement(
        in batch: HCIPacketBatch, _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) -> [AdvertisingEvent.Defect: Int] {
        var drops: [AdvertisingEvent.Defect: Int] = [:]
        let defects = batch.forEachReport { report, data in
            if report.dataStatus == .complete, assembler.isEmpty || !report.isExtended { return body(report, data) }
            switch assembler.take(report, data, drop: { drops[$0, default: 0] += 1 }) {
            case .itself: body(report, data)
            case .whole(let whole): body(report, whole.span)
            case .nothing: break
            }
        }
        if !assembler.isEmpty, let time = batch.lastTime {
            assembler.abandonOld(at: time) { drops[$0, default: 0] += 1 }
        }
        return drops.isEmpty ? defects : defects.merging(drops, uniquingKeysWith: +)
    }
}
