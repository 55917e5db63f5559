/// A counter of the packets that were read while acknowledgements wait to be written.
///
/// libmosquitto queues an acknowledgement for nearly every packet that it reads, without a bound. A broker that sends
/// and never reads would fill the memory with them.
package struct ReadAhead: Sendable {
    /// Maximum number of packets, which is several batches. Further packets wait in the kernel and then at the broker,
    /// so none is lost.
    package static let most = 8192

    private var reads = 0
    private var answers: UInt64 = 0

    package init() {
    }

    /// Counts packets that were read; a partial packet counts as one.
    package mutating func read(packets: Int) { reads += max(1, packets) }

    /// Resets the count when nothing waits to be written.
    ///
    /// - Parameter answers: the number of answers from the broker so far.
    package mutating func wroteAll(answers: UInt64) {
        reads = 0
        self.answers = answers
    }

    /// Whether to stop reading until the waiting data has been written.
    ///
    /// - Parameter answers: the number of answers from the broker so far, which need no acknowledgement.
    package func isFar(answers: UInt64) -> Bool { reads - Int(clamping: answers &- self.answers) >= Self.most }
}
