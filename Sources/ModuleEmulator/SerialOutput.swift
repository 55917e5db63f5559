/// The line from the module to the host, with its simulated faults.
package struct SerialOutput: Sendable {
    private let isMute: Bool
    private let oneBytePerChunk: Bool
    private let corruptedBytePeriod: Int
    private let droppedBytePeriod: Int
    private var sentBytes = 0

    init(isMute: Bool, oneBytePerChunk: Bool, corruptedBytePeriod: Int, droppedBytePeriod: Int) {
        self.isMute = isMute
        self.oneBytePerChunk = oneBytePerChunk
        self.corruptedBytePeriod = corruptedBytePeriod
        self.droppedBytePeriod = droppedBytePeriod
    }

    /// Returns the chunks of `bytes` that arrive.
    ///
    /// - Parameter further: an additional period of lost bytes: every Nth byte is lost; 0 for none.
    package mutating func chunks(of bytes: some Sequence<UInt8>, droppedBytePeriod further: Int = 0) -> [[UInt8]] {
        guard !isMute else { return [] }
        var arriving: [UInt8] = []
        for byte in bytes {
            sentBytes &+= 1
            if falls(on: droppedBytePeriod) || falls(on: further) { continue }
            arriving.append(falls(on: corruptedBytePeriod) ? byte ^ 0x5A : byte)
        }
        guard !arriving.isEmpty else { return [] }
        return oneBytePerChunk ? arriving.map { [$0] } : [arriving]
    }

    private func falls(on period: Int) -> Bool { period > 0 && sentBytes % period == 0 }
}
