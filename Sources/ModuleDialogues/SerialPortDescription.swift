/// A serial port and its names in the system.
public struct SerialPortDescription: Hashable, Sendable {
    /// The kernel's name, for example `/dev/ttyUSB0`. It can change when the device is plugged in again.
    public var device: String
    /// All names of the port, the stable ones (`/dev/serial/by-id/...`) first.
    public var names: [String]
    /// The USB device of the port, if it has one.
    public var usb: USBIdentity?

    /// Creates a description from its parts.
    public init(device: String, names: [String], usb: USBIdentity?) {
        self.device = device
        self.names = names
        self.usb = usb
    }

    /// The name to show and to open: a stable one, if there is one.
    public var name: String { names.first ?? device }

    /// Whether the port is the module's own USB interface, which disappears with every reset.
    var goesWithReset: Bool { usb?.id == "1618:9116" }

    /// Returns whether this is the port's device or one of its other names.
    public func isCalled(_ name: String) -> Bool { name == device || names.contains(name) }
}

/// A USB device's description of itself.
public struct USBIdentity: Hashable, Sendable {
    /// Vendor identifier.
    public var vendor: UInt16
    /// Product identifier.
    public var product: UInt16
    /// Serial number.
    public var serial: String?
    /// Manufacturer and product, for display.
    public var text: String?

    /// Creates an identity from its parts.
    public init(vendor: UInt16, product: UInt16, serial: String?, text: String?) {
        self.vendor = vendor
        self.product = product
        self.serial = serial
        self.text = text
    }

    /// Vendor and product in four hexadecimal digits each: `0403:6001`.
    public var id: String { Self.hexadecimal(vendor) + ":" + Self.hexadecimal(product) }

    /// USB interfaces that modules are known to have: the RS9116's own, FTDI's, Silicon Labs' and those of HM-10
    /// boards. A port with any other interface may belong to any device, so it is opened only when an inventory names
    /// it.
    public static let ofModules: Set<String> = [
        "1618:9116", "0403:6001", "0403:6015", "10c4:ea60", "1a86:7523", "067b:2303",
    ]

    private static func hexadecimal(_ value: UInt16) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
