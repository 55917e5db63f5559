/// How much was read while what answers it waits to be written.
///
/// libmosquitto queues an acknowledgement for nearly all that it reads, without a bound: a broker that sends and never reads
/// would fill the memory with them.
package struct ReadAhead: Sendable {
    /// Several batches. What is behind them waits in the kernel, and then at the broker, which loses nothing.
    package static let most = 8192

    private var reads = 0
    private var answers: UInt64 = 0

    package init() {
    }

    /// Packets were read, or a part of one.
    package mutating func read(packets: Int) { reads += max(1, packets) }

    /// Nothing waits to be written.
    ///
    /// - Parameter answers: what the broker has answered so far.
    package mutating func wroteAll(answers: UInt64) {
        reads = 0
        self.answers = answers
    }

    /// Whether more is read only when this has been written.
    ///
    /// - Parameter answers: what the broker has answered so far, which nobody acknowledges.
    package func isFar(answers: UInt64) -> Bool { reads - Int(clamping: answers &- self.answers) >= Self.most }
}
