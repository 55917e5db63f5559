import BeaconModel
import Glibc
import SystemIO
import TestValues

@testable import ParserChecks

/// The inputs that are checked in under `Fuzz/Corpus`, which reach what fuzzing has reached.
struct Corpus {
    let inputs: [[UInt8]]

    /// - Parameter name: of a `ParserCheck`.
    init(_ name: String) throws {
        let directory = "Fuzz/Corpus/\(name)"
        guard let stream = opendir(Repository.root + "/" + directory) else {
            throw SystemError("open \(directory)", errorNumber: errno)
        }
        defer { closedir(stream) }
        var inputs: [String: [UInt8]] = [:]
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            inputs[name] = try Repository.read("\(directory)/\(name)")
        }
        // In one order on every machine, so that a seed means the same.
        self.inputs = inputs.sorted { $0.key < $1.key }.map(\.value)
    }

    /// An input that is like one of these.
    ///
    /// - Parameter longest: bytes.
    func variation(longest: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        var input = inputs.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: 0...input.count, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: input.insert(.random(in: 0...255, using: &generator), at: index)
            case 1: input.removeSubrange(index...)
            case 2: input.replaceSubrange(index..., with: inputs.randomElement(using: &generator) ?? [])
            case 3: input += input[index...]
            case 4 where index < input.count: input.remove(at: index)
            case 5 where index < input.count: input[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 6 where index < input.count:
                input[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            case 7 where index < input.count: input[index] &+= .random(in: 0...2, using: &generator) &- 1
            default: input.append(.random(in: 0...255, using: &generator))
            }
        }
        return Array(input.prefix(longest))
    }
}
