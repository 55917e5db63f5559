/// What an RS9116's boot loader and a host say to each other before there is firmware.
///
/// Source: "Host Interaction Mode" of Silicon Labs' RS9116W boot loader, and the traffic of the vendor's tools.
package enum RS9116BootLoader {
    /// The byte by which it measures the speed of the line. The manufacturer's tools send it.
    package static let handshake: UInt8 = 0x7C
    /// The handshake byte of older boot loaders.
    static let olderHandshake: UInt8 = 0x1C
    /// It answers the handshake with this byte, and shows its menu when it is sent back.
    static let greeting = UInt8(ascii: "U")
    /// The key that loads the default firmware. Keys are single bytes: a line end is an invalid option.
    static let loadDefaultKey = UInt8(ascii: "1")

    /// The end of the menu.
    static let menuEnd = "JTAG Selection"
    /// The first line of the menu, for revisions that word its end differently.
    static let menuStart = "Load Default"
    /// A part of what the menu says to a key that it doesn't know.
    package static let unknownKey = "Correct Option"
    package static let loading = "Loading"
    /// Said when it is back at its menu.
    package static let invitation = "Enter Next Command"
    /// The firmware runs; its first four bytes of input decide whether it speaks AT.
    package static let loaded = "Loading Done"
    /// Said before the menu when its stored options are damaged.
    package static let warnings = ["LAST CONFIGURATION NOT SAVED", "BOOTUP OPTIONS CHECKSUM FAILED"]
}
