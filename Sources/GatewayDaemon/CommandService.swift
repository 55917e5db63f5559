import BeaconModel
import GatewayCore
import HCI
import Logging
import MQTTBridge
import ModuleDialogues
import OperatorText
import RecordContract
import ServiceLifecycle
import SystemIO

/// Dispatches commands received by MQTT and returns their replies.
actor CommandService: Service {
    private var admission: CommandAdmission
    private let messages: AsyncStream<MQTTMessage>
    private let send: @Sendable (MQTTMessage) async -> Void
    private let fleet: FleetService
    private let radio: RadioInbox
    private let rollout: RolloutService?
    private let audit: AuditLog
    private let gateway: GatewayState
    private let logger: Logger
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - messages: the messages on the command topics.
    ///   - send: publishes a reply.
    ///   - rollout: `nil`: the gateway cannot be configured from afar.
    init(
        admission: CommandAdmission, messages: AsyncStream<MQTTMessage>,
        send: @escaping @Sendable (MQTTMessage) async -> Void,
        fleet: FleetService, radio: RadioInbox, rollout: RolloutService? = nil, audit: AuditLog, gateway: GatewayState,
        logger: Logger
    ) {
        self.admission = admission
        self.messages = messages
        self.send = send
        self.fleet = fleet
        self.radio = radio
        self.rollout = rollout
        self.audit = audit
        self.gateway = gateway
        self.logger = logger
    }

    /// Replaces the limits.
    func setRules(_ rules: CommandRules) { admission.setRules(rules) }

    func run() async {
        await cancelWhenGracefulShutdown { await self.serve() }
    }

    private func serve() async {
        // As many commands run at once as the rate admits while modules take their time.
        await withDiscardingTaskGroup { group in
            for await message in messages {
                let decision = admission.take(message, now: ContinuousClock.now - start, wall: WallClock.now())
                await gateway.setCommands(admission.counts)
                switch decision {
                case .ignored: break
                case .repeated(let reply, let address):
                    logger.info("duplicate command ignored", metadata: ["command": "\(reply.command)"])
                    await answer(reply, address)
                case .answered(let reply, let address):
                    logger.warning("command refused", metadata: Self.metadata(reply, address))
                    if !reply.text.hasPrefix("too many") { note(reply) }
                    await answer(reply, address)
                case .carryOut(let order):
                    logger.info("command", metadata: Self.metadata(order))
                    group.addTask { await self.carryOut(order) }
                }
            }
        }
    }

    private func carryOut(_ order: CommandAdmission.Order) async {
        let outcome: CommandOutcome
        switch order.request.command {
        case .module(let name, let module):
            outcome = await fleet.carryOut(.one(Fleet.Command(name, module: module, correlation: "\(order.ticket)")))
        case .provisionAll: outcome = await fleet.carryOut(.provisionAll(correlation: "\(order.ticket)"))
        case .rescan(let adapter): outcome = await radio.rescan(adapter)
        case .configure(let document, let seconds):
            outcome = await rollout?.configure(document, seconds: seconds) ?? Self.onlyLocal
        case .confirm(let digest): outcome = await rollout?.confirm(digest) ?? Self.onlyLocal
        }
        let reply = admission.finish(order, outcome)
        logger.info(
            "command done",
            metadata: ["command": "\(order.name)", "ok": "\(outcome.ok)", "result": "\(outcome.text)"])
        note(reply)
        await answer(reply, order.address)
        await rollout?.settle()
    }

    private static let onlyLocal = CommandOutcome(ok: false, text: "this gateway is only configured locally")

    private func answer(_ reply: CommandReply, _ address: ReplyAddress) async {
        var reply = reply
        if let problem = address.problem { reply.text += "; the response topic is not used: \(problem)" }
        await send(
            MQTTMessage(
                topic: address.topic, payload: reply.encoded,
                properties: .init(contentType: "application/json", correlationData: address.correlationData)))
    }

    /// Writes a reply to the audit log. Commands over the limit are not written: a flood would displace the entries
    /// that matter.
    private func note(_ reply: CommandReply) {
        do throws(SystemError) {
            try audit.add(
                AuditLog.Entry(
                    time: WallClock.now().rfc3339, who: "mqtt", action: "command-\(reply.command)",
                    module: reply.module, adapter: reply.adapter,
                    correlation: reply.correlation.isEmpty ? nil : reply.correlation, ok: reply.ok, result: reply.text))
        } catch {
            logger.error("audit log not written", metadata: .init(describing: error))
        }
    }

    private static func metadata(_ order: CommandAdmission.Order) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["command": "\(order.name)"]
        switch order.request.command {
        case .module(_, let module): metadata["module"] = "\(module.excerpt)"
        case .provisionAll: metadata["module"] = "all"
        case .rescan(let adapter): metadata["adapter"] = "\(adapter?.description ?? "all")"
        case .configure(let document, _): metadata["revision"] = "\(document.version.revision)"
        case .confirm(let digest): metadata["digest"] = "\(digest.short)"
        }
        if !order.request.correlation.isEmpty { metadata["correlation"] = "\(order.request.correlation.excerpt)" }
        return metadata
    }

    private static func metadata(_ reply: CommandReply, _ address: ReplyAddress) -> Logger.Metadata {
        ["command": "\(reply.command)", "because": "\(reply.text)"]
    }
}
