import RecordContract

/// Describes a configuration by its gateway and none of its contents: debug logs describe everything that runs.
extension Configuration: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "configuration of \(topics.root)" }
    package var debugDescription: String { description }
}
