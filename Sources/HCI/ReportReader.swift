public import BeaconModel

/// Reads batches of packets as advertisements, each whole: parts of extended advertising data are put together, also
/// across batches.
public struct ReportReader: Sendable {
    private var assembler = ExtendedDataAssembler()

    public init() {}

    /// Hands every advertisement to `body`, in the order in which they became whole, with its data.
    ///
    /// What the controller cut off is handed over as far as it came, with the status `truncated`; no report has the
    /// status `moreToCome`. A report that came in parts has the time, strength and type of its last part.
    ///
    /// - Returns: how often the format was broken, or an advertisement was not whole, by reason.
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
