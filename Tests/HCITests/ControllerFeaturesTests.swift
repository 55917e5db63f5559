import Testing

@testable import HCI

/// Against the Core Specification 5.4, Vol 4, Part E, 6.27, 7.4.1, 7.4.2 and 7.8.3.
@Suite("ControllerFeatures") struct ControllerFeaturesTests {
    /// HCI 5.0, LMP 5.0, Broadcom.
    private static let version: [UInt8] = [0x00, 0x09, 0x47, 0x01, 0x09, 0x0F, 0x00, 0x19, 0x61]

    private static func commands(_ octets: [Int: UInt8]) -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: 65)
        for (octet, bits) in octets { answer[1 + octet] = bits }
        return answer
    }

    private static func features(_ octets: [Int: UInt8], le: [UInt8]? = nil) -> ControllerFeatures? {
        ControllerFeatures(version: version, commands: commands(octets), features: le)
    }

    @Test("Version and manufacturer are read and named")
    func version() throws {
        let features = try #require(Self.features([26: 0x0C]))
        #expect(features.version == 9)
        #expect(features.versionName == "Bluetooth 5.0")
        #expect(features.manufacturer == 15)
        #expect(features.manufacturerName == "Broadcom")
    }

    @Test("A number that has no name is shown")
    func unknown() {
        let features = ControllerFeatures(
            version: 77, manufacturer: 1521, scans: true, scansExtended: false, hearsCodedPHY: nil)
        #expect(features.versionName == "HCI version 77")
        #expect(features.manufacturerName == "maker 1521")
    }

    @Test(
        "Scanning needs both of its commands",
        arguments: [(UInt8(0x0C), true), (0x04, false), (0x08, false), (0xF3, false)])
    func legacy(bits: UInt8, scans: Bool) {
        #expect(Self.features([26: bits])?.scans == scans)
    }

    @Test(
        "Extended scanning needs both of its commands",
        arguments: [(UInt8(0x60), true), (0x20, false), (0x40, false), (0x9F, false)])
    func extended(bits: UInt8, scans: Bool) {
        #expect(Self.features([37: bits])?.scansExtended == scans)
    }

    @Test("The coded PHY is bit 11 of the LE features, and unknown where they were not told")
    func coded() {
        #expect(Self.features([:], le: [0, 0xFF, 0x08, 0, 0, 0, 0, 0, 0])?.hearsCodedPHY == true)
        #expect(Self.features([:], le: [0, 0xFF, 0xF7, 0, 0, 0, 0, 0, 0])?.hearsCodedPHY == false)
        #expect(Self.features([:], le: nil)?.hearsCodedPHY == nil)
        #expect(Self.features([:], le: [0x01])?.hearsCodedPHY == nil)
        #expect(Self.features([:], le: [0, 0xFF])?.hearsCodedPHY == nil)
    }

    @Test("Answers that were refused or are cut off give nothing", arguments: 0..<9)
    func short(length: Int) {
        let version = Array(Self.version.prefix(length))
        #expect(ControllerFeatures(version: version, commands: Self.commands([:]), features: nil) == nil)
        #expect(ControllerFeatures(version: Self.version, commands: Array(version), features: nil) == nil)
        var refused = Self.version
        refused[0] = 0x0C
        #expect(ControllerFeatures(version: refused, commands: Self.commands([:]), features: nil) == nil)
    }

    @Test("The commands have their specified operation codes")
    func operationCodes() {
        #expect(HCICommand.readLocalVersionInformation.opCode == 0x1001)
        #expect(HCICommand.leReadLocalSupportedFeatures.opCode == 0x2003)
    }
}
