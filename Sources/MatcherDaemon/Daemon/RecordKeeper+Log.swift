import BeaconModel
import Evidence
import InteractionStore
import Logging
import MatcherCore
import RecordContract
import SystemIO

// What is logged about messages, so that no client fills the log.
extension RecordKeeper {
    /// Maximum number of kinds of defects, and of claims, that are logged for one gateway.
    private static let mostDefects = 30
    private static let mostGateways = 10_000
    private static let mostClaims = 1000

    /// Logs a defect of a message, at its 1st, 10th, 100th occurrence and so on: a client that sends garbage does not
    /// fill the log.
    func note(
        _ defect: RecordReader.Defect, _ topic: String, _ text: Logger.Message = "invalid record received"
    ) {
        // Counted by gateway, so that the mistakes of one gateway, or of a thousand, do not hide those in the name of
        // another.
        let gateway = RecordTopic(topic, prefix: prefix)?.gateway ?? ""
        let (count, isLastKind) = tally.withLock { tally -> (Int, Bool) in
            var kinds = tally.defects[gateway] ?? [:]
            if kinds.isEmpty, tally.defects.count >= Self.mostGateways { return (0, false) }
            if kinds[defect.found] == nil, kinds.count >= Self.mostDefects { return (0, false) }
            kinds[defect.found, default: 0] += 1
            tally.defects[gateway] = kinds
            return (kinds[defect.found] ?? 0, kinds.count == Self.mostDefects && kinds[defect.found] == 1)
        }
        if isLastKind {
            logger.warning(
                "many kinds of malformed messages from a gateway, further kinds not logged",
                metadata: ["gateway": "\(gateway)"])
        }
        // Logged at the 1st, 10th, 100th occurrence and so on.
        guard count > 0, isPowerOfTen(count) else { return }
        logger.warning(
            text,
            metadata: ["topic": "\(topic)", "found": "it \(defect.found)", "so far": "\(count)"])
    }

    func note(_ claims: Set<PlaceClaimRefusal>) {
        if claims.isEmpty { return }
        let new = tally.withLock { tally in
            claims.filter { claim in
                let gateway = claim.receiver.split(separator: "/").prefix(4).joined(separator: "/")
                let known = tally.claims[gateway] ?? []
                guard known.count < Self.mostDefects, !known.isEmpty || tally.claims.count < Self.mostGateways else {
                    return false
                }
                return tally.claims[gateway, default: []].insert(claim).inserted
            }
        }
        for claim in new.sorted(by: { ($0.receiver, $0.beacon) < ($1.receiver, $1.beacon) }) {
            logger.warning(
                "place claim rejected",
                metadata: [
                    "receiver": "\(claim.receiver)", "beacon": "\(claim.beacon)", "because": "\(claim.reason.text)",
                    "remedy": "look at: beacon-matcher places",
                ])
        }
    }

    /// Logs that a gateway does not sign, at its 1st, 10th, 100th unsigned message and so on.
    func note(unsigned gateway: String) {
        let count = tally.withLock { tally -> Int in
            if tally.unsigned[gateway] == nil, tally.unsigned.count >= Self.mostGateways { return 0 }
            tally.unsigned[gateway, default: 0] += 1
            return tally.unsigned[gateway] ?? 0
        }
        guard count > 0, isPowerOfTen(count) else { return }
        logger.warning(
            "record not signed",
            metadata: [
                "gateway": "\(gateway)", "because": "signing.required = false allows it", "so far": "\(count)",
            ])
    }

    /// Logs that a gateway names phones by an unknown key, so that reported phones are not found in its records. Logs
    /// once for each gateway, and for another key an hour later at the earliest.
    func note(pseudonymKey key: String?, of gateway: String) {
        let known = pseudonymKeys()
        guard let key, key.utf8.count == 8, !known.isEmpty, !known.contains(key) else { return }
        let now = ContinuousClock.now - start
        let isNew = tally.withLock { tally in
            if let last = tally.foreignKeys[gateway] {
                guard last.key != key, now - last.time >= .seconds(3600) else { return false }
            } else if tally.foreignKeys.count >= Self.mostClaims {
                return false
            }
            tally.foreignKeys[gateway] = (key, now)
            return true
        }
        guard isNew else { return }
        logger.warning(
            "pseudonym key of a gateway unknown, its records of phones cannot be matched",
            metadata: [
                "gateway": "\(gateway)", "key": "\(key)", "known": "\(known.joined(separator: ", "))",
                "remedy": "name its key in reports.pseudonym-key-files, or give it one of these",
            ])
    }

    /// Logs that records are lost, at most once an hour for each gateway.
    func note(missing: UInt64, of gateway: String, now: Int64) {
        guard let sum = gaps.withLock({ $0.lost(missing, of: gateway, now: now) }) else { return }
        logger.warning(
            "records missing, no longer held by the gateway",
            metadata: ["gateway": "\(gateway)", "since it was last said": "\(sum)"])
    }

    /// Looks for missing records even if no messages arrive.
    func lookForGaps() { noteGaps(now: WallClock.now().microseconds / 1_000_000) }

    /// Logs records that have been missing for too long, and gateways of which this cannot be determined.
    func noteGaps(now: Int64) {
        guard gaps.withLock({ $0.isDue(now) }), let progress = try? store.use({ try $0.storedProgress() }) else {
            return
        }
        for missing in gaps.withLock({ $0.missing(progress, now: now) }) {
            logger.warning(
                "records missing for an hour, not received from the gateway",
                metadata: [
                    "gateway": "\(missing.gateway)", "missing": "\(missing.records)",
                    "complete through": "\(missing.through.map(\.description) ?? "-")",
                ])
        }
        for gateway in gaps.withLock({ $0.silent(now: now) }) {
            logger.warning(
                "records without health messages from a gateway, missing records cannot be detected",
                metadata: [
                    "gateway": "\(gateway)",
                    "remedy": "see that the broker lets it publish health, and the matcher read it",
                ])
        }
    }

    func note(_ rejection: InteractionStore.Rejection) {
        let count = tally.withLock { tally in
            tally.rejected += 1
            return tally.rejected
        }
        guard isPowerOfTen(count) else { return }
        logger.error(
            "record rejected by the database, skipping it",
            metadata: [
                "gateway": "\(rejection.gateway)", "boot": "\(rejection.position.boot)",
                "sequence": "\(rejection.position.sequence)", "because": "\(rejection.because)", "so far": "\(count)",
            ])
    }

    func note(_ refused: [InteractionStore.Refusal: Int]) {
        for (refusal, count) in refused {
            let (before, now) = tally.withLock { tally -> (Int, Int) in
                let before = tally.refused[refusal, default: 0]
                tally.refused[refusal] = before + count
                return (before, before + count)
            }
            guard String(before).count != String(now).count || before == 0 else { continue }
            logger.notice("records not stored", metadata: ["because": "\(refusal.rawValue)", "so far": "\(now)"])
        }
    }

    private func isPowerOfTen(_ count: Int) -> Bool {
        var rest = count
        while rest % 10 == 0 { rest /= 10 }
        return rest == 1
    }
}
