import BeaconModel
import GatewayCore
import Logging
import MQTTBridge
import SystemIO

/// Entries of the audit log about configurations that came from afar.
struct RolloutAudit {
    private let log: AuditLog
    private let logger: Logger

    init(stateDirectory: String, logger: Logger) {
        log = AuditLog(path: stateDirectory + "/audit.jsonl", actor: "gateway")
        self.logger = logger
    }

    func note(_ action: String, _ version: RolloutVersion, ok: Bool, _ result: String) {
        do throws(SystemError) {
            try log.add(
                AuditLog.Entry(
                    time: WallClock.now().rfc3339, who: log.actor, action: action,
                    reason: "revision \(version.revision), \(version.digest)", ok: ok, result: result))
        } catch {
            logger.error("audit log not written", metadata: .init(describing: error))
        }
    }
}
