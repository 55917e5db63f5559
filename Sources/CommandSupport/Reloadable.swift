import SystemIO

/// A value that a reload replaces while services use it: each takes the current one when it begins a piece of work.
public final class Reloadable<Value: Sendable>: Sendable {
    private let value: LockedValue<Value>

    public init(_ value: Value) { self.value = LockedValue(value) }

    public var current: Value { value.withLock { $0 } }

    public func replace(with value: Value) { self.value.withLock { $0 = value } }
}
