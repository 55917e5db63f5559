import BeaconModel
import Crypto
import CryptoExtras

/// A temporary exposure key, from which all follows that a phone with Exposure Notification says for up to a day (Google and
/// Apple, "Exposure Notification Cryptography Specification" 1.2).
struct ExposureKey: Sendable {
    /// Seconds of an interval; each has an identifier of its own.
    static let interval: Int64 = 600
    /// Intervals of a day, for which a key is at most.
    static let longestPeriod: Int64 = 144
    /// By how many seconds clocks of phones may differ: what was heard then, and not in its interval, counts.
    static let tolerance: Int64 = 7200

    private let identifierKey: SymmetricKey

    /// - Parameter bytes: 16.
    init(bytes: [UInt8]) {
        identifierKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), info: Array("EN-RPIK".utf8), outputByteCount: 16)
    }

    /// What a phone says in an interval.
    ///
    /// - Parameter interval: its number since 1970.
    func identifier(ofInterval interval: UInt32) -> RollingProximityIdentifier {
        var block = Array("EN-RPI".utf8) + [UInt8](repeating: 0, count: 6)
        block += withUnsafeBytes(of: interval.littleEndian, Array.init)
        do {
            try AES.permute(&block, key: identifierKey)
        } catch {
            preconditionFailure("a block of AES-128 has 16 bytes, and so has its key: \(error)")
        }
        return RollingProximityIdentifier(bits: block.reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
    }
}
