import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import OperatorText
import RecordContract
import SystemIO

struct GatewayKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway-key", abstract: "Prints the key with which a gateway signs its records.",
        discussion: """
            The key is derived from the first of signing.key-files in the configuration and the gateway's place, so it \
            is the same each time. Store it only in the file that signing.key-file of the gateway names: whoever has \
            it can publish in the name of that gateway, but of no other.
            """)

    @Argument(help: "SITE/BUILDING/FLOOR/GATEWAY, as in the gateway's [place].")
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
                config, secrets: ConfigurationFile.secrets(for: [.signing, .store]))
            guard let key = configuration.signing?.keys.first else { throw NoSigningKey(file: config) }
            try note(in: configuration)
            try Terminal.print(key.gatewayKey(gateway).hexadecimal)
        }
    }
}

extension GatewayKeyCommand {
    /// Notes that the key is shown. Keys can be made before there is a store: then there is no audit either.
    private func note(in configuration: MatcherConfiguration) throws {
        let store: InteractionStore
        do {
            store = try configuration.openStore(creating: false)
        } catch let error as StoreError where error == .noStore(configuration.store) {
            return
        }
        try store.noteCommand(.sawGatewayKey, gateway)
    }
}

private struct NoSigningKey: OperatorError {
    var file: String

    var what: String { "\(file) has no [signing] with key-files" }
    var meaning: String? { "gateways' keys are derived from the site's key" }
    var remedy: String? {
        "create one (head -c 32 /dev/urandom > FILE, readable only by the matcher) and name it in signing.key-files"
    }
    var exitStatus: ExitStatus { .configuration }
}
