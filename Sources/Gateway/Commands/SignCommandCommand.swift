import ArgumentParser
import BeaconModel
import CommandSupport
import GatewayCore
import OperatorText
import RecordContract
import SystemIO

struct SignCommandCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-command", abstract: "Signs a command for a gateway with a commands.key-file.",
        discussion: """
            Prints the signed message, and its topic on standard error. The gateway accepts it once, within two minutes:

              beacon-gateway sign-command --key-file commands.key --gateway campus/main/1/east reset --module door \\
                | mosquitto_pub -l -q 1 -t beacons/v1/campus/main/1/east/command/reset
            """)

    @OptionGroup var secret: CommandKeyFile

    @Option(help: ArgumentHelp("The gateway that the command is for.", valueName: "site/building/floor/gateway"))
    var gateway: String

    @Argument(help: "\(RemoteCommand.handNames.joined(separator: ", ")).")
    var name: String

    @Option(help: ArgumentHelp("The module's name in the inventory.", valueName: "name"))
    var module: String?

    @Option(help: ArgumentHelp("For rescan: hci0, or an adapter's address.", valueName: "adapter"))
    var adapter: String?

    @Option(
        help: ArgumentHelp(
            "Identifies the reply; must differ for each command (default: a random value).", valueName: "text"))
    var correlation: String?

    @Option(help: ArgumentHelp("The first topic level: mqtt.prefix of the gateway.", valueName: "level"))
    var prefix = "beacons"

    func validate() throws {
        _ = try CommandKeyFile.place(gateway)
        guard Topics.isLevel(prefix) else { throw ValidationError("--prefix must consist of a-z, 0-9 and -") }
        if correlation?.isEmpty == true { throw ValidationError("--correlation must not be empty") }
        if RemoteCommand.rolloutNames.contains(name) {
            throw ValidationError("\(name) is sent by `beacon-gateway fleet apply`.")
        }
        if case .failure(let refusal) = RemoteCommand.read(name: name, JSON.encode(message(at: .epoch))) {
            throw ValidationError(refusal.text)
        }
    }

    func run() async throws {
        try await Terminal.run {
            let key = try secret.key(of: gateway)
            let topic = try Topics(prefix: prefix, place: CommandKeyFile.place(gateway)).command(named: name)
            try Terminal.print(message(at: WallClock.now()).encoded(for: topic, key: key))
            Terminal.note("topic: \(topic)")
        }
    }

    private func message(at time: Timestamp) -> CommandMessage {
        CommandMessage(
            module: module, adapter: adapter,
            correlation: correlation ?? HexadecimalText.of((0..<8).map { _ in UInt8.random(in: .min ... .max) }),
            at: time)
    }
}
