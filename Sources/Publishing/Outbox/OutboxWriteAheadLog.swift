/// The file beside an SQLite database in which transactions wait, as https://sqlite.org/fileformat2.html#walformat says.
///
/// SQLite takes the first frame whose checksum is wrong for the end, and silently forgets all that follow, though they
/// were committed. Here each frame is held against the one before, so that one bad frame costs one frame.
///
/// Not so in the last transaction: a disk may write the end of it before its middle, and power that fails then leaves
/// exactly that. Nobody had been told that it is stored, and half of it would damage the database. Of those before it
/// that is known, because each is on the disk before the next begins.
package struct OutboxWriteAheadLog {
    /// Bytes of what is damaged: of the header, and of frames that were on the disk; 0 for a log that SQLite reads well.
    package private(set) var damagedBytes = 0
    /// The same log with the intact frames alone; empty if there are none, `nil` if nothing is damaged.
    package private(set) var repaired: [UInt8]?
    /// Bytes of a last transaction that isn't whole, which SQLite leaves out.
    package private(set) var unfinishedBytes = 0

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    /// Of logs whose checksums take words as little-endian; with the lowest bit set, as big-endian.
    private static let magic: UInt32 = 0x377f_0682
    private static let formatVersion: UInt32 = 3_007_000

    /// - Parameters:
    ///   - log: the whole file.
    ///   - pageSize: of the database, for a log whose header doesn't tell.
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
        // An intact one of another page size isn't ours to judge.
        if isHeaderIntact, log[8] != UInt32(pageSize) { return }
        let frameSize = Self.frameHeaderSize + pageSize
        let frames = (log.bytes.count - Self.headerSize) / frameSize
        var seeds = isHeaderIntact ? [stored] : [stored, computed]
        var salts = (log[16], log[20])
        if !isHeaderIntact {
            damagedBytes = Self.headerSize
            repaired = []
            // The frames are of this log if their checksums follow from its header's.
            guard frames > 0 else { return }
            salts = (log[Self.headerSize + 8], log[Self.headerSize + 12])
        }
        func start(_ frame: Int) -> Int { Self.headerSize + frame * frameSize }
        func isOfThisLog(_ frame: Int) -> Bool {
            log[start(frame) + 8] == salts.0 && log[start(frame) + 12] == salts.1
        }
        // What follows the last frame of this log is left from earlier ones.
        var end = frames
        while end > 0, !isOfThisLog(end - 1) { end -= 1 }
        var isIntact = [Bool](repeating: false, count: end)
        // Intact but for what their headers say.
        var misnamed: Set<Int> = []
        for frame in 0..<end {
            let stored = log.checksum(at: start(frame) + 16)
            let computed = seeds.map {
                log.checksum(
                    start(frame)..<start(frame) + 8, seed: $0,
                    then: start(frame) + Self.frameHeaderSize..<start(frame + 1), isBigEndian: isBigEndian)
            }
            // Zeros would be intact after zeros.
            if let matching = computed.firstIndex(of: stored), log[start(frame)] != 0 {
                // It follows from what the frame before it should have said: only its checksum was damaged.
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
        // What is shorter than a frame's salts can't be told from what is left of an earlier log.
        let rest = log.bytes.count - start(end)
        let isCut = end == frames && rest >= 16 && log[start(end) + 8] == salts.0 && log[start(end) + 12] == salts.1
        if isCut || (kept..<end).contains(where: { !isIntact[$0] }) {
            unfinishedBytes = (end - kept) * frameSize + (isCut ? rest : 0)
        }
        guard damagedBytes > 0 else { return }
        repaired = rebuilt(
            log, (0..<kept).filter { isIntact[$0] }.map { start($0)..<start($0 + 1) }, salts, pageSize)
    }

    /// How many frames belong to transactions that were on the disk: up to the last one that is intact from its first
    /// frame to its last.
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

    /// The file as words of 4 bytes; offsets are within it.
    private struct Words {
        let bytes: UnsafeRawBufferPointer

        /// As numbers are stored: big-endian.
        subscript(offset: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }

        func checksum(at offset: Int) -> Checksum { Checksum(first: self[offset], second: self[offset + 4]) }

        /// Over two ranges of whole pairs of words.
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
