import BeaconModel
import InteractionStore
import MatcherCore

/// A gateway with its receivers, and everything that the store and this process know of them.
struct KnownGateway: Sendable {
    /// `site/building/floor/gateway`.
    var path: String
    var condition: GatewayCondition
    /// Time of the latest report to any matcher, in seconds since 1970.
    var heardAt: Int64?
    var revocation: InteractionStore.GatewayState.Revocation?
    /// Latest report of the gateway to this process.
    var report: GatewayReport?
    /// Its own radio first, then the others in the order of their names.
    var receivers: [Receiver]
    /// Facts about program and modules that the gateway published to this process; `nil` if there are none.
    var facts: GatewayFacts?

    struct Receiver: Sendable {
        /// Path of the gateway for its own radio; else followed by the name of the receiver.
        var path: String
        var condition: GatewayCondition
        var room: String?
        var position: Place.Position?
        /// Offset of its levels from those of other receivers, in dB.
        var offset: Double?
    }

    /// `site/building`.
    var building: String { ReceiverPath(path).building }

    /// Names of its receivers that do not receive.
    var deafNames: [String] {
        receivers.filter { $0.condition == .deaf }.map { $0.path == path ? "its own radio" : $0.name }
    }
}

extension KnownGateway.Receiver {
    /// Name of a receiver on its floor: gateway, and the receiver's own name.
    var name: String { ReceiverPath(path).name }
}

/// Facts about all gateways at one time.
struct KnownGateways: Sendable {
    var states: [InteractionStore.GatewayState]
    var positions: [InteractionStore.ReceiverPosition]
    /// Offsets in dB by the paths of receivers.
    var offsets: [String: Double]
    var working: HeardReceivers
    /// Latest reports of gateways to this process.
    var reports: [String: GatewayReport]
    /// Facts about programs and modules that gateways published to this process.
    var facts: [String: GatewayFacts] = [:]

    /// Returns all gateways that have sent records, told of themselves or have a position, in the order of their paths.
    ///
    /// - Parameter now: seconds since 1970.
    func statuses(now: Int64) -> [KnownGateway] {
        let states = Dictionary(self.states.map { ($0.path, $0) }) { first, _ in first }
        let places = Dictionary(grouping: positions) { ReceiverPath($0.path).gateway }
        let deaf = Dictionary(grouping: working.deaf) { ReceiverPath($0).gateway }
        return Set(states.keys).union(places.keys).union(reports.keys).sorted().map { path in
            status(path, states[path], places[path] ?? [], deaf: Set(deaf[path] ?? []), now: now)
        }
    }

    private func status(
        _ path: String, _ state: InteractionStore.GatewayState?, _ places: [InteractionStore.ReceiverPosition],
        deaf: Set<String>, now: Int64
    ) -> KnownGateway {
        let report = reports[path]
        // A gateway without adapters has no radio of its own that could fail.
        let failing = report?.hasRadio == false ? deaf.subtracting([path]) : deaf
        let times = [state?.heard, report?.at].compactMap(\.self)
        // A time in the future is that of a clock that was ahead.
        let heardAt = times.filter { $0 <= now + GatewaySigns.patience }.max() ?? times.max()
        let condition = GatewayCondition(
            path, isRevoked: state?.revocation != nil, heardAt: heardAt, deaf: failing, working: working, now: now)
        let known = Dictionary(places.map { ($0.path, $0) }) { first, _ in first }
        var paths = Set(known.keys).union((report?.receivers ?? []).map { "\(path)/\($0.name)" })
        if report?.hasRadio != false || paths.isEmpty { paths.insert(path) }
        return KnownGateway(
            path: path, condition: condition, heardAt: heardAt, revocation: state?.revocation, report: report,
            receivers: paths.sorted().map {
                KnownGateway.Receiver(
                    path: $0, condition: condition.ofReceiver(isDeaf: failing.contains($0)), room: known[$0]?.room,
                    position: known[$0]?.position, offset: offsets[$0])
            }, facts: facts[path])
    }
}
