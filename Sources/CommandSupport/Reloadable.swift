import SystemIO

/// A value that a reload replaces while services use it. A service takes the current value when it begins a piece of
/// work.
package final class Reloadable<Value: Sendable>: Sendable {
    private let value: LockedValue<Value>

    package init(_ value: Value) { self.value = LockedValue(value) }

    package var current: Value { value.withLock { $0 } }

    package func replace(with value: Value) { self.value.withLock { $0 = value } }

    /// Changes a part of the value.
    package func update(_ body: (inout Value) -> Void) { value.withLock { body(&$0) } }
}
