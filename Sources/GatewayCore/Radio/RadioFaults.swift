import HCI
package import Watching

/// What can end the faults of the adapters, by what they were and what was tried. Pure.
package struct RadioFaults: Sendable {
    /// How often each adapter had given up when it last scanned.
    private var gaveUpBefore: [String: UInt64] = [:]

    package init() {}

    /// Takes the present reports of all adapters.
    package mutating func take(_ reports: [RadioReport]) -> [GatewayObservation.Radio] {
        reports.map { report in
            let gaveUp = report.state?.steps[.giveUp] ?? 0
            if report.state?.condition != .deaf { gaveUpBefore[report.name] = gaveUp }
            let state: GatewayObservation.Radio.State =
                switch report.state?.condition {
                case .starting?, nil: .starting
                case .hearing?: .hearing
                case .quiet?: .quiet
                case .deaf?:
                    .deaf(
                        fault(
                            report, hasGivenUp: gaveUp > gaveUpBefore[report.name, default: 0]))
                }
            return GatewayObservation.Radio(name: report.name, state: state)
        }
    }

    private func fault(_ report: RadioReport, hasGivenUp: Bool) -> GatewayObservation.Fault {
        let error = report.state?.error
        return GatewayObservation.Fault(
            what: error?.what ?? "\(report.name) receives nothing", remedy: error?.remedy,
            cure: Self.cure(of: report.state?.reason, hasGivenUp: hasGivenUp))
    }

    private static func cure(of reason: RadioState.Reason?, hasGivenUp: Bool) -> GatewayObservation.Cure {
        switch reason {
        case .removed, .noSuchAdapter, .down, .blocked, .notPermitted, .busy, .noService: .outside
        case .notAnswering, .hardwareError, .scanStopped, .silent, .failed, nil: hasGivenUp ? .restart : .steps
        }
    }
}
