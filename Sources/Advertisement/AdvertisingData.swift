public import BeaconModel

/// A decoder for advertising data: a sequence of AD structures, each consisting of a length, a type and data (Bluetooth
/// Core Specification 5.4, Vol 3, Part C, 11).
public enum AdvertisingData {
    /// The decoded content of one advertisement.
    public struct Decoded: Equatable, Sendable {
        /// Identity of the sender; `nil` when the data contains no known identity.
        public var identity: AdvertisedIdentity?
        /// First defect in the data. Everything else has been read nevertheless.
        public var defect: Defect?
        /// Company in the manufacturer data of an advertisement without a known identity.
        public var company: Company?

        /// Creates a result from its parts.
        public init(identity: AdvertisedIdentity? = nil, defect: Defect? = nil, company: Company? = nil) {
            self.identity = identity
            self.defect = defect
            self.company = company
        }
    }

    /// The manufacturer of a device of unknown kind, as far as manufacturers are counted separately (Bluetooth SIG,
    /// "Assigned Numbers", section 7.1).
    public enum Company: String, Sendable, CaseIterable {
        /// The companies whose data is recognised, and all others.
        case apple, microsoft, other

        init(_ identifier: UInt16) {
            switch identifier {
            case CompanyID.apple: self = .apple
            case CompanyID.microsoft: self = .microsoft
            default: self = .other
            }
        }
    }

    /// Decodes the data of one advertisement, whatever it contains. Allocates nothing.
    ///
    /// Flags can be absent or have any value, and structures can be in any order. Of several identities the most
    /// specific one is used (see `Rank`); of several identities of the same kind, the first.
    public static func decode(_ data: Span<UInt8>) -> Decoded {
        var findings = Findings()
        var offset = 0
        while offset < data.count {
            let length = Int(data[offset])
            if length == 0 {
                if !isZero(data.extracting(offset...)) { findings.note(.dataAfterEnd) }
                break
            }
            guard length < data.count - offset else {
                findings.note(.truncatedStructure)
                break
            }
            Formats.read(
                data[offset + 1], data.extracting((offset + 2)..<(offset + 1 + length)), into: &findings)
            offset += 1 + length
        }
        return findings.decoded
    }

    /// Whether all bytes are zero, as required after a structure of length 0, which ends the data early (Bluetooth Core
    /// Specification 5.4, Vol 3, Part C, 11).
    private static func isZero(_ data: Span<UInt8>) -> Bool {
        for index in data.indices where data[index] != 0 { return false }
        return true
    }
}
