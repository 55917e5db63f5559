import BeaconModel
import ModuleEmulator
import TestValues
import Testing

@testable import ModuleDialogues

@Suite struct RPSImageTests {
    private static let file = RPSFile(body: Array(0..<16))

    private func error(_ bytes: [UInt8]) -> RPSImageError? {
        do throws(RPSImageError) {
            _ = try RPSImage(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("The CRC has the manufacturer's check values, by the table and bit by bit")
    func checkValues() {
        #expect(RPSChecksum.checksum(Array("123456789".utf8)) == 0x11DA_B6F8)
        #expect(RPSFile.checksum(Array("123456789".utf8)) == 0x11DA_B6F8)
        // The reference's file has no extended version.
        let reference = RPSFile(body: Array(0..<16), extendedVersion: 0)
        #expect(Array(reference.bytes[0x14..<0x18]) == [0x66, 0x26, 0x1B, 0xE4])
        #expect(error(reference.bytes) == .unknownFamily(found: 0))
    }

    @Test("The CRC by the table is the one bit by bit, of random bytes")
    func random() {
        var generator = SeededGenerator("RPSImageTests.random")
        for _ in 0..<100 {
            let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            #expect(RPSChecksum.checksum(bytes) == RPSFile.checksum(bytes), generator.comment)
        }
    }

    @Test("The header's fields are read")
    func fields() throws {
        let image = try RPSImage(Self.file.bytes)
        #expect(image.flags == 0x8000)
        #expect(image.size == 16)
        #expect(image.version == "2.12.0.3")
        #expect(image.flashLocation == 0x0001_1000)
        #expect(
            image.checksum
                == RPSFile.checksum(Array(Self.file.bytes[..<0x14]) + [0, 0, 0, 0] + Self.file.bytes[0x18...]))
        #expect(image.family == .rs9116w)
        #expect(!image.isSigned)
        #expect(image.bytes == Self.file.bytes)
    }

    @Test("An image of silicon 1.5 with a signature is told from one of 1.3 and 1.4 without")
    func other() throws {
        let image = try RPSImage(
            RPSFile(body: [1], flags: 0, extendedVersion: 0x1611_0000, integrityCode: 7).bytes)
        #expect(image.family == .rs916w)
        #expect(image.family.silicon == "1.5")
        #expect(image.isSigned)
    }

    @Test("A module's family is how its firmware version begins")
    func family() {
        #expect(SiliconFamily(firmwareVersion: "1610.2.5.2.0.4") == .rs9116w)
        #expect(SiliconFamily(firmwareVersion: "1611.2.12.0.3") == .rs916w)
        for other in ["", "161", "1612.2.12.0.3", " 1610", "16.10"] {
            #expect(SiliconFamily(firmwareVersion: other) == nil)
        }
    }

    @Test("An image for the other family is refused, with the one that fits")
    func require() throws {
        let image = try RPSImage(Self.file.bytes)
        try image.require(family: .rs9116w)
        var found: RPSImageError?
        do throws(RPSImageError) { try image.require(family: .rs916w) } catch { found = error }
        #expect(found == .otherFamily(image: .rs9116w, module: .rs916w))
        #expect(found?.what == "the image is for RS9116W (silicon 1.3/1.4); the module is an RS916W (silicon 1.5)")
        #expect(found?.remedy == "use the RS916W.*.rps of the same firmware package")
    }

    @Test("A file that is cut off anywhere is refused")
    func cut() {
        let bytes = Self.file.bytes
        for count in 0...64 { #expect(error(Array(bytes.prefix(count))) == .tooShort(count: count)) }
        for count in 65..<80 {
            #expect(error(Array(bytes.prefix(count))) == .wrongSize(found: 16, expected: count - 64))
        }
        #expect(error(bytes + [0]) == .wrongSize(found: 16, expected: 17))
    }

    @Test("A changed bit anywhere is noticed")
    func changed() {
        for index in Self.file.bytes.indices {
            for bit in 0..<8 {
                var bytes = Self.file.bytes
                bytes[index] ^= 1 << bit
                #expect(error(bytes) != nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("Each error has the byte, what was found and what was expected")
    func errors() {
        var magic = Self.file
        magic.bytes[0x04] = 0x0E
        #expect(
            error(magic.bytes)?.what
                == "the image has 0x900D900E at byte 0x04; expected 0x900D900D, the mark of every image")
        var trailing = Self.file
        trailing.bytes[0x3F] = 0
        #expect(error(trailing.bytes) == .wrongMagic(offset: 0x3C, found: 0x000D_900D))
        var body = Self.file
        body.bytes[79] = 0xFF
        let computed = RPSFile(body: Array(0..<15) + [0xFF]).bytes[0x14..<0x18].reversed().reduce(0) {
            $0 << 8 | UInt32($1)
        }
        let stated = Self.file.bytes[0x14..<0x18].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        #expect(error(body.bytes) == .wrongChecksum(found: stated, expected: computed))
        #expect(
            error(RPSFile(body: [1], extendedVersion: 0x1612_0000).bytes)?.what
                == "the image has the chip family 0x1612 at byte 0x2E; expected 0x1610 or 0x1611")
        let long = [UInt8](repeating: 0, count: RPSImage.longest + 1)
        #expect(error(long) == .tooLong(count: RPSImage.longest + 1))
        #expect(error(long)?.exitStatus == .data)
        #expect(error([])?.what == "the image has 0 bytes; expected more than the 64 of its header")
    }

    @Test("Random bytes, and random changes of an image, never trap")
    func hostile() {
        var generator = SeededGenerator("RPSImageTests.hostile")
        for _ in 0..<2000 {
            var file = Self.file
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                file.bytes[Int.random(in: file.bytes.indices, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { file.seal() }
            _ = error(Array(file.bytes.prefix(Int.random(in: 0...90, using: &generator))))
        }
    }
}
