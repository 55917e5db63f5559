import BeaconModel

/// Selection of the secrets that a command reads. A command that does not connect to a broker needs no password, so it
/// works for users who may not read the password.
package final class SecretAccess {
    package enum Purpose: CaseIterable, Sendable {
        /// Certificates, keys and pre-shared keys of the connection to the broker.
        case brokerTLS
        case brokerPassword
        /// The key for the pseudonyms of phones.
        case phones
        /// Keys that sign records and check signatures.
        case signing
        /// The key that signs commands.
        case commands
        /// The location of a database with its password.
        case store
        /// Keys and tokens for a daemon's answers and notifications.
        case answers
    }

    /// A secret that only the service has.
    package struct Withheld: Equatable, Sendable {
        package var purpose: Purpose
        /// Key in the configuration: `mqtt.password-file`.
        package var location: String
        /// Name of the credential.
        package var credential: String

        package init(purpose: Purpose, location: String, credential: String) {
            self.purpose = purpose
            self.location = location
            self.credential = credential
        }
    }

    /// The reason why a file's permissions do not keep a secret.
    package struct Objection: Equatable {
        /// Description of what was found, to follow the key.
        package var found: String
        package var allowed: String

        package init(found: String, allowed: String) {
            self.found = found
            self.allowed = allowed
        }
    }

    package static let everything = Set(Purpose.allCases)

    private let purposes: Set<Purpose>
    private let hasCredentials: Bool
    private let isTolerant: Bool
    /// Returns why a file, by its path in the configuration, cannot hold a secret; `nil` if it can.
    private var objection: ((String) -> Objection?)?
    /// Secrets left out because only the service has them.
    package private(set) var withheld: [Withheld] = []

    /// - Parameters:
    ///   - purposes: the purposes whose secrets are read; other secrets are not opened.
    ///   - hasCredentials: whether a service manager gave this process its credentials.
    ///   - isTolerant: whether a credential that this process was not given is left out instead of being reported.
    package init(
        for purposes: Set<Purpose> = SecretAccess.everything, hasCredentials: Bool = true, isTolerant: Bool = false
    ) {
        self.purposes = purposes
        self.hasCredentials = hasCredentials
        self.isTolerant = isTolerant
    }

    /// Sets the check that files with secrets must pass.
    ///
    /// - Parameter objection: returns why a file cannot hold a secret, given its path in the configuration.
    package func refuse(_ objection: @escaping (String) -> Objection?) { self.objection = objection }

    /// Reads the secret that a key names, or a file that belongs to it.
    ///
    /// - Parameter isPublic: whether every user may read the file, as with a certificate.
    /// - Returns: the contents; `nil` if the secret is not needed, or is unavailable, which is reported unless it is
    ///   withheld.
    package func read(
        _ reader: TOMLReader, _ key: String, _ path: String, for purpose: Purpose,
        form: String = "must be a file that this user can read", isPublic: Bool = false,
        by readFile: (String) throws -> [UInt8]
    ) -> [UInt8]? {
        guard purposes.contains(purpose) else { return nil }
        if !hasCredentials, let name = CredentialPath.name(in: path) {
            if isTolerant {
                withheld.append(
                    Withheld(
                        purpose: purpose, location: reader.path(of: key).shown(upTo: 255),
                        credential: name.shown(upTo: 255)))
            } else {
                reader.report(
                    key, found: "is \(path), which systemd passes only to the service", allowed: Self.remedy(name))
            }
            return nil
        }
        do {
            let contents = try readFile(path)
            if !isPublic, let objection = objection?(path) {
                reader.report(key, found: objection.found, allowed: objection.allowed)
                return nil
            }
            return contents
        } catch {
            reader.report(key, found: error.inOneLine, allowed: form)
            return nil
        }
    }

    /// Reads a secret that is the first line of a file, because editors end it with a newline.
    ///
    /// - Parameter secret: description of the secret, to follow "must be".
    /// - Returns: 1 to 1024 characters of printable ASCII; `nil` if the line has others, which is reported, or if
    ///   there are no contents, as for `read`.
    package func firstLine(
        _ reader: TOMLReader, _ key: String, _ path: String, for purpose: Purpose, secret: String,
        by readFile: (String) throws -> [UInt8]
    ) -> String? {
        guard let bytes = read(reader, key, path, for: purpose, by: readFile) else { return nil }
        let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard (1...1024).contains(line.count), line.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            reader.report(
                key, found: "its first line has \(line.count) bytes, or bytes that are not printable ASCII",
                allowed: "must be \(secret)")
            return nil
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Notes of a configuration check about the secrets that it could not read.
    package var uncheckedLines: [String] {
        withheld.map {
            "note: \($0.location) was not checked: systemd passes credential:\($0.credential) only to the service"
        }
    }

    /// Returns how to give a command a credential outside its service.
    package static func remedy(_ credential: String) -> String {
        "run this with the credential: sudo systemd-run --pipe --wait --property=LoadCredential=\(credential):FILE "
            + "COMMAND, with the FILE in the unit's LoadCredential= (systemctl cat UNIT)"
    }
}
