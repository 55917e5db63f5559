import CLinux

/// A search for bytes in a file that is read in parts. Matches inside certain longer byte strings are ignored.
struct ByteSearch {
    private let needle: [UInt8]
    /// Longer byte strings that contain the bytes.
    private let longer: LongerNames
    /// Number of bytes to keep before and after the bytes: the length of the longest of these strings.
    private let margin: Int
    private var buffer: [UInt8] = []
    /// Position in the buffer from which the bytes have not been searched for yet.
    private var start = 0
    private(set) var isFound = false

    init(for needle: [UInt8], notIn longer: [[UInt8]]) {
        self.needle = needle
        self.longer = LongerNames(Set(longer), around: needle)
        margin = self.longer.longest
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
            if !longer.contain(buffer, at: position) {
                isFound = true
                return
            }
            start = position + 1
        }
    }
}

/// Byte strings that contain others. However many they are, a look-up takes the same time.
struct LongerNames: Sendable {
    private let names: Set<[UInt8]>
    private let shapes: Set<Shape>
    /// Length of the longest one.
    let longest: Int

    private struct Shape: Hashable, Sendable {
        /// Offset of the contained bytes.
        var offset: Int
        /// Length of the whole.
        var count: Int
    }

    /// Keeps those strings that are longer than `part` and contain it.
    init(_ names: Set<[UInt8]>, around part: [UInt8]) {
        var kept: Set<[UInt8]> = []
        var shapes: Set<Shape> = []
        for name in names where name.count > part.count {
            let offsets = NamesInText.positions(of: part, in: name)
            shapes.formUnion(offsets.map { Shape(offset: $0, count: name.count) })
            if !offsets.isEmpty { kept.insert(name) }
        }
        self.names = kept
        self.shapes = shapes
        longest = kept.map(\.count).max() ?? 0
    }

    /// Whether the bytes at a position are a part of one of the strings.
    func contain(_ bytes: [UInt8], at position: Int) -> Bool {
        shapes.contains { shape in
            let first = position - shape.offset
            return first >= 0 && first + shape.count <= bytes.count
                && names.contains(Array(bytes[first..<first + shape.count]))
        }
    }
}
