import ArgumentParser
import BeaconModel
import CommandSupport
import MatcherDaemon
import OperatorText
import RecordContract
import SystemIO

struct GatewayKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway-key", abstract: "Prints the key with which a gateway signs its records.",
        discussion: """
            It is derived from the first of the configuration's signing.key-files and the gateway's place, so it is the same each \
            time. Put it into a file that the gateway's signing.key-file names, and nowhere else: whoever has it can speak for \
            that gateway, and for no other.
            """)

    @Argument(help: "SITE/BUILDING/FLOOR/GATEWAY, as the gateway's [place] says.")
    var gateway: String

    @Option(help: ArgumentHelp("The matcher's configuration.", valueName: "file"))
    var config: String

    func validate() throws {
        let levels = gateway.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard Topics.isPlace(levels) else {
            throw ValidationError("\(gateway.excerpt) must be SITE/BUILDING/FLOOR/GATEWAY, each of a-z, 0-9 and -")
        }
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try MatcherConfiguration.load(
                config, secrets: ConfigurationFile.secrets(for: [.signing]))
            guard let key = configuration.signing?.keys.first else { throw NoSigningKey(file: config) }
            try Terminal.print(key.gatewayKey(gateway).hexadecimal)
        }
    }
}

private struct NoSigningKey: OperatorError {
    var file: String

    var what: String { "\(file) has no [signing] with key-files" }
    var meaning: String? { "gateways' keys are derived from the site's" }
    var remedy: String? {
        "make one (head -c 32 /dev/urandom > FILE, readable by the matcher alone) and name it in signing.key-files"
    }
    var exitStatus: ExitStatus { .configuration }
}
