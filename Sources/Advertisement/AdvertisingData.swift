public import BeaconModel

/// Advertising data: a sequence of AD structures, each a length, a type and that many bytes
/// (Bluetooth Core Specification 5.4, Vol 3, Part C, 11).
public enum AdvertisingData {
    /// What one advertisement turned out to be.
    public struct Decoded: Equatable, Sendable {
        /// Who it is; `nil` when there is no known identity in the data.
        public var identity: AdvertisedIdentity?
        /// The first thing that is wrong with the data. Everything else was read all the same.
        public var defect: Defect?
        /// Whose manufacturer data are in an advertisement without a known identity.
        public var company: Company?

        public init(identity: AdvertisedIdentity? = nil, defect: Defect? = nil, company: Company? = nil) {
            self.identity = identity
            self.defect = defect
            self.company = company
        }
    }

    /// Who made a device of no known kind, as far as it is counted apart
    /// (Bluetooth SIG, "Assigned Numbers", section 7.1).
    public enum Company: String, Sendable, CaseIterable {
        case apple, microsoft, other

        init(_ identifier: UInt16) {
            switch identifier {
            case CompanyID.apple: self = .apple
            case CompanyID.microsoft: self = .microsoft
            default: self = .other
            }
        }
    }

    /// Reads the data of one advertisement, whatever it holds; allocates nothing.
    ///
    /// Flags may be absent or have any value, and the structures may come in any order. Of several identities the one
    /// that says most is taken, see `Rank`; of several of one kind the first.
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

    /// After a structure of length 0, which ends the data early, all bytes are zero
    /// (Bluetooth Core Specification 5.4, Vol 3, Part C, 11).
    private static func isZero(_ data: Span<UInt8>) -> Bool {
        for index in data.indices where data[index] != 0 { return false }
        return true
    }
}
