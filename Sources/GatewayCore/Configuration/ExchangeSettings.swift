import BeaconModel
package import HCI
package import OperatorText

/// The table `exchange`: the apps whose phones the gateway connects to and exchanges codes with. Without the table
/// there are none.
package struct ExchangeSettings: Equatable, Sendable {
    package var rules = ExchangeRules()
    /// Path of the file with this gateway's own code; `nil`: `contact-code` in the state directory.
    package var ownCodeFile: String?

    package var isOn: Bool { !rules.apps.isEmpty }

    /// Returns the path of the file with this gateway's own code.
    package func ownCodePath(inStateDirectory directory: String) -> String {
        ownCodeFile ?? directory + "/contact-code"
    }
}

extension ExchangeSettings {
    private static let apps = ContactApp.allCases.filter { ExchangeProfile.of($0) != nil }
    private static let allowedApps = apps.map(\.rawValue).joined(separator: " or ")

    /// - Parameters:
    ///   - publishesPhones: whether phones are published; a code that is not published need not be asked for.
    ///   - path: the scan path of the adapters; `nil`: the best one that the process may use.
    package static func read(
        _ root: TOMLReader, publishesPhones: Bool, path: ScanPathKind?, locate: (String) -> String = { $0 }
    ) -> ExchangeSettings {
        var settings = ExchangeSettings()
        guard let reader = root.table("exchange") else { return settings }
        if !reader.has("apps") {
            reader.missing("apps", allowed: "the apps to whose phones to connect: \(allowedApps)")
        }
        for (index, name) in (reader.strings("apps") ?? []).enumerated() {
            guard let app = apps.first(where: { $0.rawValue == name }) else {
                reader.report("apps[\(index)]", found: "found \"\(name)\"", allowed: "must be \(allowedApps)")
                continue
            }
            if !settings.rules.apps.insert(app).inserted {
                reader.report("apps[\(index)]", found: "\"\(name)\" is duplicated", allowed: "name each once")
            }
        }
        settings.ownCodeFile = reader.parsed("own-id-file", allowed: "the path of a file") {
            $0.isEmpty ? nil : locate($0)
        }
        if let parallel = reader.integer("parallel", in: ExchangeRules.parallelRange) {
            settings.rules.parallel = parallel
        }
        if let perMinute = reader.integer("per-minute", in: ExchangeRules.perMinuteRange) {
            settings.rules.perMinute = perMinute
        }
        if settings.isOn, !publishesPhones {
            reader.report(
                "apps", found: "names apps, and there is no phones.pseudonym-key-file",
                allowed: "phones are published only under pseudonyms: specify the file, or remove the exchange")
        }
        if settings.isOn, let path, path != .raw {
            reader.report(
                "apps", found: "names apps, and radio.path is \(path.rawValue)",
                allowed: "connections require raw HCI: set radio.path to raw or auto, or remove the exchange")
        }
        reader.finish()
        return settings
    }
}
