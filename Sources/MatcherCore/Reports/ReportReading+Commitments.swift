import BeaconModel
package import Matching
import OperatorText

extension ReportReading {
    /// Rotating codes as names and as entries of the list of positives.
    package struct Said {
        package var subjects: [PositiveReport.Subject] = []
        package var entries: [PositiveReport.Entry] = []
        /// Number of codes that wait for a health officer.
        package var pending = 0
        /// Number of codes that count, but whose entries in the list of positives wait.
        package var unpublished = 0

        static func += (left: inout Self, right: Self) {
            left.subjects += right.subjects
            left.entries += right.entries
            left.pending += right.pending
            left.unpublished += right.unpublished
        }
    }

    /// Returns the codes to which the phone committed itself. Other codes, and those that never change, wait for a
    /// health officer.
    ///
    /// A code counts from the time at which the commitment was registered. Phones compare the list with all that they
    /// heard, so the list has a code at once only if it was registered before the day began: nobody can have overheard
    /// it by then.
    ///
    /// - Parameter window: the time in which contacts matter; a code of another time is left out.
    func committedSubjects(
        _ commitments: [ReportRequest.Commitment], _ window: (since: Int64, until: Int64)
    ) throws(APIError) -> Said {
        var said = Said()
        for (index, commitment) in commitments.enumerated() {
            let place = "commitments[\(index)]"
            guard let day = try day(commitment.day, "\(place).day") else { continue }
            guard let salt = Base64URL.decode(commitment.salt), CodeCommitmentText.saltLengths.contains(salt.count)
            else {
                let lengths = CodeCommitmentText.saltLengths
                throw .invalid(
                    "\(place).salt", "is not \(lengths.lowerBound) to \(lengths.upperBound) bytes in base64url",
                    "must be the salt of the commitment")
            }
            let app = try RandomCode.app(commitment.app, "\(place).app")
            var codes: [TimedCode] = []
            for (number, code) in commitment.codes.enumerated() {
                let code = ReportRequest.Code(
                    app: commitment.app, code: code.code, since: code.since, until: code.until)
                codes.append(try TimedCode(code, "\(place).codes[\(number)]", self))
            }
            let text = CodeCommitmentText(
                app: commitment.app, day: day, salt: commitment.salt, codes: codes.map(\.code.value))
            // A code that its user keeps may have been overheard on any day before.
            let registered =
                app.changesCodes ? self.commitments[.init(day: day, hash: text.hash)] : nil
            for code in codes where code.isOf(day: day) {
                said += self.said(code, on: day, since: registered, window)
            }
        }
        return said
    }

    /// Returns the names and the entry of a code.
    ///
    /// - Parameter registered: time of the phone's commitment; `nil` if there is none.
    private func said(
        _ code: TimedCode, on day: Int64, since registered: Int64?, _ window: (since: Int64, until: Int64)
    ) -> Said {
        let since = max(code.since, day * Self.day)
        let until = code.until
        guard PositiveList.concerns(until, now: now), since <= window.until, until >= window.since else {
            return Said()
        }
        var said = Said(entries: [code.entry])
        let all = subjects(saying: code.code.rotating, on: day, since: since, until: until, window)
        guard let registered else {
            said.subjects = all.map(\.waiting)
            said.entries[0].isPending = true
            said.pending = 1
            return said
        }
        said.subjects = all.compactMap { subject in
            var subject = subject
            subject.since = max(subject.since, registered)
            return subject.since <= subject.until ? subject : nil
        }
        said.entries[0].isPending = registered > day * Self.day
        said.unpublished = said.entries[0].isPending ? 1 : 0
        return said
    }

    /// Returns the codes without a commitment: all wait for a health officer.
    ///
    /// - Parameter window: the time in which contacts matter; a code of another time is left out.
    func codeSubjects(
        _ codes: [ReportRequest.Code], _ window: (since: Int64, until: Int64)
    ) throws(APIError) -> Said {
        var said = Said()
        for (index, given) in codes.enumerated() {
            let code = try TimedCode(given, "codes[\(index)]", self)
            // Longer ago than phones compare, or outside the time that matters.
            guard PositiveList.concerns(code.until, now: now), code.since <= window.until, code.until >= window.since
            else { continue }
            said.subjects += subjects(saying: code.code.rotating, since: code.since, until: code.until, window)
                .map(\.waiting)
            var entry = code.entry
            entry.isPending = true
            said.entries.append(entry)
            said.pending += 1
        }
        return said
    }

    /// Returns the names under which a code is recorded for a time, day by day at each site.
    package func subjects(
        saying code: RotatingCode, since: Int64, until: Int64, _ window: (since: Int64, until: Int64)
    ) -> [PositiveReport.Subject] {
        (since / Self.day...until / Self.day).flatMap {
            subjects(saying: code, on: $0, since: since, until: until, window)
        }
    }

    /// Returns the names under which a code is recorded for a time, as they are of one day at each site.
    private func subjects(
        saying code: RotatingCode, on day: Int64, since: Int64, until: Int64, _ window: (since: Int64, until: Int64)
    ) -> [PositiveReport.Subject] {
        // An interaction keeps its name when the day ends.
        let own = (
            since: max(since, day * Self.day, window.since), until: min(until, (day + 2) * Self.day - 1, window.until)
        )
        guard now / Self.day - day <= daysBack, own.since <= own.until else { return [] }
        return identities(code, day: day).map { .init(identity: $0, since: own.since, until: own.until) }
    }
}

/// A random code with the time in which it was transmitted.
struct TimedCode: Sendable {
    var code: RandomCode
    var since: Int64
    var until: Int64

    /// Reads a code.
    ///
    /// - Throws: `APIError` if a value is impossible.
    init(_ code: ReportRequest.Code, _ place: String, _ reading: ReportReading) throws(APIError) {
        since = try reading.time(code.since, "\(place).since")
        until = try reading.time(code.until, "\(place).until")
        guard since <= until, until - since <= ReportReading.day * 2 else {
            throw .invalid(
                place, "has since after until, or more than two days apart",
                "must be the period in which one code was transmitted"
            )
        }
        self.code = try RandomCode(code, place)
    }

    func isOf(day: Int64) -> Bool { since / ReportReading.day <= day && day <= until / ReportReading.day }

    var entry: PositiveReport.Entry {
        .init(
            scheme: PositiveScheme.id.rawValue,
            value: PositiveScheme.digest(kind: code.rotating.kind, id: code.rotating.text))
    }
}

extension PositiveReport.Subject {
    fileprivate var waiting: Self {
        var subject = self
        subject.isPending = true
        return subject
    }
}
