import BeaconModel
import GatewayCore
import HCI
package import OperatorText
import Publishing
import RecordContract

/// Assessment of a machine's facts against what a gateway needs.
package struct Diagnosis: Sendable {
    package typealias Finding = DoctorFinding
    package typealias Remedy = DoctorFinding.Remedy

    package var facts: MachineFacts
    package var configuration: ExaminedConfiguration

    package init(facts: MachineFacts, configuration: ExaminedConfiguration) {
        self.facts = facts
        self.configuration = configuration
    }

    /// Findings that need no measurement.
    package var findings: [Finding] {
        [machine, configurationFile] + rollout + settings + [privileges] + radioSwitches + adapters + [otherPrograms]
            + serialPorts + [
                clock, disk,
            ] + [laterState, outbox, takenOver].compactMap(\.self)
    }

    /// Severity of an obstacle that keeps this user from starting the daemon. It is only a warning without a
    /// configuration, because the daemon is not to be started yet, and while a gateway runs, perhaps as another user,
    /// because that one has what it needs.
    var severityOfObstacle: Finding.Severity {
        configuration.file == nil || facts.programs.gateway != nil ? .warning : .failed
    }

    package var machine: Finding {
        Finding("machine", .ok, [facts.model, facts.kernel].compactMap { $0 }.joined(separator: ", "))
    }

    package var configurationFile: Finding {
        if let problem = configuration.problem, let path = configuration.path {
            return Finding(
                "config", .failed, problem,
                [
                    Remedy(
                        "sudoedit \(ShellWord.quote(path))",
                        "correct it (docs/guide/configuration.md shows a complete one); the rest was checked with the "
                            + "defaults"
                    )
                ],
                exitStatus: .configuration)
        }
        guard let path = configuration.path else {
            return Finding(
                "config", .skipped, "none specified: the defaults are checked; specify one with --config FILE")
        }
        let unseen = configuration.withheld.map(\.location).joined(separator: ", ")
        return Finding(
            "config", .ok,
            "\(path) is valid" + (unseen.isEmpty ? "" : "; not readable here, only by the service: \(unseen)"))
    }

    /// Finding on the configuration in use, if it is or was one from afar.
    package var rollout: [Finding] {
        guard let inUse = configuration.inUse else { return [] }
        guard configuration.hasReturned else { return [Finding("rollout", .ok, "configured from afar: \(inUse)")] }
        return [
            Finding(
                "rollout", .warning, "in use: \(inUse)",
                [Remedy("beacon-gateway fleet plan DIRECTORY", "correct that revision, and apply the next one")])
        ]
    }

    /// Findings on insecure settings.
    package var settings: [Finding] {
        configuration.warnings.map { warning in
            Finding(
                "settings", .warning, "\(warning.key) \(warning.found): \(warning.meaning)",
                [editRemedy(warning.remedy)])
        }
    }

    package var privileges: Finding {
        let missing = facts.user.missingCapabilities
        let list = missing.joined(separator: " and ")
        let who = facts.user.isRoot ? "root" : "user \(facts.user.name)"
        if missing.isEmpty { return Finding("privileges", .ok, "\(who), with CAP_NET_ADMIN and CAP_NET_RAW") }
        guard configuration.scanPath.needsCapabilities else {
            return Finding("privileges", .ok, "\(who), without \(list), which path dbus does not need")
        }
        return Finding(
            "privileges", .warning, "\(who), without \(list), which path \(configuration.scanPath.rawValue) needs",
            [facts.programs.gateway == nil ? capabilityRemedy : rerunRemedy])
    }

    /// Command that repeats the examination as root. The running gateway can have privileges that this user lacks.
    var rerunRemedy: Remedy {
        let option = configuration.path.map { " --config \(ShellWord.quote($0))" } ?? ""
        return Remedy(
            "sudo \(ShellWord.quote(facts.program)) doctor\(option)", "checks what this user cannot, and measures")
    }

    var capabilityRemedy: Remedy {
        if facts.user.isRoot {
            // Root lacks these capabilities only in a container.
            return Remedy(
                "docker run --net=host --cap-add=NET_ADMIN --cap-add=NET_RAW ...",
                "starts the container with the missing capabilities")
        }
        return Remedy(
            "sudo setcap cap_net_raw,cap_net_admin+ep \(ShellWord.quote(facts.program))",
            "allows the program to use the radio without being root; repeat after each update")
    }

    package var clock: Finding {
        let time = facts.clock.now.rfc3339
        if facts.clock.isSynchronized { return Finding("clock", .ok, "synchronized: \(time)") }
        let remedy =
            facts.clock.hasKeeper
            ? Remedy(
                "sudo timedatectl set-ntp true",
                "synchronizes the clock over the network; `timedatectl timesync-status` shows whether it works")
            : Remedy(
                "sudo apt-get install systemd-timesyncd",
                "installs a program that synchronizes the clock over the network")
        return Finding(
            "clock", .warning, "not synchronized: it shows \(time); records will be marked accordingly (`clock`)",
            [remedy])
    }

    package var disk: Finding {
        let state = facts.state
        let path = ShellWord.quote(state.path)
        let make = Remedy(
            "sudo install -d -o \(ShellWord.quote(facts.user.name)) \(path)",
            "creates the state directory, in which the gateway keeps its boot counter")
        func obstacle(_ text: String, _ remedies: [Remedy]) -> Finding {
            Finding("disk", severityOfObstacle, text, remedies)
        }
        if state.existence == .somethingElse {
            return obstacle("\(state.path) is not a directory", [editRemedy("set state.directory to a directory")])
        }
        if state.isReadOnlyFileSystem {
            return obstacle(
                "\(state.path) is on a read-only file system; worn SD cards often fail like this",
                [
                    Remedy("sudo dmesg | grep -iE 'remount|i/o error|mmc'", "shows why the kernel made it read-only"),
                    Remedy(
                        "sudo mount -o remount,rw \"$(findmnt -n -o TARGET --target \(path))\"",
                        "makes it writable until the next fault"),
                ])
        }
        if !state.isWritable {
            let missing = state.existence == .missing
            return obstacle(
                missing
                    ? "\(state.path) does not exist, and `run` cannot create it as \(facts.user.name)"
                    : "\(facts.user.name) cannot write to \(state.path)", [make])
        }
        let free = state.freeBytes.map { ", \($0 / 1_000_000) MB free" } ?? ""
        if let bytes = state.freeBytes, bytes < Self.littleSpace {
            let isFull = bytes < Self.noSpace
            return Finding(
                "disk", isFull ? severityOfObstacle : .warning,
                "\(state.path): " + (isFull ? "the file system is full" : "almost full\(free)"),
                [
                    Remedy("sudo journalctl --vacuum-size=100M", "deletes old logs"),
                    Remedy("sudo apt-get clean", "deletes downloaded packages"),
                ])
        }
        if let bytes = state.freeBytes, let needed = configuration.outboxBytes, bytes < UInt64(clamping: needed) {
            return Finding(
                "disk", .warning,
                "\(state.path)\(free), and the outbox may take \(needed / 1_000_000) MB in an outage of the broker",
                [editRemedy("set outbox.max-size to less, or free space")])
        }
        return Finding(
            "disk", .ok,
            state.existence == .missing
                ? "\(state.path) will be created by `run`\(free)" : "\(state.path) is writable\(free)")
    }

    /// Finding on a state directory of a later version; `nil` for one that this program knows.
    package var laterState: Finding? {
        guard let format = facts.laterState else { return nil }
        return Finding(
            "version", .failed,
            "the state directory has format \(format.number), written by beacon-gateway \(format.program); this program, "
                + "\(ProductVersion.number), knows formats up to \(StateFormats.current), and does not start with it",
            [
                Remedy(
                    "sudo apt install beacon-gateway",
                    "install beacon-gateway \(format.program) or a later one; nothing was changed in the directory")
            ])
    }

    /// Finding on a missing outbox; `nil` while the outbox is complete or new.
    package var outbox: Finding? {
        guard let missing = facts.missingOutbox else { return nil }
        return Finding(
            "outbox", .warning, [missing.what, missing.meaning].compactMap(\.self).joined(separator: "; "),
            [Remedy("sudo systemctl restart beacon-gateway", missing.remedy ?? "")])
    }

    /// Finding on another client that took over the gateway's session; `nil` unless it happened within the last 24 h.
    package var takenOver: Finding? {
        guard let takeovers = facts.takeovers, facts.clock.now - takeovers.lastAt < .seconds(24 * 3600) else {
            return nil
        }
        let times = takeovers.times == 1 ? "once" : "\(takeovers.times) times"
        return Finding(
            "name", .warning,
            "another client \(takeovers.isCertain ? "took over" : "seems to have taken over") this gateway's session "
                + "at the broker \(times), last at \(takeovers.lastAt.rfc3339): both have the same name, and "
                + "disconnect each other",
            [
                editRemedy(
                    "give this gateway another place.gateway, if another one has the same; a cloned SD card has the "
                        + "name of its original")
            ])
    }

    /// Free space below which the disk counts as almost full, in bytes. The state itself takes a few kilobytes; other
    /// data fills the rest quickly.
    private static let littleSpace: UInt64 = 100_000_000
    private static let noSpace: UInt64 = 1_000_000

    func editRemedy(_ what: String) -> Remedy { .edit(configuration.path, what) }
}
