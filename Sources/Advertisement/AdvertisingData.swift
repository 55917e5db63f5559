public import BeaconModel

/// Advertising data: a sequence of AD structures, each a length, a type and that many bytes
/// (Bluetooth Core Specification 5.4, Vol 3, Part C, 11).
public enum AdvertisingData {
    /// What one advertisement turned out to be.
    public struct Decoded: Equatable, Sendable {
        /// The first known identity in the data; `nil` when there is none.
        public var identity: AdvertisedIdentity?
        /// What is wrong with the data. Structures before the defect were read all the same.
        public var defect: Defect?

        public init(identity: AdvertisedIdentity? = nil, defect: Defect? = nil) {
            self.identity = identity
            self.defect = defect
        }
    }

    public enum Defect: String, Sendable, CaseIterable {
        /// A structure claims more bytes than are left.
        case truncatedStructure = "truncated-structure"
        /// Apple's iBeacon prefix in a structure too short for UUID, major, minor and measured power.
        case truncatedIBeacon = "truncated-ibeacon"
        /// Exposure Notification service data that isn't a 16-byte identifier and 4 bytes of metadata.
        case wrongExposureNotificationLength = "wrong-exposure-notification-length"
    }

    /// Reads the data of one advertisement, whatever it holds; allocates nothing.
    ///
    /// Flags may be absent or have any value, and the structures may come in any order. An iBeacon wins over an
    /// Exposure Notification in the same data.
    public static func decode(_ data: Span<UInt8>) -> Decoded {
        var decoded = Decoded()
        var offset = 0
        while offset < data.count {
            let length = Int(data[offset])
            // A zero length ends the significant part early.
            if length == 0 { break }
            guard length < data.count - offset else {
                decoded.defect = decoded.defect ?? .truncatedStructure
                break
            }
            let type = data[offset + 1]
            let value = data.extracting((offset + 2)..<(offset + 1 + length))
            if type == ADType.manufacturerSpecificData, IBeacon.isPrefix(of: value) {
                if let identity = IBeacon.decode(value) {
                    decoded.identity = identity
                    return decoded
                }
                decoded.defect = decoded.defect ?? .truncatedIBeacon
            } else if type == ADType.serviceData16Bit, ExposureNotification.isPrefix(of: value) {
                if let identity = ExposureNotification.decode(value) {
                    decoded.identity = decoded.identity ?? identity
                } else {
                    decoded.defect = decoded.defect ?? .wrongExposureNotificationLength
                }
            }
            offset += 1 + length
        }
        return decoded
    }
}

/// AD types (Bluetooth SIG, "Assigned Numbers", section 2.3).
enum ADType {
    static let flags: UInt8 = 0x01
    static let serviceData16Bit: UInt8 = 0x16
    static let manufacturerSpecificData: UInt8 = 0xFF
}

extension Span<UInt8> {
    /// A big-endian number at `offset`; the caller has checked that it is there.
    func bigEndian<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type, at offset: Int) -> Number {
        var number: Number = 0
        for index in offset..<(offset + Number.bitWidth / 8) { number = number << 8 | Number(self[index]) }
        return number
    }
}
