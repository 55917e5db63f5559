import ArgumentParser
import BeaconModel
import OperatorText
import RecordContract
import SystemIO

/// Options for the site's command secret, and derivation of a gateway's key from it.
struct CommandKeyFile: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The site's secret for commands, at least 16 random bytes. To create one: head -c 32 /dev/urandom > FILE.",
            valueName: "file"))
    var keyFile: String

    /// Derives the command key of a gateway.
    ///
    /// - Throws: `SystemError`, `CommandSecretTooShort`.
    func key(of gateway: String) throws -> SigningKey {
        let secret = try FileContents.read(keyFile, limit: 1 << 20)
        guard let key = SiteKey(secret: secret) else { throw CommandSecretTooShort(path: keyFile, count: secret.count) }
        return key.commandKey(gateway)
    }

    /// Parses a place written as `SITE/BUILDING/FLOOR/GATEWAY`.
    ///
    /// - Throws: `ValidationError`.
    static func place(_ text: String) throws -> Place {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard Topics.isPlace(levels) else {
            throw ValidationError("\(text.excerpt) must be SITE/BUILDING/FLOOR/GATEWAY, each of a-z, 0-9 and -")
        }
        return Place(site: levels[0], building: levels[1], floor: levels[2], gateway: levels[3])
    }
}

struct CommandSecretTooShort: OperatorError {
    var path: String
    var count: Int

    var what: String { "\(path) has \(count) bytes; expected a secret of at least 16" }
    var remedy: String? { "create one: head -c 32 /dev/urandom > \(path)" }
    var exitStatus: ExitStatus { .configuration }
}
