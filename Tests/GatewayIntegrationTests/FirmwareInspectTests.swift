import RecordContract
import TestSupport
import TestValues
import Testing

/// `firmware inspect` as a person runs it.
@Suite(.timeLimit(.minutes(10))) struct FirmwareInspectTests {
    @Test("firmware inspect says what an image is")
    func firmware() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("image.rps", RPSFile(body: Array(0..<16)).bytes)
        let (status, output, _) = try await GatewayProgram.run(["firmware", "inspect", path])
        #expect(status == 0)
        let expected = [
            "file       \(path)", "family     RS9116W, silicon 1.3/1.4, firmware 1610...", "version    2.12.0.3",
            "size       16 bytes after a header of 64", "location   0x00011000", "flags      0x8000",
        ]
        #expect(Array(output.prefix(6)) == expected)
        #expect(output.last == "signature  none")
    }

    @Test("firmware inspect --json says the same as one object")
    func firmwareDocument() async throws {
        struct Document: Decodable, Equatable {
            var file, family, silicon, version, firmware: String
            var size: Int
            var location, flags: String
            var isSigned: Bool
        }
        let directory = try TemporaryDirectory()
        let path = try directory.write("image.rps", RPSFile(body: Array(0..<16)).bytes)
        let (status, output, _) = try await GatewayProgram.run(["firmware", "inspect", path, "--json"])
        #expect(status == 0)
        #expect(output.count == 1, "\(output)")
        let document = try JSON.decode(Document.self, from: Array((output.first ?? "").utf8))
        #expect(
            document
                == Document(
                    file: path, family: "RS9116W", silicon: "1.3/1.4", version: "2.12.0.3",
                    firmware: "1610.2.12.0.0.3", size: 16, location: "0x00011000", flags: "0x8000", isSigned: false))
    }

    @Test("firmware inspect of a damaged image ends with status 65 and what to do")
    func damagedFirmware() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("image.rps", Array(RPSFile(body: Array(0..<16)).bytes.dropLast()))
        let (status, _, errors) = try await GatewayProgram.run(["firmware", "inspect", path])
        #expect(status == 65)
        let what = "error: the image's header has the length 16 at byte 0x08; the file has 15 bytes after the header"
        #expect(errors.first == what)
        #expect(errors.contains { $0.hasPrefix("  what to do: ") }, "\(errors)")
    }
}
