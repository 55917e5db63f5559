/// State of a measurement: still measuring, sufficient or failed.
package enum CalibrationVerdict: Equatable, Sendable {
    case measuring([Missing])
    case enough
    case failed(CalibrationFailure)

    /// Requirement that a measurement does not meet yet.
    package enum Missing: Equatable, Sendable {
        case time(Duration)
        case packets(Int)
        /// Number of further seconds with a packet.
        case seconds(Int)
        /// Lower standard error. The value is the current one, in dB.
        case certainty(Double)
        case steadiness(Steadiness)
    }
}

/// Reasons why a measurement gives no result.
package enum CalibrationFailure: Equatable, Sendable {
    case neverHeard
    case tooFewPackets(Int)
    /// Capture that ended too early, with the time measured.
    case tooShort(Duration)
    /// Mean RSSI below the limit, in dBm.
    case tooWeak(Double)
    case unsteady(Steadiness)
    /// Standard error above the limit, in dB.
    case tooUncertain(Double)
}

extension CalibrationMeasurement {
    /// Judges the measurement.
    ///
    /// - Parameter isOver: whether no more packets will come.
    package func verdict(isOver: Bool = false) -> CalibrationVerdict {
        let isLate = isOver || elapsed >= rules.longest
        guard let summary else {
            if isLate || elapsed >= rules.silence { return .failed(.neverHeard) }
            return .measuring([.time(rules.shortest - elapsed), .packets(rules.fewestPackets)])
        }
        let missing = missing(summary)
        let isHeardWell = summary.packets >= rules.fewestPackets && elapsed >= rules.shortest
        if summary.mean < rules.weakest, isHeardWell || isLate { return .failed(.tooWeak(summary.mean)) }
        if missing.isEmpty { return .enough }
        return isLate ? .failed(failure(missing, summary)) : .measuring(missing)
    }

    private func missing(_ summary: Summary) -> [CalibrationVerdict.Missing] {
        var missing: [CalibrationVerdict.Missing] = []
        if elapsed < rules.shortest { missing.append(.time(rules.shortest - elapsed)) }
        if summary.packets < rules.fewestPackets { missing.append(.packets(rules.fewestPackets - summary.packets)) }
        if summary.seconds < rules.fewestSeconds { missing.append(.seconds(rules.fewestSeconds - summary.seconds)) }
        // With fewer seconds, steadiness and certainty would be guesses.
        guard summary.seconds >= rules.fewestSeconds else { return missing }
        let steadiness = Steadiness(secondMeans: secondMeans)
        if steadiness != .steady { missing.append(.steadiness(steadiness)) }
        if let error = summary.standardError, error > rules.largestError { missing.append(.certainty(error)) }
        return missing
    }

    /// Returns the failure that explains the others.
    private func failure(_ missing: [CalibrationVerdict.Missing], _ summary: Summary) -> CalibrationFailure {
        for case .steadiness(let steadiness) in missing { return .unsteady(steadiness) }
        for case .certainty(let error) in missing where missing.count == 1 { return .tooUncertain(error) }
        return summary.packets >= rules.fewestPackets && elapsed < rules.shortest
            ? .tooShort(elapsed) : .tooFewPackets(summary.packets)
    }
}
