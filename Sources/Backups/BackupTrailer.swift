import Crypto
import RecordContract

/// The end of a backup's file: the manifest as JSON, its SHA-256, its length, and a mark. Before it is the copy, as it
/// came from SQLite or from `pg_dump`, whose programs ignore what follows.
package enum BackupTrailer {
    /// The last bytes of each backup; the digit is the version of this format.
    static let mark = Array("\nbeacon-backup-1\n".utf8)
    private static let hashLength = 32
    private static let lengthLength = 8
    /// Length of what follows the manifest.
    package static let footerLength = hashLength + lengthLength + mark.count
    /// Maximum length of a manifest.
    package static let longestManifest = 16 << 20

    /// Returns the end of a file.
    package static func encode(_ manifest: BackupManifest) -> [UInt8] {
        let json = JSON.encode(manifest)
        let length = (0..<lengthLength).reversed().map { UInt8(truncatingIfNeeded: json.count >> (8 * $0)) }
        return json + Array(SHA256.hash(data: json)) + length + mark
    }

    /// Reads the length of the manifest.
    ///
    /// - Parameters:
    ///   - footer: the last `footerLength` bytes of the file.
    ///   - fileLength: length of the file.
    /// - Throws: `BackupFault`.
    package static func manifestLength(_ footer: [UInt8], fileLength: Int) throws(BackupFault) -> Int {
        guard footer.count == footerLength, footer.suffix(mark.count).elementsEqual(mark) else { throw .noBackup }
        let bytes = footer.dropFirst(hashLength).prefix(lengthLength)
        let length = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length > 0, length <= UInt64(longestManifest), Int(length) < fileLength - footerLength else {
            throw .damagedManifest
        }
        return Int(length)
    }

    /// Reads the manifest.
    ///
    /// - Parameters:
    ///   - json: the bytes before the footer.
    ///   - footer: the last `footerLength` bytes of the file.
    ///   - fileLength: length of the file.
    /// - Throws: `BackupFault`.
    package static func decode(
        _ json: [UInt8], footer: [UInt8], fileLength: Int
    ) throws(BackupFault) -> BackupManifest {
        guard footer.count == footerLength, Array(SHA256.hash(data: json)) == Array(footer.prefix(hashLength)),
            let manifest = try? JSON.decode(BackupManifest.self, from: json), manifest.isPossible
        else { throw .damagedManifest }
        let copy = fileLength - footerLength - json.count
        guard manifest.bytes == copy else { throw .wrongLength(found: copy, expected: manifest.bytes) }
        return manifest
    }
}
