import BeaconModel
import Glibc
import SystemIO

/// Certificates of a private authority, made with `openssl` in a temporary directory: elliptic curves, because those are
/// made at once.
package struct TestCertificates: Sendable {
    /// The certificate of the authority.
    package let authority: String
    private let directory: TemporaryDirectory

    package struct Pair: Sendable {
        /// Paths of PEM files.
        package let certificate: String
        package let key: String
    }

    package init() async throws {
        directory = try TemporaryDirectory()
        authority = directory.path + "/authority.pem"
        try await openssl(
            ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=Test authority", "-out", authority]
                + newKey("authority"))
    }

    /// The directory of all files, for an access list or a password beside them.
    package var path: String { directory.path }

    /// Of a broker on this machine.
    package func server() async throws -> Pair { try await issue("server", names: "DNS:localhost,IP:127.0.0.1") }

    /// Of a broker that is somewhere else.
    package func otherServer() async throws -> Pair { try await issue("other", names: "DNS:broker.example") }

    /// Valid until yesterday.
    package func expiredServer() async throws -> Pair {
        try await issue("expired", names: "DNS:localhost,IP:127.0.0.1", isExpired: true)
    }

    /// Signed by nobody but itself.
    package func selfSignedServer() async throws -> Pair {
        let pair = pair("self-signed")
        try await openssl(
            [
                "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", pair.certificate,
            ] + newKey("self-signed"))
        return pair
    }

    /// Of a client, which the broker may take for a user of this name.
    package func client(_ name: String) async throws -> Pair { try await issue(name, names: nil) }

    /// A list of revoked certificates of the authority, in a PEM file.
    package func revocationList(of revoked: [Pair]) async throws -> String {
        let list = directory.path + "/revoked.crl"
        let settings = try directory.write(
            "revocation.cnf",
            "[ca]\ndefault_ca = all\n[all]\ndatabase = \(directory.path)/index\ndefault_md = sha256\ndefault_crl_days = 2\n"
        )
        _ = try directory.write("index", "")
        let authority = ["-config", settings, "-keyfile", pair("authority").key, "-cert", authority]
        for pair in revoked { try await openssl(["ca", "-revoke", pair.certificate] + authority) }
        try await openssl(["ca", "-gencrl", "-out", list] + authority)
        return list
    }

    private func pair(_ name: String) -> Pair {
        Pair(certificate: "\(directory.path)/\(name).pem", key: "\(directory.path)/\(name).key")
    }

    private func newKey(_ name: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout", pair(name).key]
    }

    private func issue(_ name: String, names: String?, isExpired: Bool = false) async throws -> Pair {
        let pair = pair(name)
        let request = "\(directory.path)/\(name).csr"
        try await openssl(["req", "-new", "-nodes", "-subj", "/CN=\(name)", "-out", request] + newKey(name))
        var arguments = [
            "x509", "-req", "-in", request, "-CA", authority, "-CAkey", self.pair("authority").key,
            "-out", pair.certificate, "-set_serial", "\(UInt32.random(in: 1...UInt32.max))",
            // `-not_after` came with a later openssl; a negative number of days ends in the past.
            "-days", isExpired ? "-1" : "2",
        ]
        if let names {
            arguments += ["-extfile", try directory.write("\(name).ext", "subjectAltName=\(names)\n")]
        }
        try await openssl(arguments)
        return pair
    }

    private func openssl(_ arguments: [String]) async throws {
        let (status, _, errorOutput) = try await ChildProcess.run("openssl", arguments)
        guard status == 0 else {
            throw SystemError(
                "make a certificate: openssl \(arguments[0]): \(errorOutput.joined(separator: "; "))",
                errorNumber: EINVAL)
        }
    }
}
