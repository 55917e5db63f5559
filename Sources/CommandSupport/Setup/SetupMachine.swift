import Glibc
package import Setup
import SystemIO

/// What setup has to know of the machine, for both programs.
package enum SetupMachine {
    /// The service manager and a unit.
    package static func service(_ name: String) async -> GatewaySetup.Service {
        guard access("/run/systemd/system", F_OK) == 0 else { return .none(reason: "systemd does not run here") }
        let directories = [
            "/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
        ]
        guard directories.contains(where: { access("\($0)/\(name).service", F_OK) == 0 }) else {
            return .none(reason: "there is no unit \(name).service")
        }
        var program = ChildProgram(["/usr/bin/systemctl", "is-active", "--quiet", name])
        program.hasEnvironment = true
        let started = program
        let status = try? await DedicatedThread.run(name: "systemctl") { () -> Int32 in
            (try? started.start()).map { ChildProgram.wait(for: $0) } ?? -1
        }
        return .unit(isActive: status == 0)
    }

    /// The broker on this machine.
    ///
    /// - Parameter mosquitto: directory of its configuration.
    package static func localBroker(mosquitto: String) -> BrokerQuestions.LocalBroker {
        guard access("/usr/sbin/mosquitto", X_OK) == 0 else { return .none }
        // Only root can add users.
        guard access(mosquitto, W_OK) == 0, let script = file("users.py") else { return .installed }
        return .manageable(usersScript: script)
    }

    /// The configuration of mosquitto that is to be written before users can be added; `nil` if one is there, or none
    /// is known.
    package static func brokerConfiguration(mosquitto: String) -> String? {
        guard access(mosquitto + "/conf.d/beacons.conf", F_OK) != 0, let path = file("beacons.conf"),
            let bytes = try? FileContents.read(path, limit: 100_000)
        else { return nil }
        let hasCertificates = access(mosquitto + "/certs/server.crt", F_OK) == 0
        let plugin = ["x86_64", "aarch64", "arm"].flatMap {
            ["/usr/lib/\($0)-linux-gnu", "/usr/lib/\($0)-linux-gnueabihf"]
        }
        .map { $0 + "/mosquitto_dynamic_security.so" }.first { access($0, F_OK) == 0 }
        return BrokerFile.text(
            String(decoding: bytes, as: UTF8.self), usersFile: mosquitto + "/beacons-users.json", plugin: plugin,
            hasCertificates: hasCertificates)
    }

    /// Returns the path of a file for mosquitto that comes with the program.
    private static func file(_ name: String) -> String? {
        var directories = ["gateway", "matcher"].flatMap {
            ["/usr/share/beacon-\($0)/mosquitto", "/usr/share/doc/beacon-\($0)/examples/mosquitto"]
        }
        // A program that was built in its source directory.
        if let link = realpath("/proc/self/exe", nil) {
            let path = String(cString: link)
            free(link)
            if let build = path.firstRange(of: "/.build/") {
                directories.insert(path[..<build.lowerBound] + "/deploy/mosquitto", at: 0)
            }
        }
        return directories.map { "\($0)/\(name)" }.first { access($0, R_OK) == 0 }
    }

    /// Returns hexadecimal digits of random bytes.
    package static func randomDigits(bytes: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in
            let digits = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }

    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Name of this machine's time zone, such as `Europe/Berlin`.
    package static var timeZone: String? {
        guard let bytes = try? FileContents.read("/etc/timezone", limit: 256) else { return nil }
        let name = String(decoding: bytes, as: UTF8.self).trimmed
        return name.isEmpty || name.hasPrefix("Etc/") ? nil : name
    }
}
