import BeaconModel
import Matching
import OperatorText

extension ReportReading {
    /// Returns the names and entries that follow from keys of Exposure Notification.
    ///
    /// - Parameters:
    ///   - window: the time in which contacts matter; an interval outside of it is left out.
    ///   - isListed: whether the list of positives gets the entries.
    func keyDerivations(
        _ keys: [ReportRequest.Key], _ window: (since: Int64, until: Int64), isListed: Bool
    ) throws(APIError) -> [PositiveReport.Derivation] {
        var derivations: [PositiveReport.Derivation] = []
        var seen: Set<[UInt8]> = []
        for (index, given) in keys.enumerated() {
            let place = "keys[\(index)]"
            let (bytes, intervals) = try checked(given, place)
            // The same key twice would conflict with itself.
            guard seen.insert(bytes).inserted else { continue }
            let key = ExposureKey(bytes: bytes)
            var derivation = PositiveReport.Derivation(place: place, subjects: [], entries: [], isListed: isListed)
            for interval in intervals {
                let begin = interval * ExposureKey.interval
                // The phone no longer transmits the identifiers of later intervals, because the key is no longer a
                // secret.
                guard begin <= now else { break }
                let since = begin - ExposureKey.tolerance
                let until = begin + ExposureKey.interval + ExposureKey.tolerance - 1
                guard PositiveList.concerns(until, now: now), since <= window.until, until >= window.since,
                    let number = UInt32(exactly: interval)
                else { continue }
                let code = RotatingCode.exposureNotification(key.identifier(ofInterval: number))
                derivation.subjects += subjects(saying: code, since: since, until: until, window)
                derivation.entries.append(
                    .init(
                        scheme: PositiveScheme.id.rawValue,
                        value: PositiveScheme.digest(kind: code.kind, id: code.text)))
            }
            derivations.append(derivation)
        }
        return derivations
    }

    private func checked(
        _ key: ReportRequest.Key, _ place: String
    ) throws(APIError) -> (bytes: [UInt8], intervals: Range<Int64>) {
        guard key.scheme == RotatingCode.exposureNotificationKind else {
            throw .invalid("\(place).scheme", "found \(key.scheme.excerpt)", "must be \"exposure-notification\"")
        }
        // Apps use either alphabet of base64.
        let text = key.key.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        guard let bytes = Base64URL.decode(text), bytes.count == 16 else {
            // The key is a secret until the report counts, so the error does not quote it.
            throw .invalid("\(place).key", "is not 16 bytes in base64", "must be a temporary exposure key")
        }
        guard (1...ExposureKey.longestPeriod).contains(key.rollingPeriod) else {
            throw .invalid(
                "\(place).rollingPeriod", "found \(key.rollingPeriod)", "must be 1 to \(ExposureKey.longestPeriod)")
        }
        guard key.rollingStart >= 0, key.rollingStart <= (now + Self.tolerance) / ExposureKey.interval else {
            throw .invalid(
                "\(place).rollingStart", "found \(key.rollingStart)",
                "must be in the past, counted in units of 10 minutes since 1970")
        }
        return (bytes, key.rollingStart..<key.rollingStart + key.rollingPeriod)
    }
}
