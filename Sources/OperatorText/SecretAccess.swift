import BeaconModel

/// Which secrets of a configuration a command reads: one that doesn't connect to a broker needs no password, and so works for
/// users who may not read it.
package final class SecretAccess {
    package enum Purpose: CaseIterable, Sendable {
        /// Certificates, keys and pre-shared keys of the connection to the broker.
        case brokerTLS
        case brokerPassword
        /// The key of phones' pseudonyms.
        case phones
        /// Keys by which records are signed, and signatures checked.
        case signing
        /// The key by which commands are signed.
        case commands
        /// The location of a database with its password.
        case store
        /// Keys and tokens of what a daemon answers and tells.
        case answers
    }

    /// A secret that only the service has.
    package struct Withheld: Equatable, Sendable {
        package var purpose: Purpose
        /// Its key: `mqtt.password-file`.
        package var location: String
        /// The name of the credential.
        package var credential: String

        package init(purpose: Purpose, location: String, credential: String) {
            self.purpose = purpose
            self.location = location
            self.credential = credential
        }
    }

    /// Why a file's permissions make it no secret.
    package struct Objection: Equatable {
        /// To follow the key.
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
    /// Why a file, by its path in the configuration, can't hold a secret; `nil` when it can.
    private var objection: ((String) -> Objection?)?
    /// What was left out because only the service has it.
    package private(set) var withheld: [Withheld] = []

    /// - Parameters:
    ///   - purposes: secrets for others aren't opened.
    ///   - hasCredentials: whether a service manager gave this process its credentials.
    ///   - isTolerant: a credential that this process was not given is left out instead of being reported.
    package init(
        for purposes: Set<Purpose> = SecretAccess.everything, hasCredentials: Bool = true, isTolerant: Bool = false
    ) {
        self.purposes = purposes
        self.hasCredentials = hasCredentials
        self.isTolerant = isTolerant
    }

    /// Has files with secrets looked at before they are believed to hold any.
    ///
    /// - Parameter objection: why a file can't hold a secret, given its path as the configuration has it.
    package func refuse(_ objection: @escaping (String) -> Objection?) { self.objection = objection }

    /// Reads the secret that a key names, or what belongs to it.
    ///
    /// - Parameter isPublic: everybody may read it, as a certificate.
    /// - Returns: `nil` when it isn't needed, or can't be had, which is reported.
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
                    key, found: "is \(path), which systemd gives to the service alone", allowed: Self.remedy(name))
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

    /// What a check says of the secrets that it couldn't see.
    package var uncheckedLines: [String] {
        withheld.map {
            "note: \($0.location) wasn't checked: systemd gives credential:\($0.credential) to the service alone"
        }
    }

    /// How a command gets a credential outside of its service.
    package static func remedy(_ credential: String) -> String {
        "run this with it: sudo systemd-run --pipe --wait --property=LoadCredential=\(credential):FILE COMMAND, with the "
            + "FILE of the unit's LoadCredential= (systemctl cat UNIT)"
    }
}
