import Logging
import MatcherCore

extension LiveWarning {
    /// Logs the warning, with its remedy if there is one.
    ///
    /// - Parameter secrets: source of the names that the log has for subjects.
    func log(to logger: Logger, _ secrets: SubjectSecrets) {
        switch self {
        case .noPosition(let receiver):
            logger.warning(
                "signals ignored, the receiver has no position",
                metadata: ["receiver": "\(receiver)", "remedy": "give it place.position in its configuration"])
        case .noPlan(let receiver):
            logger.warning(
                "signals ignored, the floor has no plan",
                metadata: ["receiver": "\(receiver)", "remedy": "add the floor to localisation.plan"])
        case .clock(let receiver):
            logger.warning(
                "clock of a receiver is wrong, its signals count when they arrive",
                metadata: ["receiver": "\(receiver)", "remedy": "synchronize its clock by NTP"])
        case .restless(let receiver):
            logger.warning(
                "receiver states other positions again and again, left out of live positions",
                metadata: ["receiver": "\(receiver)", "remedy": "check its place.position, and who else uses its name"])
        case .conflicting(let subject):
            logger.warning(
                "subject heard at two far places at once, its place is not shown",
                metadata: [
                    "subject": "\(secrets.shownInLog(subject))",
                    "remedy": "a badge was copied, or a gateway lies: look at the gateways that hear it",
                ])
        case .flood(let gateway):
            logger.warning("gateway sends too many signals, excess dropped", metadata: ["gateway": "\(gateway)"])
        case .tooManyReceivers(let gateway):
            logger.warning("gateway names too many receivers, excess ignored", metadata: ["gateway": "\(gateway)"])
        case .full: logger.warning("too many subjects to follow, those not heard for longest are dropped")
        }
    }
}
