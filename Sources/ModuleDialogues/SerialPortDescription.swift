/// A serial port as the system knows it.
public struct SerialPortDescription: Hashable, Sendable {
    /// The kernel's name, for example `/dev/ttyUSB0`; another one after the next plugging in.
    public var device: String
    /// All its names, the stable ones (`/dev/serial/by-id/...`) first.
    public var names: [String]
    public var usb: USBIdentity?

    public init(device: String, names: [String], usb: USBIdentity?) {
        self.device = device
        self.names = names
        self.usb = usb
    }

    /// The name to show and to open: a stable one where there is one.
    public var name: String { names.first ?? device }

    /// Whether the port is the module's own USB interface, which goes away with every reset.
    var goesWithReset: Bool { usb?.id == "1618:9116" }

    public func isCalled(_ name: String) -> Bool { name == device || names.contains(name) }
}

/// What a USB device says of itself.
public struct USBIdentity: Hashable, Sendable {
    public var vendor: UInt16
    public var product: UInt16
    public var serial: String?
    /// Manufacturer and product, for people.
    public var text: String?

    public init(vendor: UInt16, product: UInt16, serial: String?, text: String?) {
        self.vendor = vendor
        self.product = product
        self.serial = serial
        self.text = text
    }

    /// Four hexadecimal digits each: `0403:6001`.
    public var id: String { Self.hexadecimal(vendor) + ":" + Self.hexadecimal(product) }

    /// The USB interfaces that modules are known to have: the RS9116's own, FTDI's, Silicon Labs', and those of HM-10
    /// boards. A port with another one is only touched when an inventory names it: it may be anything.
    public static let ofModules: Set<String> = [
        "1618:9116", "0403:6001", "0403:6015", "10c4:ea60", "1a86:7523", "067b:2303",
    ]

    private static func hexadecimal(_ value: UInt16) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
