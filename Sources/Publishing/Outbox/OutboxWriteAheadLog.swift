/// The write-ahead log of an SQLite database, in which transactions wait, as specified by
/// https://sqlite.org/fileformat2.html#walformat.
///
/// SQLite treats the first frame with a wrong checksum as the end, and silently discards all following frames although
/// they were committed. Here each frame is checked against the previous one, so that one bad frame costs one frame.
///
/// The last transaction is an exception. A disk may write its end before its middle, and a power failure then leaves
/// exactly that. That transaction had not been reported as stored, and half of it would damage the database. Earlier
/// transactions are known to be complete, because each is on disk before the next begins.
package struct OutboxWriteAheadLog {
    /// Damaged bytes: those of the header, and of frames that were on disk; 0 for a log that SQLite reads correctly.
    package private(set) var damagedBytes = 0
    /// The log with only the intact frames; empty if there are none, `nil` if nothing is damaged.
    package private(set) var repaired: [UInt8]?
    /// Bytes of an incomplete last transaction, which SQLite omits.
    package private(set) var unfinishedBytes = 0

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    /// Magic number of logs whose checksums read words as little-endian; with the lowest bit set, as big-endian.
    private static let magic: UInt32 = 0x377f_0682
    private static let formatVersion: UInt32 = 3_007_000

    /// Examines a log.
    ///
    /// - Parameters:
    ///   - log: the whole file.
    ///   - pageSize: the page size of the database, for a log with a damaged header.
    package init(_ log: [UInt8], pageSize: Int) {
        guard !log.isEmpty else { return }
        guard log.count >= Self.headerSize else {
            unfinishedBytes = log.count
            return
        }
        log.withUnsafeBytes { examine(Words(bytes: $0), pageSize) }
    }

    private mutating func examine(_ log: Words, _ pageSize: Int) {
        let isBigEndian = log[0] == Self.magic | 1
        let computed = log.checksum(0..<24, seed: Checksum(), isBigEndian: isBigEndian)
        let stored = log.checksum(at: 24)
        let isHeaderIntact = log[0] & ~1 == Self.magic && computed == stored
        // An intact header with another page size does not belong to this outbox, and is not judged.
        if isHeaderIntact, log[8] != UInt32(pageSize) { return }
        let frameSize = Self.frameHeaderSize + pageSize
        let frames = (log.bytes.count - Self.headerSize) / frameSize
        var seeds = isHeaderIntact ? [stored] : [stored, computed]
        var salts = (log[16], log[20])
        if !isHeaderIntact {
            damagedBytes = Self.headerSize
            repaired = []
            // Frames belong to this log if their checksums follow from the header's checksum.
            guard frames > 0 else { return }
            salts = (log[Self.headerSize + 8], log[Self.headerSize + 12])
        }
        func start(_ frame: Int) -> Int { Self.headerSize + frame * frameSize }
        func isOfThisLog(_ frame: Int) -> Bool {
            log[start(frame) + 8] == salts.0 && log[start(frame) + 12] == salts.1
        }
        // The frames after the last frame of this log remain from earlier logs.
        var end = frames
        while end > 0, !isOfThisLog(end - 1) { end -= 1 }
        var isIntact = [Bool](repeating: false, count: end)
        // Frames that are intact except for their headers.
        var misnamed: Set<Int> = []
        for frame in 0..<end {
            let stored = log.checksum(at: start(frame) + 16)
            let computed = seeds.map {
                log.checksum(
                    start(frame)..<start(frame) + 8, seed: $0,
                    then: start(frame) + Self.frameHeaderSize..<start(frame + 1), isBigEndian: isBigEndian)
            }
            // Zeros would count as intact after zeros.
            if let matching = computed.firstIndex(of: stored), log[start(frame)] != 0 {
                // The frame follows from the computed checksum of the previous one, so only the stored checksum of that
                // was damaged.
                if matching == 1, frame > 0, !isIntact[frame - 1] {
                    isIntact[frame - 1] = true
                    misnamed.insert(frame - 1)
                }
                isIntact[frame] = true
                if !isOfThisLog(frame) { misnamed.insert(frame) }
                seeds = [stored]
            } else {
                seeds = [stored] + computed.prefix(1)
            }
        }
        let kept = transactions(isIntact) { log[start($0) + 4] != 0 }
        let bad = (0..<kept).count { !isIntact[$0] || misnamed.contains($0) }
        damagedBytes += bad * frameSize
        // A rest shorter than a frame's salts cannot be distinguished from the remains of an earlier log.
        let rest = log.bytes.count - start(end)
        let isCut = end == frames && rest >= 16 && log[start(end) + 8] == salts.0 && log[start(end) + 12] == salts.1
        if isCut || (kept..<end).contains(where: { !isIntact[$0] }) {
            unfinishedBytes = (end - kept) * frameSize + (isCut ? rest : 0)
        }
        guard damagedBytes > 0 else { return }
        repaired = rebuilt(
            log, (0..<kept).filter { isIntact[$0] }.map { start($0)..<start($0 + 1) }, salts, pageSize)
    }

    /// Returns the number of frames that belong to transactions that were on disk: up to the end of the last
    /// transaction that is intact from its first frame to its last.
    private func transactions(_ isIntact: [Bool], _ isLast: (Int) -> Bool) -> Int {
        let ends = isIntact.indices.filter { isIntact[$0] && isLast($0) }
        for (number, end) in ends.enumerated().reversed() {
            let start = number == 0 ? 0 : ends[number - 1] + 1
            if isIntact[start...end].allSatisfy(\.self) { return end + 1 }
        }
        return 0
    }

    private func rebuilt(
        _ log: Words, _ frames: [Range<Int>], _ salts: (UInt32, UInt32), _ pageSize: Int
    ) -> [UInt8] {
        guard !frames.isEmpty else { return [] }
        var result: [UInt8] = []
        result.reserveCapacity(Self.headerSize + frames.count * (Self.frameHeaderSize + pageSize))
        func add(_ words: UInt32...) {
            for word in words { withUnsafeBytes(of: word.bigEndian) { result.append(contentsOf: $0) } }
        }
        func sum(_ range: Range<Int>, _ seed: Checksum) -> Checksum {
            result.withUnsafeBytes { Words(bytes: $0).checksum(range, seed: seed, isBigEndian: false) }
        }
        add(Self.magic, Self.formatVersion, UInt32(pageSize), log[12], salts.0, salts.1)
        var checksum = sum(0..<24, Checksum())
        add(checksum.first, checksum.second)
        for frame in frames {
            let start = result.count
            result.append(contentsOf: log.bytes[frame.lowerBound..<frame.lowerBound + 8])
            checksum = log.checksum(
                frame.lowerBound..<frame.lowerBound + 8, seed: checksum,
                then: frame.lowerBound + Self.frameHeaderSize..<frame.upperBound, isBigEndian: false)
            add(salts.0, salts.1, checksum.first, checksum.second)
            result.append(contentsOf: log.bytes[frame.lowerBound + Self.frameHeaderSize..<frame.upperBound])
            assert(result.count == start + Self.frameHeaderSize + pageSize)
        }
        return result
    }

    private struct Checksum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0
    }

    /// The file as words of 4 bytes; offsets are in bytes within the file.
    private struct Words {
        let bytes: UnsafeRawBufferPointer

        /// A word as a big-endian number, in which form numbers are stored.
        subscript(offset: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }

        func checksum(at offset: Int) -> Checksum { Checksum(first: self[offset], second: self[offset + 4]) }

        /// Returns the checksum over two ranges of whole pairs of words.
        func checksum(
            _ range: Range<Int>, seed: Checksum, then second: Range<Int> = 0..<0, isBigEndian: Bool
        ) -> Checksum {
            var sum = seed
            for range in [range, second] {
                for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                    let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let other = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                    sum.first &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ sum.second
                    sum.second &+= (isBigEndian ? other.bigEndian : other.littleEndian) &+ sum.first
                }
            }
            return sum
        }
    }
}
