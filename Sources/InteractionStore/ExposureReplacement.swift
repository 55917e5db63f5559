import Evidence
import Matching

/// Change of the stored exposures of a report to those that were found now.
struct ExposureReplacement {
    /// The key of an exposure of a report.
    struct Key: Hashable, Comparable {
        var subject: SubjectIdentity
        var place: Int64
        var start: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.subject, left.place, left.start) < (right.subject, right.place, right.start)
        }
    }

    /// The other columns of an exposure.
    struct Contents: Equatable {
        var end: Int64
        var milliminutes: Int64
        var clock: Int64
        var way: String
    }

    /// New and changed exposures.
    private(set) var written: [Key: Contents] = [:]
    /// Stored exposures that were not found now.
    private(set) var deleted: [Key: Contents]

    init(of stored: [Key: Contents], by found: [ExposureSummary]) {
        deleted = stored
        for exposure in found {
            let key = Key(subject: exposure.subject, place: exposure.place, start: exposure.start)
            let contents = Contents(exposure)
            if deleted.removeValue(forKey: key) != contents { written[key] = contents }
        }
    }

    /// The subjects whose exposures change.
    var subjects: Set<SubjectIdentity> { Set(written.keys.map(\.subject)).union(deleted.keys.map(\.subject)) }

    /// Keeps the exposures at places of gateways that were not searched: of each gateway, for no more people than it
    /// could expose at once.
    ///
    /// - Parameter gateways: the gateways by the numbers of their places.
    mutating func keep(at gateways: [Int64: String]) {
        let unseen = Dictionary(grouping: deleted.keys.filter { gateways[$0.place] != nil }) {
            gateways[$0.place] ?? ""
        }
        for keys in unseen.values {
            let subjects = Set(Set(keys.map(\.subject)).sorted().prefix(ExposureBound.mostByOne))
            for key in keys where subjects.contains(key.subject) { deleted[key] = nil }
        }
    }

    /// Keeps the exposures for which a condition holds.
    mutating func keep(where isKept: (Key, Contents) throws -> Bool) rethrows {
        deleted = try deleted.filter { try !isKept($0.key, $0.value) }
    }
}

extension ExposureReplacement.Contents {
    fileprivate init(_ exposure: ExposureSummary) {
        self.init(
            end: exposure.end, milliminutes: Int64((min(exposure.minutes, 1e9) * 1000).rounded()),
            clock: exposure.clockIsDoubtful ? 0 : 1, way: exposure.way.rawValue)
    }
}

extension SQLSession {
    /// Returns the stored exposures of a report.
    func exposures(of report: Int64) throws -> [ExposureReplacement.Key: ExposureReplacement.Contents] {
        var exposures: [ExposureReplacement.Key: ExposureReplacement.Contents] = [:]
        try query(
            "SELECT kind, name, place, started, ended, milliminutes, clock, way FROM exposure WHERE report = $1",
            [.integer(report)]
        ) { row in
            guard let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
            let key = ExposureReplacement.Key(subject: subject, place: row.integer(2), start: row.integer(3))
            exposures[key] = .init(
                end: row.integer(4), milliminutes: row.integer(5), clock: row.integer(6), way: row.text(7) ?? "")
        }
        return exposures
    }

    /// Writes the change of a report's exposures, in the same order everywhere, so that two processes do not deadlock.
    func write(_ replacement: ExposureReplacement, of report: Int64) throws {
        for key in replacement.deleted.keys.sorted() {
            try execute(
                "DELETE FROM exposure WHERE report = $1 AND kind = $2 AND name = $3 AND place = $4 AND started = $5",
                [
                    .integer(report), .text(key.subject.kind), .text(key.subject.id), .integer(key.place),
                    .integer(key.start),
                ])
        }
        let rows = replacement.written.sorted { $0.key < $1.key }.map { key, contents -> [SQLValue] in
            [
                .integer(report), .text(key.subject.kind), .text(key.subject.id), .integer(key.place),
                .integer(key.start), .integer(contents.end), .integer(contents.milliminutes),
                .integer(contents.clock), .text(contents.way),
            ]
        }
        try insert(StoreSchema.exposureInsertion, rows: rows) { _ in }
    }
}
