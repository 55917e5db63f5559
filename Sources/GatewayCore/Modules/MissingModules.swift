package import ModuleDialogues

/// Modules of the inventory that are missing, told apart from those that were not found yet. Pure.
///
/// Which module is on a port is often known only after it has answered. Until all ports have been asked, a module that
/// was never seen is absent without anything being wrong.
package struct MissingModules: Sendable {
    /// Modules that were in another state than absent since the start.
    private var seen: Set<String> = []
    /// Absent modules that may be on one of the ports that have not answered.
    private var awaited: Set<String> = []

    /// Whether some absent module may still be found.
    package var isOpen: Bool { !awaited.isEmpty }

    package init() {
    }

    /// Takes a module's new state.
    ///
    /// - Parameter isSearching: whether the module on some port is not known yet.
    /// - Returns: whether the module is missing. A row for any new module that none has filled misses nothing.
    package mutating func update(_ status: ModuleStatus, isSearching: Bool) -> Bool {
        let name = status.entry.name
        awaited.remove(name)
        guard status.condition == .absent else {
            seen.insert(name)
            return false
        }
        guard status.entry.module != .anyNew else { return false }
        guard isSearching, !seen.contains(name) else { return true }
        awaited.insert(name)
        return false
    }

    /// Returns the modules that turn out to be missing, once each, when all ports have been asked.
    package mutating func settle(isSearching: Bool) -> Set<String> {
        guard !isSearching else { return [] }
        defer { awaited = [] }
        return awaited
    }

    /// Removes a module that is no longer in the inventory.
    package mutating func forget(_ name: String) {
        seen.remove(name)
        awaited.remove(name)
    }
}
