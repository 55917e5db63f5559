import BeaconModel
import Glibc
import OperatorText
import RecordContract
import Rollout
import Setup
import SystemIO

/// A directory in a git repository, as the program `git` knows it.
struct GitRepository: Sendable {
    /// The directory, which can be below that of the repository.
    let directory: String
    private let program: String

    /// Limit of everything that git writes in one answer.
    private static let longest = 256 << 20

    /// The state of a directory.
    enum State: Sendable {
        /// - Parameter changed: files that differ from the commit.
        case committed(ConfigurationRevision, changed: [String])
        /// There is no repository, or no commit in it.
        case none(reason: String)
    }

    /// - Throws: `GitError` if there is no program `git`.
    init(_ directory: String) throws {
        self.directory = directory
        let paths: [String] = ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"]
        guard let program = paths.first(where: { access($0, X_OK) == 0 }) else {
            throw GitError(what: "there is no program git", remedy: "install it: apt-get install git")
        }
        self.program = program
    }

    func state() async throws -> State {
        let head = try await ask(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
        let text = String(decoding: head.output, as: UTF8.self).trimmed
        guard head.status == 0, let revision = ConfigurationRevision(text) else {
            let words = String(decoding: head.errorOutput, as: UTF8.self).trimmed
            return .none(reason: words.isEmpty ? "it has no commit" : words)
        }
        let status = try await expect(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "."])
        // Each entry has two letters, a space, and a path.
        let changed = String(decoding: status, as: UTF8.self).split(separator: "\0").map { String($0.dropFirst(3)) }
        return .committed(revision, changed: changed.filter { $0.hasSuffix(".toml") })
    }

    /// Returns the files of the directory at a revision; `nil` if the revision is not known here.
    func files(at revision: ConfigurationRevision) async throws -> [RolloutFile]? {
        // A name in place of a commit could be a branch, or an option.
        guard revision.description.utf8.count >= 7, revision.description.allSatisfy(\.isHexDigit) else { return nil }
        let tree = try await ask(["ls-tree", "-r", "-z", "\(revision)^{commit}"])
        guard tree.status == 0 else { return nil }
        var entries: [(blob: String, path: String)] = []
        for line in String(decoding: tree.output, as: UTF8.self).split(separator: "\0") {
            // 100644 blob 8baef1b4abc478178b004d62031cf7fe6db6f903<tab>campus/main/1/east.toml
            let parts = line.split(separator: "\t", maxSplits: 1)
            let words = parts.first?.split(separator: " ") ?? []
            guard parts.count == 2, words.count == 3, words[1] == "blob", FleetFiles.isPart(String(parts[1])) else {
                continue
            }
            if words[0] == "120000" { throw FleetFiles.Link(path: String(parts[1])) }
            entries.append((String(words[2]), String(parts[1])))
        }
        guard entries.count <= RolloutTree.mostFiles else { throw FleetFiles.TooMany() }
        let input = entries.map { $0.blob + "\n" }.joined()
        let contents = try await expect(["cat-file", "--batch"], input: Array(input.utf8))
        return try Self.read(contents, entries)
    }

    /// Reads the output of `cat-file --batch`: for each object a line with its length, the object, and a line end.
    private static func read(_ bytes: [UInt8], _ entries: [(blob: String, path: String)]) throws -> [RolloutFile] {
        var rest = bytes[...]
        var files: [RolloutFile] = []
        for entry in entries {
            let header = rest.prefix { $0 != UInt8(ascii: "\n") }
            guard let count = String(decoding: header, as: UTF8.self).split(separator: " ").last.flatMap({ Int($0) }),
                count >= 0, rest.count >= header.count + count + 2
            else { throw GitError(what: "git did not return \(entry.path)", remedy: "check the repository: git fsck") }
            rest = rest.dropFirst(header.count + 1)
            files.append(try FleetFiles.file(entry.path, Array(rest.prefix(count))))
            rest = rest.dropFirst(count + 1)
        }
        return files
    }

    private func expect(_ arguments: [String], input: [UInt8] = []) async throws -> [UInt8] {
        let answer = try await ask(arguments, input: input)
        guard answer.status == 0 else {
            let words = String(decoding: answer.errorOutput, as: UTF8.self).trimmed
            throw GitError(
                what: "`git \(arguments.first ?? "")` in \(directory) failed: \(words.shown(upTo: 500))",
                remedy: "check the repository: git -C \(ShellWord.quote(directory)) status")
        }
        return answer.output
    }

    private func ask(_ arguments: [String], input: [UInt8] = []) async throws -> ProgramOutput {
        var child = ChildProgram([program, "-C", directory] + arguments)
        child.hasEnvironment = true
        // Reading must not write into a repository that belongs to somebody else, and no translation is to be parsed.
        child.variables = ["GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C.UTF-8", "GIT_TERMINAL_PROMPT": "0"]
        let prepared = child
        let result = try await DedicatedThread.run(name: "git") { () -> Result<ProgramOutput, SystemError> in
            do throws(SystemError) {
                return .success(try ProgramOutput.of(prepared, input: input, limit: Self.longest))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// The program git is missing, or failed.
struct GitError: OperatorError {
    var what: String
    var remedy: String?
    var exitStatus: ExitStatus { .unavailable }
}
