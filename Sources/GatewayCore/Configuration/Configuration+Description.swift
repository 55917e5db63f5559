import RecordContract

/// Says whose it is and nothing of what is in it: logs of a debug level describe everything that runs.
extension Configuration: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "configuration of \(topics.root)" }
    package var debugDescription: String { description }
}
