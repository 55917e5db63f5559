import TestValues
import Testing

@testable import ModuleDialogues

@Suite struct KermitObserverTests {
    private static func packet(_ sequence: UInt8, _ type: String, _ data: String = "") -> [UInt8] {
        let body = [UInt8(data.utf8.count + 35), sequence + 32] + Array((type + data).utf8)
        let sum = body.reduce(0) { $0 + Int($1) }
        return [1] + body + [UInt8((sum + (sum & 0xC0) / 64) & 0x3F) + 32, 13]
    }

    @Test("Bytes of the file are counted, prefixes and repeated packets are not")
    func counting() {
        var observer = KermitObserver()
        observer.send(Self.packet(0, "S", "~% @-#N1 ") + Self.packet(1, "F", "firmware.rps"))
        #expect(observer.fileBytes == 0)
        observer.send(Self.packet(2, "D", "ab#A##c"))
        #expect(observer.fileBytes == 5)
        observer.send(Self.packet(2, "D", "ab#A##c"))
        #expect(observer.fileBytes == 5)
        #expect(observer.repetitions == 1)
        for byte in Self.packet(3, "D", "x") { observer.send([byte]) }
        #expect(observer.fileBytes == 6)
    }

    @Test("The module's error packet is told")
    func complaint() {
        var observer = KermitObserver()
        observer.hear(Self.packet(0, "Y") + Array("noise".utf8) + Self.packet(1, "E", "too long"))
        #expect(observer.complaint == "too long")
    }

    /// Whatever packet was begun before is over after it.
    private static let filler = [UInt8](repeating: 13, count: 96)

    @Test("A request to repeat and the end of a transfer have the number of the packet that was sent last")
    func packets() {
        var observer = KermitObserver()
        #expect(observer.repeatRequest == nil)
        #expect(observer.abortion == Self.filler + Self.packet(0, "E", "interrupted"))
        observer.send(Self.packet(7, "D", "x"))
        #expect(observer.repeatRequest == Self.filler + Self.packet(7, "N"))
        #expect(observer.abortion == Self.filler + Self.packet(7, "E", "interrupted"))
    }

    @Test("Any bytes are legal")
    func noise() {
        var generator = SeededGenerator("kermit observer")
        var observer = KermitObserver()
        for _ in 0..<20_000 {
            let byte: UInt8 = Bool.random(using: &generator) ? 1 : .random(in: 0...255, using: &generator)
            observer.send([byte])
            observer.hear([byte])
        }
        #expect(observer.fileBytes >= 0, generator.comment)
    }
}
