import Backups
import BeaconModel
import Crypto
import Glibc
import OperatorText
import SystemIO

/// The file of a backup: a copy of the store, followed by its manifest.
final class BackupFile {
    let path: String
    let manifest: BackupManifest
    private let descriptor: CInt

    /// Number of bytes that are read at once.
    private static let chunk = 1 << 20

    /// Opens a file and reads its manifest.
    ///
    /// - Throws: `StoreError`.
    init(_ path: String) throws(StoreError) {
        // Opening a named pipe would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw StoreError(
                "cannot open the backup \(path): \(SystemError.text(errno))", remedy: "check the name of the file")
        }
        do throws(StoreError) {
            manifest = try Self.readManifest(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func readManifest(_ descriptor: CInt, _ path: String) throws(StoreError) -> BackupManifest {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > BackupTrailer.footerLength
        else { throw .backup(.noBackup, path) }
        let length = Int(status.st_size)
        let footer = try read(
            descriptor, from: length - BackupTrailer.footerLength, count: BackupTrailer.footerLength, path)
        do throws(BackupFault) {
            let manifestLength = try BackupTrailer.manifestLength(footer, fileLength: length)
            let json: [UInt8]
            do throws(StoreError) {
                json = try read(
                    descriptor, from: length - BackupTrailer.footerLength - manifestLength, count: manifestLength, path)
            } catch {
                throw BackupFault.damagedManifest
            }
            return try BackupTrailer.decode(json, footer: footer, fileLength: length)
        } catch {
            throw .backup(error, path)
        }
    }

    private static func read(
        _ descriptor: CInt, from start: Int, count: Int, _ path: String
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let length = bytes.withUnsafeMutableBytes { raw in
                pread(descriptor, raw.baseAddress.map { $0 + done }, count - done, off_t(start + done))
            }
            if length < 0, errno == EINTR { continue }
            guard length > 0 else {
                throw StoreError("cannot read \(path): \(length < 0 ? SystemError.text(errno) : "it became shorter")")
            }
            done += length
        }
        return bytes
    }

    /// Passes the copy in parts to `body`.
    func parts(_ body: ([UInt8]) throws -> Void) throws {
        var done = 0
        while done < manifest.bytes {
            let part = try Self.read(descriptor, from: done, count: min(Self.chunk, manifest.bytes - done), path)
            try body(part)
            done += part.count
        }
    }

    /// Compares the copy with its checksum.
    ///
    /// - Throws: `StoreError`.
    func checkSum(_ report: (BackupProgress) -> Void) throws {
        var hash = SHA256()
        var done = 0
        try parts { part in
            hash.update(data: part)
            done += part.count
            report(.checksum(done, of: manifest.bytes))
        }
        guard HexadecimalText.of(hash.finalize()) == manifest.sha256 else {
            throw StoreError.backup(.wrongChecksum, path)
        }
    }

    /// Compares the version of the tables with those that this program knows.
    ///
    /// - Throws: `StoreError`.
    func checkVersion() throws(StoreError) {
        guard manifest.schemaVersion > StoreSchema.version else { return }
        throw .backup(
            .newer(
                schemaVersion: manifest.schemaVersion, known: StoreSchema.version,
                program: manifest.program.shown(upTo: 40)), path)
    }

    /// Returns the checksum of a file that has no manifest yet.
    static func checksum(
        of descriptor: CInt, length: Int, _ path: String, _ report: (BackupProgress) -> Void
    ) throws -> String {
        var hash = SHA256()
        var done = 0
        while done < length {
            let part = try read(descriptor, from: done, count: min(chunk, length - done), path)
            hash.update(data: part)
            done += part.count
            report(.checksum(done, of: length))
        }
        return HexadecimalText.of(hash.finalize())
    }
}

extension StoreError {
    static func backup(_ fault: BackupFault, _ path: String) -> StoreError {
        let exitStatus: ExitStatus =
            switch fault {
            case .newer: .configuration
            case .otherKind, .otherSchema: .usage
            default: .data
            }
        return StoreError(
            "\(path) \(fault.text)", meaning: "nothing was changed", remedy: fault.remedy, exitStatus: exitStatus)
    }
}
