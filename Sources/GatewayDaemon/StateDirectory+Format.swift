package import BeaconModel
package import GatewayCore
import Glibc
import OperatorText
import RecordOutbox
import SystemIO

/// The format of the directory.
extension StateDirectory {
    private var formatFile: String { path + "/" + StateFormat.fileName }

    /// Checks that this program knows the directory's format. Changes nothing.
    ///
    /// - Throws: `LaterState`, or `StateDirectoryError`.
    package func checkFormat() throws {
        let finding: StateFormats.Finding
        do throws(SystemError) {
            finding = StateFormats.finding(try formatContents())
        } catch {
            throw StateDirectoryError(directory: path, error: error)
        }
        if case .later(let format) = finding { throw LaterState(directory: path, format: format) }
    }

    /// Brings a directory of an earlier format to the current one. No other process may use it.
    ///
    /// - Parameter onDamage: called with what the file holds instead of a format, or why it was not written.
    /// - Throws: `LaterState`, or `StateDirectoryError`.
    package func upgrade(onDamage: (String) -> Void = { _ in }) throws {
        try upgrade(current: StateFormats.current, steps: StateFormats.steps, onDamage: onDamage)
    }

    func upgrade(current: Int, steps: [StateFormats.Step], onDamage: (String) -> Void) throws {
        do {
            let contents = try formatContents()
            switch StateFormats.finding(contents, current: current, steps: steps) {
            case .current: break
            case .later(let format): throw LaterState(directory: path, format: format)
            case .earlier(let steps): try carryOut(steps, onDamage)
            case .damaged(let steps):
                onDamage("\(formatFile) does not name a format: \((contents ?? "").prefix(60).debugDescription)")
                try carryOut(steps, onDamage)
            }
        } catch let error as SystemError {
            throw StateDirectoryError(directory: path, error: error)
        }
    }

    private func carryOut(_ steps: [StateFormats.Step], _ onDamage: (String) -> Void) throws(SystemError) {
        for step in steps {
            for action in step.actions { try carryOut(action) }
            do throws(SystemError) {
                try write(StateFormat(number: step.format, program: ProductVersion.number))
            } catch {
                // A full file system must not keep the gateway from starting. An earlier program can still use the
                // directory, and the next start tries again.
                guard error.isOutOfSpace, step.actions.isEmpty else { throw error }
                onDamage(error.what)
            }
        }
    }

    private func write(_ format: StateFormat) throws(SystemError) {
        // The outbox has space reserved there.
        try OutboxFile(path: outboxPath).lendingReserve { () throws(SystemError) in
            try FileContents.replace(formatFile, with: Array(format.text.utf8))
        }
    }

    private func carryOut(_ action: StateFormats.Action) throws(SystemError) {
        switch action {
        case .rename(let old, let new):
            guard access(path + "/" + old, F_OK) == 0 else { return }
            try FileContents.rename(path + "/" + old, to: path + "/" + new)
        case .remove(let name):
            if unlink(path + "/" + name) != 0, errno != ENOENT {
                throw SystemError("remove \(path)/\(name)", errorNumber: errno)
            }
        }
    }

    private func formatContents() throws(SystemError) -> String? {
        do throws(SystemError) {
            return String(decoding: try FileContents.read(formatFile, limit: StateFormat.longest), as: UTF8.self)
        } catch {
            // No version writes a longer one.
            if error.errorNumber == EFBIG { return "" }
            guard error.isNotFound || error.errorNumber == ENOTDIR else { throw error }
            return nil
        }
    }
}

/// A later version of the gateway wrote the state directory.
package struct LaterState: OperatorError, Equatable {
    package var directory: String
    package var format: StateFormat

    package var what: String {
        "the state directory \(directory) has format \(format.number), written by beacon-gateway \(format.program); this "
            + "program, beacon-gateway \(ProductVersion.number), knows formats up to \(StateFormats.current)"
    }
    package var meaning: String? { "nothing was changed; records that wait in its outbox are not sent" }
    package var remedy: String? {
        "install beacon-gateway \(format.program) or a later one; or, to stay with this version, move the directory away "
            + "after that one has delivered its records"
    }
    /// The service manager must not start the program again and again.
    package var exitStatus: ExitStatus { .configuration }
}
