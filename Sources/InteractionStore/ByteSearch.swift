import CLinux

/// A search for bytes in a file that is read in parts. Matches inside certain longer byte strings are ignored.
struct ByteSearch {
    private let needle: [UInt8]
    /// Longer byte strings that can contain the bytes, with the offset of the bytes in each.
    private let longer: [(bytes: [UInt8], offset: Int)]
    /// Number of bytes to keep before and after the bytes: the length of the longest of these strings.
    private let margin: Int
    private var buffer: [UInt8] = []
    /// Position in the buffer from which the bytes have not been searched for yet.
    private var start = 0
    private(set) var isFound = false

    init(for needle: [UInt8], notIn longer: [[UInt8]]) {
        self.needle = needle
        self.longer = longer.filter { $0.count > needle.count }.flatMap { bytes in
            (0...bytes.count - needle.count).filter { bytes[$0...].starts(with: needle) }.map { (bytes, $0) }
        }
        margin = self.longer.map(\.bytes.count).max() ?? 0
    }

    mutating func take(_ part: some Collection<UInt8>) {
        buffer += part
        search(to: buffer.count - margin)
        let done = min(start, buffer.count) - margin
        if done > 0 {
            buffer.removeFirst(done)
            start -= done
        }
    }

    /// Searches the rest: there is no more input.
    mutating func finish() { search(to: buffer.count) }

    /// Searches the buffer up to a limit.
    ///
    /// - Parameter limit: matches that end beyond the limit wait for the bytes that follow.
    private mutating func search(to limit: Int) {
        guard !isFound, !needle.isEmpty else { return }
        while start + needle.count <= limit {
            let position = buffer.withUnsafeBytes { bytes -> Int? in
                guard let base = bytes.baseAddress,
                    let match = memmem(base + start, limit - start, needle, needle.count)
                else { return nil }
                return base.distance(to: UnsafeRawPointer(match))
            }
            guard let position else {
                start = limit - needle.count + 1
                return
            }
            if !isPartOfLonger(position) {
                isFound = true
                return
            }
            start = position + 1
        }
    }

    private func isPartOfLonger(_ position: Int) -> Bool {
        longer.contains { bytes, offset in
            let first = position - offset
            return first >= 0 && first + bytes.count <= buffer.count
                && buffer[first..<first + bytes.count].elementsEqual(bytes)
        }
    }
}
