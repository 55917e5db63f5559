import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import OperatorText
import RecordContract
import SystemIO

struct GatewaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateways", abstract: "Lists gateways, and revokes those that were stolen.",
        discussion: """
            A stolen gateway can publish false records about its floor. Revoke it here, and remove its user at the \
            broker. Its earlier records are kept; `coverage` shows whether its receivers are trusted.
            """,
        subcommands: [
            GatewaysListCommand.self, GatewaysRevokeCommand.self, GatewaysRestoreCommand.self,
            GatewaysForgetCommand.self,
        ], defaultSubcommand: GatewaysListCommand.self)

    /// Reads a gateway's path, `site/building/floor/gateway`.
    static func gateway(_ text: String) throws -> String {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard Topics.isPlace(levels) else { throw ValidationError("must be SITE/BUILDING/FLOOR/GATEWAY") }
        return text
    }
}

struct GatewaysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists all gateways that have sent records.")

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: StoreOptions

    /// A line of `--json`.
    private struct Document: Encodable {
        var gateway: String
        var heard: String?
        var stored: RecordPosition?
        var revoked: String?
        var reason: String?
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let gateways = try configuration.openStore(creating: false).gatewayStates()
            if json {
                for gateway in gateways {
                    try Terminal.print(
                        JSON.encode(
                            Document(
                                gateway: gateway.path, heard: gateway.heard.map(InstantText.utc),
                                stored: gateway.stored, revoked: gateway.revocation.map { InstantText.utc($0.since) },
                                reason: gateway.revocation?.reason)))
                }
                return
            }
            let days = configuration.days
            var table = TextTable([
                ("GATEWAY", .left), ("HEARD (\(days.name))", .left), ("STORED TO", .left), ("STATE", .left),
            ])
            for gateway in gateways {
                table.add([
                    gateway.path, gateway.heard.map(days.text) ?? "",
                    gateway.stored.map { "\($0.boot)/\($0.sequence)" } ?? "",
                    gateway.revocation.map { "revoked \(days.text($0.since)): \($0.reason)".shown(upTo: 80) } ?? "",
                ])
            }
            if !gateways.isEmpty { try Terminal.print(table) }
            Terminal.note("\(gateways.count) \(gateways.count == 1 ? "gateway" : "gateways")")
        }
    }
}

struct GatewaysRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Stops accepting records of a gateway.")

    @Argument(help: "SITE/BUILDING/FLOOR/GATEWAY.", transform: GatewaysCommand.gateway)
    var gateway: String

    @Option(help: "The reason, shown in the list.")
    var reason = "revoked by an operator"

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            if try !store.gatewayStates().contains(where: { $0.path == gateway }) {
                Terminal.note("note: the store has no records of \(gateway); check the name")
            }
            let reason = reason.shown(upTo: 200)
            let earlier = try store.revoke(
                gateway, reason: reason, now: WallClock.now().microseconds / 1_000_000,
                audit: CommandAudit.entry(.revokedGateway, gateway, detail: reason))
            if let earlier {
                throw AlreadyRevoked(
                    gateway: gateway, since: configuration.days.text(earlier.since),
                    reason: earlier.reason.shown(upTo: 200))
            }
            try Terminal.print("records of \(gateway) are rejected from now on")
            Terminal.note(
                "remove its user at the broker too, and replace other secrets that were on it: passwords, the "
                    + "pseudonym key"
            )
        }
    }
}

struct GatewaysRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Accepts records of a gateway again.")

    @Argument(help: "SITE/BUILDING/FLOOR/GATEWAY.", transform: GatewaysCommand.gateway)
    var gateway: String

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let store = try options.read().openStore(creating: false)
            guard try store.restore(gateway, audit: CommandAudit.entry(.restoredGateway, gateway)) else {
                throw UnknownGateway(gateway: gateway, what: "\(gateway) is not revoked")
            }
            try Terminal.print("records of \(gateway) are accepted again, from now on")
        }
    }
}

struct GatewaysForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forgets how far the records of a gateway are stored.",
        discussion: """
            For use when someone has published far too high numbers in the name of a gateway: the daemon would tell \
            the real gateway that all its records are stored already. No stored record is deleted.
            """)

    @Argument(help: "SITE/BUILDING/FLOOR/GATEWAY.", transform: GatewaysCommand.gateway)
    var gateway: String

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let store = try options.read().openStore(creating: false)
            guard try store.forgetProgress(of: gateway, audit: CommandAudit.entry(.forgotGateway, gateway)) else {
                throw UnknownGateway(gateway: gateway, what: "the store has no data about \(gateway)")
            }
            try Terminal.print("the progress of \(gateway) was reset, and is counted anew from its next record")
        }
    }
}

private struct AlreadyRevoked: OperatorError {
    var gateway: String
    var since: String
    var reason: String

    var what: String { "\(gateway) is revoked since \(since): \(reason)" }
    var meaning: String? { "nothing was changed" }
    var exitStatus: BeaconModel.ExitStatus { .data }
}

private struct UnknownGateway: OperatorError {
    var gateway: String
    var what: String

    var remedy: String? { "list the gateways with: beacon-matcher gateways" }
    var exitStatus: BeaconModel.ExitStatus { .data }
}
