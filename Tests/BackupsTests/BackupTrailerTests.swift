import TestValues
import Testing

@testable import Backups

@Suite("The end of a backup's file") struct BackupTrailerTests {
    private static func manifest(bytes: Int = 100) -> BackupManifest {
        BackupManifest(
            kind: .sqlite, schemaVersion: 16, program: "0.2.0", made: "2026-11-02T08:00:00.000Z", bytes: bytes,
            sha256: String(repeating: "a", count: 64), schema: nil, tables: ["interaction": 7, "report": 0])
    }

    /// Reads a file as the program does.
    private static func read(_ file: [UInt8]) throws(BackupFault) -> BackupManifest {
        let footer = Array(file.suffix(BackupTrailer.footerLength))
        let length = try BackupTrailer.manifestLength(footer, fileLength: file.count)
        let json = Array(file.dropLast(BackupTrailer.footerLength).suffix(length))
        return try BackupTrailer.decode(json, footer: footer, fileLength: file.count)
    }

    private static let copy = [UInt8](repeating: 0x2A, count: 100)

    @Test func `A manifest is read as it was written`() throws {
        #expect(try Self.read(Self.copy + BackupTrailer.encode(Self.manifest())) == Self.manifest())
        var other = Self.manifest()
        other.kind = .postgreSQL
        other.schema = "public"
        #expect(try Self.read(Self.copy + BackupTrailer.encode(other)) == other)
    }

    @Test func `A file that was cut off anywhere, or is another one, is no backup`() {
        let file = Self.copy + BackupTrailer.encode(Self.manifest())
        for length in 0..<file.count {
            #expect(throws: BackupFault.noBackup) { try Self.read(Array(file.prefix(length))) }
        }
        #expect(throws: BackupFault.noBackup) { try Self.read(Array("SQLite format 3\0".utf8) + Self.copy) }
        #expect(throws: BackupFault.noBackup) { try Self.read(file + [0]) }
    }

    @Test func `A changed byte of the manifest is found, and bytes before it that are missing`() {
        let end = BackupTrailer.encode(Self.manifest())
        for index in end.indices {
            var changed = end
            changed[index] ^= 1
            #expect(throws: BackupFault.self, "byte \(index)") { try Self.read(Self.copy + changed) }
        }
        #expect(throws: BackupFault.wrongLength(found: 99, expected: 100)) { try Self.read(Self.copy.dropLast() + end) }
    }

    @Test func `Names that are no tables of a store are refused`() {
        for name in ["", "a b", "Report", "x\"; DROP TABLE report; --", String(repeating: "a", count: 64)] {
            var manifest = Self.manifest()
            manifest.tables[name] = 1
            #expect(throws: BackupFault.damagedManifest, "\(name)") {
                try Self.read(Self.copy + BackupTrailer.encode(manifest))
            }
        }
        var negative = Self.manifest()
        negative.tables["report"] = -1
        #expect(throws: BackupFault.damagedManifest) { try Self.read(Self.copy + BackupTrailer.encode(negative)) }
    }

    @Test func `Any bytes are a manifest or a fault`() {
        var random = SeededGenerator("ends of backups")
        let file = Self.copy + BackupTrailer.encode(Self.manifest())
        for _ in 0..<2000 {
            var changed = file
            for _ in 0...Int.random(in: 0...3, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? Self.read(changed)
        }
    }

    @Test func `Tables that have other numbers of rows are named`() {
        let manifest = Self.manifest()
        #expect(manifest.difference(from: ["interaction": 7, "report": 0]) == [])
        #expect(manifest.difference(from: ["interaction": 8, "other": 0]) == ["interaction", "other", "report"])
        #expect(manifest.rows == 7)
    }
}
