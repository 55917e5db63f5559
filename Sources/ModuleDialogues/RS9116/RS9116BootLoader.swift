/// Bytes and messages exchanged with an RS9116's boot loader before firmware runs.
///
/// Source: "Host Interaction Mode" of Silicon Labs' RS9116W boot loader, and the traffic of the vendor's tools.
package enum RS9116BootLoader {
    /// The byte by which the boot loader measures the speed of the line. The manufacturer's tools send it.
    package static let handshake: UInt8 = 0x7C
    /// The handshake byte of older boot loaders.
    static let olderHandshake: UInt8 = 0x1C
    /// The boot loader's answer to the handshake. When the host returns it, the boot loader shows its menu.
    static let greeting = UInt8(ascii: "U")
    /// The key that loads the default firmware. Keys are single bytes: a line end is an invalid option.
    static let loadDefaultKey = UInt8(ascii: "1")

    /// The end of the menu.
    static let menuEnd = "JTAG Selection"
    /// The first line of the menu, for revisions that word its end differently.
    static let menuStart = "Load Default"
    /// Part of the menu's answer to an unknown key.
    package static let unknownKey = "Correct Option"
    package static let loading = "Loading"
    /// The message that the boot loader is back at its menu.
    package static let invitation = "Enter Next Command"
    /// The message that the firmware runs. Its first four bytes of input decide whether it accepts AT commands.
    package static let loaded = "Loading Done"
    /// Messages before the menu when the stored options are damaged.
    package static let warnings = ["LAST CONFIGURATION NOT SAVED", "BOOTUP OPTIONS CHECKSUM FAILED"]
}
