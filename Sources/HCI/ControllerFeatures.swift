/// Version, manufacturer and capabilities as reported by a controller.
public struct ControllerFeatures: Equatable, Sendable {
    /// Host controller interface version, as numbered in Bluetooth Assigned Numbers ("Core Version").
    public var version: UInt8
    /// Company identifier of the manufacturer (Bluetooth Assigned Numbers).
    public var manufacturer: UInt16
    /// Whether the controller supports LE Set Scan Parameters and LE Set Scan Enable.
    public var scans: Bool
    /// Whether the controller supports the extended scanning commands. Without them it receives only legacy
    /// advertisements.
    public var scansExtended: Bool
    /// Whether the controller receives long-range (Coded PHY) advertisements; `nil` when this process is not permitted
    /// to ask.
    public var hearsCodedPHY: Bool?

    /// Creates a value from its parts.
    public init(version: UInt8, manufacturer: UInt16, scans: Bool, scansExtended: Bool, hearsCodedPHY: Bool?) {
        self.version = version
        self.manufacturer = manufacturer
        self.scans = scans
        self.scansExtended = scansExtended
        self.hearsCodedPHY = hearsCodedPHY
    }

    /// Parses the return parameters of Read Local Version Information, Read Local Supported Commands and LE Read Local
    /// Supported Features, each preceded by its status (Bluetooth Core Specification 5.4, Vol 4, Part E, 7.4.1, 7.4.2
    /// and 7.8.3; the bits: 6.27, and Vol 6, Part B, 4.6).
    ///
    /// - Returns: `nil` when one of the first two was refused or is too short.
    package init?(version: [UInt8], commands: [UInt8], features: [UInt8]?) {
        guard version.count >= 9, version[0] == 0, commands.count >= 65, commands[0] == 0 else { return nil }
        self.version = version[1]
        manufacturer = UInt16(version[5]) | UInt16(version[6]) << 8
        scans = commands[1 + 26] & 0x0C == 0x0C
        scansExtended = commands[1 + 37] & 0x60 == 0x60
        if let features, features.count >= 9, features[0] == 0 { hearsCodedPHY = features[1 + 1] & 0x08 != 0 }
    }

    /// Bluetooth version for display, for example "Bluetooth 5.0".
    public var versionName: String {
        let names: [UInt8: String] = [
            6: "4.0", 7: "4.1", 8: "4.2", 9: "5.0", 10: "5.1", 11: "5.2", 12: "5.3", 13: "5.4", 14: "6.0",
        ]
        return names[version].map { "Bluetooth \($0)" } ?? "HCI version \(version)"
    }

    /// Manufacturer for display: common ones by name, others by number.
    public var manufacturerName: String {
        let names: [UInt16: String] = [
            0x0002: "Intel", 0x000A: "CSR", 0x000D: "Texas Instruments", 0x000F: "Broadcom", 0x001D: "Qualcomm",
            0x0025: "NXP", 0x0046: "MediaTek", 0x0048: "Marvell", 0x0059: "Nordic", 0x005D: "Realtek",
            0x0131: "Cypress",
        ]
        return names[manufacturer] ?? "maker \(manufacturer)"
    }
}

extension HCICommand {
    package static let readLocalVersionInformation = HCICommand(
        name: "Read Local Version Information", group: 0x04, number: 0x0001, parameters: [])
    package static let leReadLocalSupportedFeatures = HCICommand(
        name: "LE Read Local Supported Features", group: 0x08, number: 0x0003, parameters: [])
}
