package import OperatorText

/// One change of a configuration file.
package enum ConfigurationEdit: Equatable, Sendable {
    case set([String], TOMLScalar)
    case remove([String])
    /// A table without keys, whose presence switches something on.
    case table([String], key: String, TOMLScalar)
    /// A row of a list of tables.
    case append(String, [Row])

    package struct Row: Equatable, Sendable {
        package var key: String
        package var value: TOMLScalar

        package init(_ key: String, _ value: TOMLScalar) {
            self.key = key
            self.value = value
        }
    }

    /// Makes the change.
    package func apply(to editor: inout TOMLEditor) throws(TOMLEditRefusal) {
        switch self {
        case .set(let path, let value): try editor.set(path, to: value)
        case .remove(let path): try editor.remove(path)
        case .table(let path, let key, let value): try editor.set(path + [key], to: value)
        case .append(let name, let rows): try editor.append(name, rows.map { ($0.key, $0.value) })
        }
    }
}

/// Changes of a configuration, without those that would change nothing.
struct ConfigurationEdits {
    private let present: PresentConfiguration
    private(set) var all: [ConfigurationEdit] = []

    init(_ present: PresentConfiguration) { self.present = present }

    mutating func set(_ path: [String], _ value: TOMLScalar) {
        guard !isThere(path, value) else { return }
        all.append(.set(path, value))
    }

    mutating func remove(_ path: [String]) {
        if present.editor.value(at: path) != nil { all.append(.remove(path)) }
    }

    /// Switches a table on that needs no key.
    mutating func table(_ path: [String]) {
        if present.editor.value(at: path) == nil {
            all.append(.table(path, key: "verify-server", .boolean(true)))
        }
    }

    mutating func append(_ name: String, _ rows: [ConfigurationEdit.Row]) { all.append(.append(name, rows)) }

    private func isThere(_ path: [String], _ value: TOMLScalar) -> Bool {
        switch (present.editor.value(at: path), value) {
        case (.string(let old)?, .string(let new)): old == new
        case (.integer(let old)?, .integer(let new)): old == new
        case (.boolean(let old)?, .boolean(let new)): old == new
        case (.array(let old)?, .strings(let new)):
            old.count == new.count && zip(old, new).allSatisfy { $0.value == .string($1) }
        default: false
        }
    }
}
