import BeaconModel
import CommandSupport
import OperatorText
import Publishing
import RecordContract
import Rollout
import SystemIO

/// A directory of configurations that was read: from the commit if everything is committed, else from the disk.
struct FleetDirectory: Sendable {
    let path: String
    let tree: RolloutTree
    var settings: DirectorySettings
    let documents: PlannedConfigurations
    /// The commit; `nil` if the files are not those of a commit.
    let revision: ConfigurationRevision?
    /// Why the files are not those of a commit.
    let objection: NotCommitted?
    private let repository: GitRepository?

    /// Reads a directory with everything that can be checked here.
    ///
    /// - Throws: `FleetProblems` if something is wrong with a configuration.
    static func read(_ path: String, secrets: SecretAccess = ConfigurationFile.secrets()) async throws -> FleetDirectory
    {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let onDisk = try FleetFiles.read(path)
        var files = onDisk
        var revision: ConfigurationRevision?
        var objection: NotCommitted?
        let repository = try GitRepository(path)
        switch try await repository.state() {
        case .none(let reason): objection = NotCommitted(directory: path, reason: .noCommit(reason))
        case .committed(let commit, let changed) where changed.isEmpty:
            files = try await repository.files(at: commit) ?? onDisk
            revision = commit
        case .committed(_, let changed): objection = NotCommitted(directory: path, reason: .changed(changed))
        }
        let tree = RolloutTree(files)
        let settings = try settings(of: tree, path, secrets)
        let documents = PlannedConfigurations(tree, prefix: settings.prefix)
        guard documents.problems.isEmpty else {
            throw FleetProblems(directory: path, problems: documents.problems)
        }
        return FleetDirectory(
            path: path, tree: tree, settings: settings, documents: documents, revision: revision,
            objection: objection, repository: repository)
    }

    /// Reads only `fleet.toml`, from the disk.
    static func settings(_ path: String) throws -> DirectorySettings {
        let file = path + "/" + RolloutTree.settingsName
        let text = try ConfigurationFile.text(file)
        return try settings(
            of: RolloutTree([RolloutFile(path: RolloutTree.settingsName, text: text)]), path,
            ConfigurationFile.secrets())
    }

    private static func settings(
        of tree: RolloutTree, _ path: String, _ secrets: SecretAccess
    ) throws -> DirectorySettings {
        let file = path + "/" + RolloutTree.settingsName
        let locate = { ConfigurationFile.locate($0, in: file) }
        let read = ConfigurationFile.reader(refusing: secrets, in: file, limit: 1 << 20)
        var settings = try DirectorySettings.read(
            tree.settings, path: file, clientID: "", secrets: secrets, readFile: { try read(locate($0)) },
            locate: locate)
        settings.broker.clientID = BrokerOptions.clientID(user: settings.broker.username, purpose: "fleet")
        return settings
    }

    /// The sites of the gateways, which are in topic filters: not every broker lets an operator see all sites.
    var sites: [String] { Array(Set(documents.gateways.map(\.site))).sorted() }

    /// Returns the configurations that gateways use, as far as the repository has them.
    func former(_ heard: HeardFleet) async throws -> [GatewayPath: PlannedConfiguration] {
        var users: [ConfigurationRevision: Set<GatewayPath>] = [:]
        for (gateway, said) in heard.gateways {
            guard let state = said.configuration, let revision = state.revision, let document = documents[gateway],
                state.digest != document.digest
            else { continue }
            users[revision, default: []].insert(gateway)
        }
        var former: [GatewayPath: PlannedConfiguration] = [:]
        // Revisions come from the broker: a few are enough for all gateways that tell the truth.
        for (revision, gateways) in users.sorted(by: { $0.value.count > $1.value.count }).prefix(Self.mostRevisions) {
            guard let files = try await repository?.files(at: revision) else { continue }
            let documents = PlannedConfigurations(RolloutTree(files), prefix: settings.prefix, gateways: gateways)
            former.merge(documents.documents) { $1 }
        }
        return former
    }

    private static let mostRevisions = 50
}

/// The files of a directory are not those of a commit.
struct NotCommitted: OperatorError, Sendable {
    enum Reason: Sendable {
        case noCommit(String)
        case changed([String])
    }

    var directory: String
    var reason: Reason

    var what: String {
        switch reason {
        case .noCommit(let words): "\(directory) is not in git: \(words.shown(upTo: 300))"
        case .changed(let files):
            "\(directory) has changes that are not committed: "
                + files.prefix(5).map { $0.shown(upTo: 200) }.joined(separator: ", ")
                + (files.count > 5 ? " and \(files.count - 5) more" : "")
        }
    }

    var meaning: String? { "nothing was sent: a gateway's configuration is named by its commit" }

    var remedy: String? {
        let quoted = ShellWord.quote(directory)
        return switch reason {
        case .noCommit: "git -C \(quoted) init && git -C \(quoted) add . && git -C \(quoted) commit"
        case .changed: "git -C \(quoted) add . && git -C \(quoted) commit"
        }
    }

    var exitStatus: ExitStatus {
        switch reason {
        case .noCommit: .configuration
        case .changed: .data
        }
    }
}

/// The faults that `fleet` found in the configurations of a directory.
struct FleetProblems: OperatorError {
    var directory: String
    var problems: [ConfigurationProblem]

    private static let mostListed = 50

    var what: String {
        let files = Set(problems.map { $0.file ?? directory }).count
        let head =
            "\(directory) has \(problems.count == 1 ? "1 problem" : "\(problems.count) problems")"
            + (files > 1 ? " in \(files) files" : "")
        let more = problems.count - Self.mostListed
        return
            ([head] + problems.prefix(Self.mostListed).map { "  " + $0.line(in: directory) }
            + (more > 0 ? ["  and \(more) more"] : [])).joined(separator: "\n")
    }

    var meaning: String? { "nothing was sent to any gateway" }
    var remedy: String? { "correct the files; docs/guide/configuration.md describes every key" }
    var exitStatus: ExitStatus { .configuration }
}
