public import BeaconModel

/// A selector for the module that an inventory entry applies to.
public enum ModuleSelector: Hashable, Sendable, CustomStringConvertible {
    /// The module with this Bluetooth address, wherever it is plugged in.
    case address(BluetoothAddress)
    /// The module whose USB interface has this serial number.
    case usbSerial(String)
    /// Any module on this serial port.
    case port(String)
    /// Any module that no other entry names.
    case anyNew

    /// The accepted forms of a selector, as text for a message.
    public static let form =
        "a Bluetooth address (88:DA:1A:E8:06:6F), a USB serial number (usb:A50285BI), "
        + "a serial port (/dev/serial/by-id/...) or any"

    /// Parses the form written by `description`; `any` and `usb:` in any case. `nil` for anything else.
    public init?(_ text: String) {
        let lowercased = text.lowercased()
        if lowercased == "any" {
            self = .anyNew
        } else if lowercased.hasPrefix("usb:") {
            let serial = String(text.dropFirst(4))
            // Printable ASCII, as the kernel shows a USB string.
            guard !serial.isEmpty, serial.utf8.count <= Self.longestSerial,
                serial.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") })
            else { return nil }
            self = .usbSerial(serial)
        } else if text.hasPrefix("/") {
            guard text.utf8.count > 1, text.utf8.count <= Self.longestPath,
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { return nil }
            self = .port(text)
        } else if let address = BluetoothAddress(text) {
            self = .address(address)
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .address(let address): address.description
        case .usbSerial(let serial): "usb:" + serial
        case .port(let path): path
        case .anyNew: "any"
        }
    }

    /// Maximum number of characters in a USB string descriptor (Universal Serial Bus Specification 2.0, 9.6.7).
    private static let longestSerial = 126
    /// Linux's PATH_MAX without the terminating zero.
    private static let longestPath = 4095
}
